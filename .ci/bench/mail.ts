import { rmSync } from 'node:fs';
import { NOTIFICATIONS_PER_HOUR } from '../../src/domain/mail/mail.ts';
import { formatTable } from '../../src/lib/table.ts';
import { temporaryDir } from '../../test/support/instance.ts';
import { formstead, spawnServer } from '../../test/support/process.ts';
import { startSink } from './smtp-sink.ts';

const MAILS = 10_000;
const RECIPIENTS = 20;
const POSTING_CLIENTS = 16;
/** Interval between measured posts, which do not wait for earlier answers. */
const INTERVAL_MS = 20;
const QUIET_POSTS = 500;
const GOAL_PER_SECOND = 100;

await bench();

async function post(endpoint: string): Promise<number> {
  const began = performance.now();
  const body = new URLSearchParams({ name: 'Ada', email: 'ada@example.com', message: 'Is the shop open on Sunday?' });
  const answer = await fetch(endpoint, { method: 'POST', body, headers: { 'X-Forwarded-For': '192.0.2.1' } });
  if (answer.status !== 200) throw new Error(`a post was answered with ${answer.status}: ${await answer.text()}`);
  await answer.text();
  return performance.now() - began;
}

/** Posts at a fixed rate as long as `shouldContinue` returns true, and returns the durations in milliseconds. */
async function measurePosts(endpoint: string, shouldContinue: (posted: number) => boolean): Promise<number[]> {
  const posts: Array<Promise<number>> = [];
  const began = performance.now();
  while (shouldContinue(posts.length)) {
    posts.push(post(endpoint));
    await Bun.sleep(Math.max(0, began + posts.length * INTERVAL_MS - performance.now()));
  }
  return Promise.all(posts);
}

function row(name: string, figures: readonly number[]): string[] {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1);
  return [name, String(figures.length), at(0.5), at(0.95), at(1)];
}

async function bench(): Promise<void> {
  const dir = temporaryDir();
  const receiver = await startSink();
  const make = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await formstead(dir, [...args, '--json']);
    if (!stdout) throw new Error(stderr);
    return (JSON.parse(stdout) as { id: string }).id;
  };
  await make('init');
  const team = await make('team', 'create', '--name', 'Team', '--plan', 'unlimited');
  const workspace = await make('workspace', 'create', '--team', team, '--name', 'Workspace');
  const recipients = Array.from({ length: RECIPIENTS }, (_, n) => `o${n}@x.example`).join(',');
  const mailed: string[] = [];
  for (let made = 0; made * NOTIFICATIONS_PER_HOUR * RECIPIENTS < MAILS; made++) {
    mailed.push(await make('form', 'create', '--workspace', workspace, '--name', 'A', '--notify', recipients));
  }
  const silent = await make('form', 'create', '--workspace', workspace, '--name', 'B');
  const server = await spawnServer(dir, { SMTP_URL: receiver.url, MAIL_FROM: 'forms@mail.example' });
  const endpoint = (form: string) => `${server.url}/v1/forms/${form}/submissions`;

  await measurePosts(endpoint(silent), (posted) => posted < 100);
  const quiet = await measurePosts(endpoint(silent), (posted) => posted < QUIET_POSTS);

  let left = MAILS / RECIPIENTS;
  const client = async () => {
    while (left-- > 0) await post(endpoint(mailed[left % mailed.length] ?? ''));
  };
  await Promise.all(Array.from({ length: POSTING_CLIENTS }, client));
  let isDone = false;
  const measured = measurePosts(endpoint(silent), () => !isDone);
  let count = await receiver.count();
  const whenPosted = count.total;
  while (count.total < MAILS) {
    await Bun.sleep(500);
    count = await receiver.count();
  }
  isDone = true;
  const busy = await measured;
  // Wait for mails that are sent twice.
  await Bun.sleep(2_000);
  count = await receiver.count();
  const code = await server.end();
  receiver.stop();
  rmSync(dir, { recursive: true });

  const rows = [
    ['posts, one every 20 ms', 'posts', 'p50 ms', 'p95 ms', 'max ms'],
    row('while no mail is sent', quiet),
    row('while mails are sent', busy),
  ];
  const rate = count.total / count.seconds;
  process.stdout.write(`
${formatTable(rows)}

mails: ${count.ids} of ${MAILS} arrived, ${count.total - count.ids} duplicates, ${whenPosted} during the posts
in ${count.seconds.toFixed(1)} s: ${rate.toFixed(0)} a second (goal ${GOAL_PER_SECOND}); the server ended with ${code}
`);
  if (count.ids !== MAILS || count.total !== MAILS || rate < GOAL_PER_SECOND) process.exitCode = 1;
}
