import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Report, showSpread, spreadOf } from '../bench/report.ts';
import { spawnServer } from '../support/process.ts';
import { type Failure, flood } from './flood.ts';
import { HeldServer } from './hold.ts';
import { PlainPosts } from './plain-posts.ts';
import { SHAPES } from './shapes.ts';

const ROUNDS = 7;
const GOAL_MS = 50;

const [count, seed] = wholeNumbers(Bun.argv.slice(2), [100_000, 1]);
const report = new Report('bun run fuzz', [
  'First a flood of hostile posts to a server in a process of its own, with a small ordinary post beside it all the',
  'while. Then bodies of nearly 1 MiB, each built to be as costly as its kind allows, one at a time.',
]);
const failures = await floodServer();
await measureHolds();
// A short run repeats a failure; its figures say nothing.
if (count >= 100_000) await report.write(join(import.meta.dir, 'RESULTS.md'));
process.exit(failures.length > 0 ? 1 : 0);

function wholeNumbers(given: readonly string[], fallbacks: [number, number]): [number, number] {
  if (given.length > 2 || !given.every((text) => /^\d{1,9}$/.test(text))) {
    process.stderr.write('usage: bun run fuzz [how many bodies] [seed of the first]\n');
    process.exit(2);
  }
  const [first = fallbacks[0], second = fallbacks[1]] = given.map(Number);
  return [first, second];
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(78)}`);
}

async function floodServer(): Promise<readonly Failure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'formstead-fuzz-'));
  const server = await spawnServer(dataDir);
  const formId = /"endpoint":"[^"]+\/v1\/forms\/([^/"]+)/.exec(server.stdout())?.[1] ?? '';
  const plain = new PlainPosts(server.url, formId);
  const began = performance.now();
  const progress = (sent: number) => {
    if (sent % 100 === 0) showProgress(`${sent.toLocaleString('en')} of ${count.toLocaleString('en')} bodies`);
  };
  const { statuses, accepted, failures } = await flood({ url: server.url, formId, seed, count, progress });
  const seconds = (performance.now() - began) / 1000;
  const times = await plain.stop();
  await server.end();
  showProgress('');

  const due = accepted + times.length;
  const kept = storedIn(dataDir);
  rmSync(dataDir, { recursive: true });
  const rows = [...statuses].sort(([a], [b]) => a - b).map(([status, seen]) => [statusName(status), String(seen)]);
  const spread = showSpread(spreadOf(times), 1);
  report.section(
    `${count.toLocaleString('en')} hostile bodies from seed ${seed}`,
    [['answered with', 'bodies'], ...rows],
    [
      `${failures.length} were answered with something else, or not at all.`,
      `${due.toLocaleString('en')} were answered with yes and are no trap; ${kept.toLocaleString('en')} are stored.`,
      `${Math.round(count / seconds).toLocaleString('en')} posts a second, eight at once.`,
      `A small post beside them took ${spread} ms; ${times.length.toLocaleString('en')} were sent.`,
    ],
  );
  await Promise.all(failures.map(writeOut));
  return due === kept ? failures : [...failures, { seed, what: `${due} were accepted and ${kept} are stored` }];
}

function statusName(status: number): string {
  return status === 0 ? 'nothing, for they hung up' : String(status);
}

function storedIn(dataDir: string): number {
  const database = new Database(join(dataDir, 'formstead.db'), { readonly: true });
  const row = database.query<{ stored: number }, []>('select count(*) as stored from submissions').get();
  database.close();
  return row?.stored ?? 0;
}

/** Keeps the body where a person can look at it, and says how to send it again. */
async function writeOut({ seed: own, post, what }: Failure): Promise<void> {
  const path = join(tmpdir(), `formstead-fuzz-${own}.body`);
  await Bun.write(path, post?.body ?? '');
  process.stdout.write(`${what}: ${path} ${JSON.stringify(post?.headers)}; again with: bun run fuzz 1 ${own}\n`);
}

async function measureHolds(): Promise<void> {
  const server = await HeldServer.start();
  await server.held();
  const scale = await server.held(GOAL_MS);
  const answers = new Map<string, Readonly<{ status: number; ms: number[] }>>();
  for (let round = 1; round <= ROUNDS; round++) {
    for (const shape of SHAPES) {
      showProgress(`round ${round} of ${ROUNDS}: ${shape.name}`);
      const { status, ms } = await server.post(shape);
      answers.set(shape.name, { status, ms: [...(answers.get(shape.name)?.ms ?? []), ms] });
    }
  }
  await server.stop();
  showProgress('');
  const measured = [...answers].map(([name, { status, ms }]) => ({
    name,
    status,
    first: ms[0] ?? 0,
    spread: spreadOf(ms),
  }));
  const worst = measured.toSorted((a, b) => b.spread.median - a.spread.median);
  const over = worst.filter(({ spread }) => spread.median > GOAL_MS);
  report.section(
    'How long one body of nearly 1 MiB holds the event loop',
    [
      ['body', 'answer', 'the first time, ms', 'ms'],
      ...worst.map(({ name, status, first, spread }) => [name, String(status), first.toFixed(0), showSpread(spread)]),
    ],
    [
      `${over.length} of ${worst.length} hold it longer than ${GOAL_MS} ms (goal: none); the median of ${ROUNDS} with the lowest and highest behind it.`,
      'A timer of 1 ms in the server measures it: the longest that one came late between post and answer.',
      `The same timer takes a loop that was held for ${GOAL_MS} ms on purpose for one of ${scale.toFixed(1)} ms.`,
    ],
  );
}
