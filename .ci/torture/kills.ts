import { readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { backdate } from '../../test/support/database-file.ts';
import { formstead, fromBinary, spawnServer } from '../../test/support/process.ts';
import { Receiver } from '../../test/support/receiver.ts';
import { type SmtpSink, startSmtp } from '../../test/support/smtp.ts';
import { until } from '../../test/support/until.ts';
import { type Report, showSpread, spreadOf } from '../bench/report.ts';
import { deliveredPosts, LOCAL_WEBHOOKS } from './deliveries.ts';
import { createTestData, Ledger, newFolder, postOf, read, type TestData, WAIT_TIMEOUT_MS } from './harness.ts';
import { mailedPosts } from './mails.ts';

const KILLS = Number(Bun.env.KILLS ?? 1_000);
const POSTS = Number(Bun.env.POSTS ?? 100_000);
const VISITORS = 24;
/** One kill in five happens within `START_MS` of a start. */
const IN_START_EVERY = 5;
const START_MS = 200;
const MAX_READY_MS = 2_000;

type Size = Readonly<{ kills: number; posts: number }>;
type Outcome = Readonly<{
  acknowledged: number;
  unanswered: number;
  inStart: number;
  readyMs: readonly number[];
  mails: number;
  mailedAgain: number;
  deliveries: number;
  deliveredAgain: number;
  files: number;
  faults: readonly string[];
}>;

/** Kills a server repeatedly while posts are retried until acknowledged. Returns true if nothing was lost. */
export async function kills(report: Report, progress: (text: string) => void): Promise<boolean> {
  const outcome = await killRepeatedly({ kills: KILLS, posts: POSTS }, progress);
  const slow = outcome.readyMs.filter((ms) => ms > MAX_READY_MS).length;
  const faults = slow > 0 ? [...outcome.faults, `${slow} times it was not ready in time`] : outcome.faults;
  const show = (count: number) => count.toLocaleString('en');
  report.section(
    `A server is killed ${show(KILLS)} times, and each post is retried until it is acknowledged`,
    [
      ['what', 'figure'],
      ['kills (during a start)', `${show(KILLS)}, ${show(outcome.inStart)}`],
      ['posts acknowledged', show(outcome.acknowledged)],
      ['attempts without a response', show(outcome.unanswered)],
      ['files read and compared', show(outcome.files)],
      ['webhook deliveries (duplicates)', `${show(outcome.deliveries)}, ${show(outcome.deliveredAgain)}`],
      ['mails received (duplicates)', `${show(outcome.mails)}, ${show(outcome.mailedAgain)}`],
      ['time to ready, ms: median (min to max)', showSpread(spreadOf(outcome.readyMs))],
    ],
    [
      'Each post has an Idempotency-Key; one third each is urlencoded, JSON, and multipart with one or two files. Each sends a mail and a webhook.',
      'Killed with SIGKILL after a random number of posts; time to ready is from the start of the process to 200 from /readyz.',
      `Required at the end: each post stored once, counted once, its text and files unchanged, no extra file, its mail sent, and its webhook delivered in order and under one id; ready within ${MAX_READY_MS / 1000} s.`,
      faults.length === 0 ? 'Passed.' : `Failed: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

export async function killRepeatedly(size: Size, progress: (text: string) => void): Promise<Outcome> {
  const folder = newFolder();
  const smtp = await startSmtp();
  const receiver = new Receiver();
  try {
    const testData = await createTestData(folder);
    const webhook = ['webhook', 'create', '--form', testData.formId, '--url', receiver.url];
    const { code, stderr } = await formstead(testData.dataDir, webhook, LOCAL_WEBHOOKS);
    if (code !== 0) throw new Error(stderr);
    return await killOn(testData, { smtp, receiver }, size, progress);
  } finally {
    receiver.stop();
    await smtp.stop();
    rmSync(folder, { recursive: true });
  }
}

async function killOn(
  testData: TestData,
  { smtp, receiver }: Readonly<{ smtp: SmtpSink; receiver: Receiver }>,
  size: Size,
  progress: (text: string) => void,
): Promise<Outcome> {
  const env = { READS_PER_MINUTE: '0', SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example', ...LOCAL_WEBHOOKS };
  const readyMs: number[] = [];
  const start = async () => {
    const began = performance.now();
    const started = await spawnServer(testData.dataDir, env);
    const isReady = async () => (await fetch(`${started.url}/readyz`)).status === 200;
    await until(isReady, 'the server to be ready', WAIT_TIMEOUT_MS);
    readyMs.push(performance.now() - began);
    return started;
  };
  const ledger = new Ledger();
  let server = await start();
  // The first start creates the database and is not measured.
  readyMs.length = 0;
  let sent = 0;
  let isOver = false;
  const visitor = async () => {
    while (!isOver) await ledger.sendUntilAcknowledged(() => server, testData.formId, postOf(sent++));
  };
  const visitors = Array.from({ length: VISITORS }, visitor);
  let inStart = 0;
  for (let kill = 1; kill <= size.kills; kill++) {
    progress(`kill ${kill} of ${size.kills}, ${ledger.acknowledged.size} posts`);
    const left = (size.posts - ledger.acknowledged.size) / (size.kills - kill + 1);
    const goal = ledger.acknowledged.size + Math.max(1, Math.random() * 2 * left);
    await until(() => ledger.acknowledged.size >= goal, `${Math.ceil(goal)} acknowledged posts`, WAIT_TIMEOUT_MS);
    await server.end('SIGKILL');
    if (kill % IN_START_EVERY === 0 && kill < size.kills) {
      await killInStart(testData, env);
      inStart++;
      kill++;
    }
    server = await start();
  }
  await until(() => ledger.acknowledged.size >= size.posts, `${size.posts} acknowledged posts`, WAIT_TIMEOUT_MS);
  isOver = true;
  await Promise.all(visitors);
  progress('waiting for the mails');
  const faults: string[] = [];
  const messageIds = await mailedPosts(smtp, ledger.acknowledged, testData);
  for (const [n, ids] of messageIds) if (new Set(ids).size > 1) faults.push(`${n} was mailed as two messages`);
  progress('waiting for the webhooks');
  const delivered = await deliveredPosts(receiver, ledger.acknowledged);
  for (const [n, ids] of delivered.ids) if (new Set(ids).size > 1) faults.push(`${n} was delivered under two ids`);
  if (delivered.misplaced > 0) faults.push(`${delivered.misplaced} were delivered out of order`);
  if ((await server.end()) !== 0) faults.push('it did not end with 0');

  progress('comparing');
  age(testData);
  server = await start();
  const { missing, stored } = await ledger.compare(server, testData);
  if (missing.length > 0) faults.push(`missing: ${missing.join(', ')}`);
  if (ledger.acknowledged.size !== sent) faults.push('a post was given up');
  if (stored !== sent) faults.push(`${stored} are there of ${sent}`);
  const { data } = (await (await read(server, testData, '/usage')).json()) as { data: { submissions_used: number } };
  if (data.submissions_used !== sent) faults.push(`${data.submissions_used} were counted of ${sent}`);
  const files = ledger.files;
  await until(() => blobs(testData).length <= files, 'the sweep to remove orphaned files', WAIT_TIMEOUT_MS);
  if (blobs(testData).length !== files) faults.push(`${blobs(testData).length} files are there of ${files}`);
  if ((await server.end()) !== 0) faults.push('it did not end with 0');
  const { stdout } = await formstead(testData.dataDir, ['doctor', '--json'], env);
  const broken = (JSON.parse(stdout) as Array<{ state: string; message: string }>).filter(
    ({ state }) => state === 'broken',
  );
  faults.push(...broken.map(({ message }) => message));
  const others = [...ledger.refusals.keys()].filter(
    (what) => !['no answer', '409 idempotency_key_in_use'].includes(what),
  );
  if (others.length > 0) faults.push(`posts were refused with ${others.join(', ')}`);
  const mailedAgain = messageIds.values().reduce((sum, ids) => sum + ids.length - 1, 0);
  const unanswered = ledger.refusals.get('no answer') ?? 0;
  const deliveries = receiver.received.length;
  const deliveredAgain = deliveries - delivered.ids.size;
  const mails = smtp.mails.length;
  return {
    acknowledged: sent,
    unanswered,
    inStart,
    readyMs,
    mails,
    mailedAgain,
    deliveries,
    deliveredAgain,
    files,
    faults,
  };
}

async function killInStart({ dataDir }: TestData, env: Record<string, string>): Promise<void> {
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

function blobs({ dataDir }: TestData): string[] {
  return readdirSync(join(dataDir, 'files'));
}

/** Sets all files back by two hours, so that the sweep job considers them. */
function age(testData: TestData): void {
  const then = Date.now() / 1000 - 7_200;
  for (const name of blobs(testData)) utimesSync(join(testData.dataDir, 'files', name), then, then);
  backdate(testData.dataDir);
}
