import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Report } from '../bench/report.ts';
import { measureHolds } from './holds.ts';
import { type Outcome, runTarget, type Target } from './target.ts';
import { TARGETS } from './targets.ts';

const NAMES = [...TARGETS.map(({ name }) => name), 'holds'];
const USAGE = `usage: bun run bench fuzz [${NAMES.join(' | ')}] [--seed N] [--inputs N]\n`;
const SHOWN = 20;

/** Defects found by fuzzing, each with its regression test. */
const FOUND: ReadonlyArray<readonly [target: string, what: string, test: string]> = [
  [
    'http',
    'a dashboard page requested with an invalid Host header returned 500',
    'test/fast/visitor/odd-hosts.test.ts',
  ],
  ['tar', 'a negative or non-octal size was accepted', 'test/fast/lib/tar.test.ts'],
  [
    'backup',
    'an archive with a duplicate file failed with a bare EEXIST, or the second manifest won',
    'test/cli/backup/restore.test.ts',
  ],
  ['manifest', 'a manifest that names a file outside the backup was accepted', 'test/fast/domain/backup.test.ts'],
  [
    'decoder',
    'an empty multipart body without a boundary was reported as unreadable instead of empty',
    'test/fast/visitor/refusals.test.ts',
  ],
  ['mail', 'an attachment name that looks encoded was decoded', 'test/fast/mail/injection.test.ts'],
  ['mail', 'an auto-reply of a form with an unprintable name had no subject', 'test/fast/mail/auto-reply.test.ts'],
  [
    'csv',
    'two columns had the same title after a formula was escaped with an apostrophe',
    'test/fast/dashboard/export.test.ts',
  ],
];

const { name, seed, inputs } = read(Bun.argv.slice(2));
const packages = ['postal-mime', 'csv-parse', 'smtp-server'].map(async (one) => {
  const { version } = (await import(`${one}/package.json`, { with: { type: 'json' } })) as { version: string };
  return `${one} ${version}`;
});
const report = new Report(
  'bun run bench fuzz',
  [
    'Each target generates inputs from a seed and checks a property of the result. The same seed gives the same inputs;',
    'reproduce a single input with `bun run bench fuzz <target> --seed <seed of the input> --inputs 1`.',
    'Finally, bodies of nearly 1 MiB, each built to be as expensive as possible, are posted one at a time.',
  ],
  `, ${(await Promise.all(packages)).join(', ')}`,
);
const totals: string[][] = [];
let failed = 0;
for (const target of TARGETS) if (name === undefined || name === target.name) await run(target);
if (name === undefined) {
  const sum = totals.reduce((all, [, count = '']) => all + Number(count.replaceAll(',', '')), 0);
  report.section(`${sum.toLocaleString('en')} inputs in all`, [['target', 'inputs', 'seconds', 'failures'], ...totals]);
}
if (name === undefined) {
  report.section('Defects found and fixed', [['target', 'defect', 'test'], ...FOUND]);
}
if (name === undefined || name === 'holds') await measureHolds(report, showProgress);
// A short run only reproduces a failure; its numbers are not representative.
if (name === undefined && inputs === undefined) await report.write(join(import.meta.dir, 'RESULTS.md'));
process.exit(failed > 0 ? 1 : 0);

function read(args: string[]): Readonly<{ name?: string | undefined; seed: number; inputs?: number | undefined }> {
  try {
    const options = { seed: { type: 'string', default: '1' }, inputs: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [wanted, ...more] = positionals;
    const numbers = [values.seed, values.inputs ?? '1'];
    const isKnown = wanted === undefined || NAMES.includes(wanted);
    if (!isKnown || more.length > 0 || !numbers.every((text) => /^\d{1,9}$/.test(text))) throw new TypeError(USAGE);
    return {
      name: wanted,
      seed: Number(values.seed),
      inputs: values.inputs === undefined ? undefined : Number(values.inputs),
    };
  } catch {
    process.stderr.write(USAGE);
    process.exit(2);
  }
}

async function run(target: Target): Promise<void> {
  const count = inputs ?? target.inputs;
  const progress = (done: number) => {
    if (done % 100 === 0) showProgress(`${target.name}: ${done.toLocaleString('en')} of ${count.toLocaleString('en')}`);
  };
  const outcome = await runTarget(target, { seed, inputs: count, progress });
  showProgress('');
  failed += outcome.failures.length;
  totals.push([target.name, count.toLocaleString('en'), outcome.seconds.toFixed(0), String(outcome.failures.length)]);
  tell(target, count, outcome);
}

function tell(target: Target, count: number, { outcomes, failures, notes, seconds }: Outcome): void {
  const rows = [...outcomes].sort(([, a], [, b]) => b - a).map(([word, seen]) => [word, seen.toLocaleString('en')]);
  report.section(
    `${target.name}: ${count.toLocaleString('en')} inputs from seed ${seed}`,
    [['outcome', 'inputs'], ...rows],
    [
      `Property: ${target.about}.`,
      `${failures.length} failures; ${Math.round(count / seconds).toLocaleString('en')} inputs a second.`,
      ...notes,
      ...failures.slice(0, SHOWN).map(({ seed: own, what }) => `seed ${own ?? 'none'}: ${what.split('\n', 1)[0]}`),
    ],
  );
  for (const { seed: own, what } of failures.slice(0, SHOWN)) {
    const again = own === null ? '' : `Reproduce with: bun run bench fuzz ${target.name} --seed ${own} --inputs 1`;
    process.stdout.write(`\n${what}\n${again}\n`);
  }
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(78)}`);
}
