import { readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type Report, showSpread, spreadOf } from '../bench/report.ts';
import { formstead, fromBinary, spawnServer } from '../support/process.ts';
import { type SmtpSink, startSmtp } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { type Ground, Ledger, makeGround, newFolder, PATIENCE_MS, postOf, read } from './ground.ts';
import { mailedPosts } from './mails.ts';

const KILLS = Number(Bun.env.KILLS ?? 1_000);
const POSTS = Number(Bun.env.POSTS ?? 100_000);
const VISITORS = 24;
/** One kill in so many comes while the server starts, somewhere in its first moments. */
const IN_START_EVERY = 5;
const START_MS = 200;
const MOST_READY_MS = 2_000;

type Size = Readonly<{ kills: number; posts: number }>;
type Outcome = Readonly<{
  acknowledged: number;
  unanswered: number;
  inStart: number;
  readyMs: readonly number[];
  mails: number;
  mailedAgain: number;
  files: number;
  faults: readonly string[];
}>;

/** Kills a server again and again under posts that are sent until they are acknowledged. Whether all went as promised. */
export async function kills(report: Report, progress: (text: string) => void): Promise<boolean> {
  const outcome = await killAgainAndAgain({ kills: KILLS, posts: POSTS }, progress);
  const slow = outcome.readyMs.filter((ms) => ms > MOST_READY_MS).length;
  const faults = slow > 0 ? [...outcome.faults, `${slow} times it was not ready in time`] : outcome.faults;
  const show = (count: number) => count.toLocaleString('en');
  report.section(
    `A server is killed ${show(KILLS)} times, and each post sent again until it is acknowledged`,
    [
      ['what', 'figure'],
      ['kills, of which in the start', `${show(KILLS)}, ${show(outcome.inStart)}`],
      ['posts acknowledged', show(outcome.acknowledged)],
      ['of their sendings without an answer', show(outcome.unanswered)],
      ['files read whole and compared', show(outcome.files)],
      ['mails that arrived, of which once more', `${show(outcome.mails)}, ${show(outcome.mailedAgain)}`],
      ['ready again, ms: median (min to max)', showSpread(spreadOf(outcome.readyMs))],
    ],
    [
      'Each post has an Idempotency-Key; a third each is urlencoded, JSON, and multipart with one or two files. Each is mailed.',
      'Killed with SIGKILL, each time after a random number of posts; ready is from the start of the process to 200 from /readyz.',
      `To be there in the end: each post once, counted once, its text and files as sent, no file too many, and its mail; ready within ${MOST_READY_MS / 1000} s.`,
      faults.length === 0 ? 'All was.' : `Not as promised: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

export async function killAgainAndAgain(size: Size, progress: (text: string) => void): Promise<Outcome> {
  const folder = newFolder();
  const smtp = await startSmtp();
  try {
    const ground = await makeGround(folder);
    return await killOn(ground, smtp, size, progress);
  } finally {
    await smtp.stop();
    rmSync(folder, { recursive: true });
  }
}

async function killOn(ground: Ground, smtp: SmtpSink, size: Size, progress: (text: string) => void): Promise<Outcome> {
  const env = { READS_PER_MINUTE: '0', SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
  const readyMs: number[] = [];
  const start = async () => {
    const began = performance.now();
    const started = await spawnServer(ground.dataDir, env);
    const isReady = async () => (await fetch(`${started.url}/readyz`)).status === 200;
    await until(isReady, 'the server to be ready', PATIENCE_MS);
    readyMs.push(performance.now() - began);
    return started;
  };
  const ledger = new Ledger();
  let server = await start();
  // The first makes the database.
  readyMs.length = 0;
  let sent = 0;
  let isOver = false;
  const visitor = async () => {
    while (!isOver) await ledger.insist(() => server, ground.formId, postOf(sent++));
  };
  const visitors = Array.from({ length: VISITORS }, visitor);
  let inStart = 0;
  for (let kill = 1; kill <= size.kills; kill++) {
    progress(`kill ${kill} of ${size.kills}, ${ledger.acknowledged.size} posts`);
    const left = (size.posts - ledger.acknowledged.size) / (size.kills - kill + 1);
    const goal = ledger.acknowledged.size + Math.max(1, Math.random() * 2 * left);
    await until(() => ledger.acknowledged.size >= goal, `${Math.ceil(goal)} acknowledged posts`, PATIENCE_MS);
    await server.end('SIGKILL');
    if (kill % IN_START_EVERY === 0 && kill < size.kills) {
      await killInStart(ground, env);
      inStart++;
      kill++;
    }
    server = await start();
  }
  await until(() => ledger.acknowledged.size >= size.posts, `${size.posts} acknowledged posts`, PATIENCE_MS);
  isOver = true;
  await Promise.all(visitors);
  progress('waiting for the mails');
  const faults: string[] = [];
  const messageIds = await mailedPosts(smtp, ledger.acknowledged);
  for (const [n, ids] of messageIds) if (new Set(ids).size > 1) faults.push(`${n} was mailed as two messages`);
  if ((await server.end()) !== 0) faults.push('it did not end with 0');

  progress('comparing');
  age(ground);
  server = await start();
  const { missing, stored } = await ledger.compare(server, ground);
  if (missing.length > 0) faults.push(`missing: ${missing.join(', ')}`);
  if (ledger.acknowledged.size !== sent) faults.push('a post was given up');
  if (stored !== sent) faults.push(`${stored} are there of ${sent}`);
  const { data } = (await (await read(server, ground, '/usage')).json()) as { data: { submissions_used: number } };
  if (data.submissions_used !== sent) faults.push(`${data.submissions_used} were counted of ${sent}`);
  const files = ledger.files;
  await until(() => blobs(ground).length <= files, 'the sweep to remove orphaned files', PATIENCE_MS);
  if (blobs(ground).length !== files) faults.push(`${blobs(ground).length} files are there of ${files}`);
  if ((await server.end()) !== 0) faults.push('it did not end with 0');
  const { stdout } = await formstead(ground.dataDir, ['doctor', '--json'], env);
  const broken = (JSON.parse(stdout) as Array<{ state: string; says: string }>).filter(
    ({ state }) => state === 'broken',
  );
  faults.push(...broken.map(({ says }) => says));
  const others = [...ledger.refusals.keys()].filter(
    (what) => !['no answer', '409 idempotency_key_in_use'].includes(what),
  );
  if (others.length > 0) faults.push(`posts were refused with ${others.join(', ')}`);
  const mails = smtp.mails.length;
  const unanswered = ledger.refusals.get('no answer') ?? 0;
  return { acknowledged: sent, unanswered, inStart, readyMs, mails, mailedAgain: mails - sent, files, faults };
}

async function killInStart({ dataDir }: Ground, env: Record<string, string>): Promise<void> {
  const child = Bun.spawn([...(await fromBinary()).command, 'serve'], {
    env: { DATA_DIR: dataDir, PORT: '0', ...env },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  // Kill at a random moment; no assertion depends on it.
  await Bun.sleep(Math.random() * START_MS);
  child.kill('SIGKILL');
  await child.exited;
}

function blobs({ dataDir }: Ground): string[] {
  return readdirSync(join(dataDir, 'files'));
}

/** Makes all files old enough for the sweep. */
function age(ground: Ground): void {
  const then = Date.now() / 1000 - 7_200;
  for (const name of blobs(ground)) utimesSync(join(ground.dataDir, 'files', name), then, then);
}
