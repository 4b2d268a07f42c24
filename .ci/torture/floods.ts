import { rmSync } from 'node:fs';
import { spawnServer } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import { type Report, showSpread, spreadOf } from '../bench/report.ts';
import { type Figures, Flood } from './flood.ts';
import { createTestData, newFolder, WAIT_TIMEOUT_MS } from './harness.ts';
import { readLargePages } from './large-pages.ts';
import { floodMail, type MailFigures } from './mail-floods.ts';
import { WORST_BODIES } from './worst-bodies.ts';

const MiB = 1024 * 1024;
const MAX_MEMORY_MIB = 300;
/** With 16 costly posts of 1 MiB at once. */
const MAX_COSTLY_MEMORY_MIB = 400;
const MAX_HEALTH_MS = 100;
const FORM = 'Content-Type: application/x-www-form-urlencoded';

/**
 * Numbers of unfinished posts to pages and to the public endpoint, bytes of the latter, number of finished posts, and
 * milliseconds that each load lasts at least.
 */
type Size = Readonly<{ pages: number; posts: number; postBytes: number; texts: number; minMs: number }>;

const SIZE: Size = { pages: 3_000, posts: 500, postBytes: MiB, texts: 100, minMs: 10_000 };

/** Posts to a form with twenty recipients, and the pace of another team's form. */
const MAIL = { recipients: 20, otherEveryMs: 2_000, minMs: 0 };
/** Within a minute. */
const COSTLY = { ...MAIL, posts: 600, bodies: WORST_BODIES, everyMs: 100, mailMs: 0 };
/** At once, with a mail server that takes 80 mails a second. */
const SMALL = { ...MAIL, posts: 593, bodies: ['{"message":"Hello"}'], everyMs: 1, mailMs: 100 };
const PAGES = { posts: 100, bodies: WORST_BODIES, readers: 4, views: 11, minMs: 0 };
const MAX_NOTIFICATIONS = 60 * MAIL.recipients;
const MAX_DELAY_MS = 5_000;
const MAX_VIEW_MS = 100;

/** Floods servers with posts, mails and reads. Returns true if they stay small and responsive, and recover. */
export async function floods(report: Report, progress: (text: string) => void): Promise<boolean> {
  const parts = [() => unfinishedPosts(report, progress), () => mails(report, progress), () => pages(report, progress)];
  let isWell = true;
  for (const part of parts) if (!(await part())) isWell = false;
  return isWell;
}

const HEADINGS = ['load', 'answers', 'memory, MiB', '/healthz p50, ms', 'p99', 'max'] as const;

function rowOf({ load, answers, memoryMiB, latencies }: Figures): string[] {
  const milliseconds = [latencies[latencies.length >> 1] ?? 0, p99Of(latencies), latencies.at(-1) ?? 0];
  return [
    load,
    Array.from(answers, ([status, count]) => `${count} × ${status}`).join(', ') || 'none yet',
    memoryMiB.toFixed(0),
    ...milliseconds.map((ms) => ms.toFixed(1)),
  ];
}

const p99Of = (latencies: readonly number[]) => latencies[Math.floor(latencies.length * 0.99)] ?? 0;

/** Returns a fault for each figure above its limit. */
function faultsOf(
  load: string,
  limits: ReadonlyArray<readonly [figure: number, limit: number, unit: string]>,
): string[] {
  return limits.flatMap(([figure, limit, unit]) => (figure > limit ? [`${load}: ${figure.toFixed(0)} ${unit}`] : []));
}

const verdict = (faults: readonly string[]) => (faults.length === 0 ? 'Passed.' : `Failed: ${faults.join('; ')}.`);

async function unfinishedPosts(report: Report, progress: (text: string) => void): Promise<boolean> {
  const figures = await flood(SIZE, progress);
  const faults = figures.flatMap(({ load, memoryMiB, latencies }, index) =>
    faultsOf(load, [
      [memoryMiB, index === 0 ? MAX_COSTLY_MEMORY_MIB : MAX_MEMORY_MIB, 'MiB'],
      [p99Of(latencies), MAX_HEALTH_MS, 'ms'],
    ]),
  );
  report.section(
    'Floods of posts',
    [[...HEADINGS], ...figures.map(rowOf)],
    [
      'Each connection has an address of its own, and unfinished bodies lack their last byte. In the end a post of 1 MiB from a new address is accepted again.',
      `Memory must stay below ${MAX_MEMORY_MIB} MiB (${MAX_COSTLY_MEMORY_MIB} MiB with costly posts), and the 99th percentile of /healthz below ${MAX_HEALTH_MS} ms.`,
      verdict(faults),
    ],
  );
  return faults.length === 0;
}

async function mails(report: Report, progress: (text: string) => void): Promise<boolean> {
  progress('costly posts and mails');
  const costly = await floodMail('600 posts of 1 MiB in a minute', COSTLY);
  progress('small posts and mails');
  const small = await floodMail('593 small posts at once', SMALL);
  const slowest = ({ delays }: MailFigures) => Math.max(...delays);
  const faults = [costly, small].flatMap((figures) =>
    faultsOf(figures.load, [
      [figures.memoryMiB, MAX_MEMORY_MIB, 'MiB'],
      [p99Of(figures.latencies), MAX_HEALTH_MS, 'ms'],
      [slowest(figures), MAX_DELAY_MS, 'ms until a mail'],
      [figures.notifications, MAX_NOTIFICATIONS, 'mails'],
    ]),
  );
  report.section(
    `Floods of mails to ${MAIL.recipients} recipients`,
    [
      [...HEADINGS, 'mails', "another team's mail, ms"],
      ...[costly, small].map((figures) => [
        ...rowOf(figures),
        figures.notifications.toLocaleString('en'),
        showSpread(spreadOf(figures.delays)),
      ]),
    ],
    [
      'Bodies of 1 MiB are nested lists and texts of digits in turn. During the small posts, the mail server takes 0.1 s for each mail.',
      "Another team's form gets a post every 2 s until no mail is queued: the time from its answer to its mail.",
      `At most ${MAX_NOTIFICATIONS.toLocaleString('en')} notifications are sent, memory must stay below ${MAX_MEMORY_MIB} MiB, the 99th percentile of /healthz below ${MAX_HEALTH_MS} ms, and another team's mail below ${MAX_DELAY_MS / 1000} s.`,
      verdict(faults),
    ],
  );
  return faults.length === 0;
}

async function pages(report: Report, progress: (text: string) => void): Promise<boolean> {
  progress('pages of large submissions');
  const figures = await readLargePages(PAGES);
  const views = spreadOf(figures.viewSeconds.map((seconds) => seconds * 1000));
  const expected = PAGES.posts * PAGES.readers;
  const faults = [
    ...faultsOf(figures.load, [[figures.memoryMiB, MAX_MEMORY_MIB, 'MiB']]),
    ...faultsOf('a view of the inbox', [[views.median, MAX_VIEW_MS, 'ms']]),
    ...(figures.read === expected ? [] : [`${figures.read} of ${expected} were read`]),
  ];
  report.section(
    'Pages of large submissions',
    [
      [...HEADINGS.filter((heading) => heading !== 'answers'), 'view of the inbox, ms of processor time'],
      [...rowOf(figures).toSpliced(1, 1), showSpread(views)],
    ],
    [
      'Each reader follows `next_cursor` of `?limit=100` through all submissions, in a process with the others.',
      `Memory must stay below ${MAX_MEMORY_MIB} MiB, and a view below ${MAX_VIEW_MS} ms of processor time.`,
      verdict(faults),
    ],
  );
  return faults.length === 0;
}

/** Runs the loads one after the other, each on top of those before. Throws if the server does not recover. */
export async function flood(
  { pages, posts, postBytes, texts, minMs }: Size,
  progress: (text: string) => void = () => {},
  env: Record<string, string> = {},
): Promise<Figures[]> {
  const folder = newFolder();
  const testData = await createTestData(folder);
  const server = await spawnServer(folder, { TRUSTED_PROXIES: '127.0.0.1', PAGES_PER_MINUTE: '600', ...env });
  const run = new Flood(server, minMs);
  const submissions = `/v1/forms/${testData.formId}/submissions`;
  try {
    progress('costly texts');
    await run.load(`${texts} costly posts of 1 MiB, 16 at once`, () => postCostly(run, testData.formId, texts));
    progress('unfinished posts to open pages');
    await run.load(`${pages} unfinished posts of 16 KiB to open pages`, () =>
      run.open(pages, '/dashboard/sign-in', ['Sec-Fetch-Site: same-origin', FORM], Buffer.alloc(16_383, 'a')),
    );
    progress('unfinished posts to the public endpoint');
    await run.load(`${posts} unfinished posts of ${postBytes / 1024} KiB to the public endpoint`, () =>
      run.open(posts, submissions, [FORM], Buffer.alloc(postBytes - 1, 'a')),
    );
    progress('waiting until the server accepts a post again');
    await run.load('until a post of 1 MiB is accepted', () =>
      until(async () => (await run.post(testData.formId, QUOTES)) === 200, 'a post', WAIT_TIMEOUT_MS),
    );
    return run.figures;
  } finally {
    run.close();
    await server.end();
    rmSync(folder, { recursive: true });
  }
}

const QUOTES = JSON.stringify(Object.fromEntries([1, 2, 3, 4].map((field) => [field, '«'.repeat(130_000)])));

/** Sends quotation marks, many fields and the worst bodies in turn; one address may have 16 posts of 1 MiB in flight. */
async function postCostly(run: Flood, formId: string, count: number): Promise<void> {
  const encoded = Array.from({ length: 11 }, (_, field) => `f${field}=${'%C2%AB'.repeat(15_000)}`).join('&');
  const fields = Array.from({ length: 990 }, (_, field) => `f${field}=${'1 '.repeat(500)}`).join('&');
  const posts: ReadonlyArray<readonly [body: string, type?: string]> = [
    [encoded, 'application/x-www-form-urlencoded'],
    [fields, 'application/x-www-form-urlencoded'],
    ...[QUOTES, ...WORST_BODIES].map((body) => [body] as const),
  ];
  let sent = 0;
  const client = async () => {
    while (sent < count) await run.post(formId, ...(posts[sent++ % posts.length] ?? ['']));
  };
  await Promise.all(Array.from({ length: 16 }, client));
}
