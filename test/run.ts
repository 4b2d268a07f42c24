import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaryOfSource } from './support/binary.ts';
import { startShared } from './support/postgres.ts';
import { measureSlowness } from './support/speed.ts';

/**
 * Runs suites one after another: `bun run test fast cli`, the fast one by default, `all` of them. Prints each suite's
 * summary and its slowest tests, then the total as `N passed, N failed`. Exits with 1 if a test failed or a suite did
 * not finish.
 */

type Suite = Readonly<{
  /** Worker processes. More than cores where tests mostly wait. */
  workers: number;
  /** Limit of a test that sets none, in seconds on the reference machine. */
  seconds: number;
  needsBinary: boolean;
  /** Node and npm, installed where there is only Bun. */
  needsNode?: true;
  /** Start one PostgreSQL server for all workers. */
  needsPostgres?: true;
  /** Paths below `test/`. The default is the suite's name. */
  folders?: readonly string[];
  /** Environment variables of its tests. */
  env?: Readonly<Record<string, string>>;
}>;

/** The folders whose tests post, call the API or use the dashboard. */
const HTTP_FOLDERS = [
  ...['api', 'client', 'dashboard', 'delivery', 'instance', 'jobs', 'mail', 'security', 'spam', 'visitor'].map(
    (name) => `fast/${name}`,
  ),
  ...['client', 'mail', 'vault', 'visitor'].map((name) => `slow/${name}`),
];

const SUITES: Readonly<Record<string, Suite>> = {
  fast: { workers: 4, seconds: 30, needsBinary: false },
  // Tests that start servers, gather a crowd or wait.
  slow: { workers: 4, seconds: 60, needsBinary: false, needsPostgres: true },
  postgres: {
    ...{ workers: 4, seconds: 60, needsBinary: false, needsPostgres: true },
    folders: HTTP_FOLDERS,
    env: { TEST_DATABASE: 'postgres' },
  },
  cli: { workers: 4, seconds: 60, needsBinary: true },
  crash: { workers: 2, seconds: 120, needsBinary: true, needsPostgres: true },
  release: { workers: 1, seconds: 120, needsBinary: true, needsNode: true },
  browser: { workers: 2, seconds: 60, needsBinary: false },
};

const SLOWEST = 10;

type Result = Readonly<{ suite: string; passed: number; failed: number; skipped: number; seconds: number }>;

const [first = 'fast', ...others] = Bun.argv.slice(2);
const names = first === 'all' ? Object.keys(SUITES) : [first, ...others];
const unknown = names.filter((name) => !Object.hasOwn(SUITES, name));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown suite ${unknown.join(', ')}. Name one or more of ${Object.keys(SUITES).join(', ')}, or all.\n`,
  );
  process.exit(2);
}

const results: Result[] = [];
for (const name of names) results.push(await runSuite(name));
for (const { suite, passed, failed, skipped, seconds } of results) {
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  process.stdout.write(`${suite.padEnd(8)} ${counts} in ${seconds.toFixed(0)} s\n`);
}
const sum = (key: 'passed' | 'failed') => results.reduce((total, result) => total + result[key], 0);
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
process.exit(sum('failed') > 0 ? 1 : 0);

async function runSuite(suite: string): Promise<Result> {
  const { workers, seconds, needsBinary, needsNode, needsPostgres, folders = [suite], env } = SUITES[suite] as Suite;
  if (needsNode && !Bun.which('npm')) addNode();
  if (needsBinary) await binaryOfSource();
  const postgres = needsPostgres && !Bun.env.TEST_POSTGRES_URL ? await startShared() : null;
  const slowness = measureSlowness();
  const timeoutMs = Math.ceil(seconds * 1000 * slowness);
  const folder = mkdtempSync(join(tmpdir(), 'formstead-run-'));
  const report = join(folder, 'report.xml');
  process.stdout.write(`\n${suite}: time limits are those of the reference machine times ${slowness.toFixed(1)}\n`);
  const began = performance.now();
  const child = Bun.spawn(
    [
      ...[
        process.execPath,
        'test',
        ...folders.map((path) => `./test/${path}`),
        `--parallel=${workers}`,
        '--no-isolate',
      ],
      ...[`--timeout=${timeoutMs}`, '--reporter=junit', `--reporter-outfile=${report}`],
    ],
    {
      env: {
        ...Bun.env,
        ...env,
        ...(postgres && { TEST_POSTGRES_URL: postgres.url }),
        TEST_SLOWNESS: String(slowness),
        TEST_TIMEOUT_MS: String(timeoutMs),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const code = await child.exited;
  await postgres?.stop();
  const xml = await Bun.file(report)
    .text()
    .catch(() => '');
  rmSync(folder, { recursive: true });
  printSlowest(suite, xml);
  const count = (name: string) => Number(new RegExp(`<testsuites [^>]*\\b${name}="(\\d+)"`).exec(xml)?.[1] ?? 0);
  const failed = count('failures') + count('errors');
  const skipped = count('skipped');
  const passed = count('tests') - failed - skipped;
  // A run that broke off must not look like one without failures.
  return {
    suite,
    ...{ passed, skipped },
    failed: code !== 0 && failed === 0 ? 1 : failed,
    seconds: (performance.now() - began) / 1000,
  };
}

/** Installs Node and npm for the tests, on a machine that has only Bun. */
function addNode(): void {
  const folder = join(import.meta.dir, 'node');
  const install = [process.execPath, 'install', '--frozen-lockfile', '--silent'];
  if (!Bun.spawnSync(install, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] }).success) process.exit(1);
  process.env.PATH = `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`;
}

function printSlowest(suite: string, xml: string): void {
  const cases = Array.from(xml.matchAll(/<testcase ([^>]*)>/g), ([, attributes = '']) => {
    const value = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    return { name: value('name'), file: value('file'), seconds: Number(value('time')) };
  });
  const slowest = cases.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  process.stdout.write(`slowest of ${suite}:\n`);
  for (const { name, file, seconds } of slowest) process.stdout.write(`  ${seconds.toFixed(1)} s  ${file}: ${name}\n`);
}
