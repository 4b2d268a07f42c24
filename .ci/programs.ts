/**
 * Runs a program for people: `bun bench <name>` measures or tests for long, `bun run generate <what>` writes a file of the
 * source. Further arguments go to the program.
 */

/** Command lines from the root of the checkout. */
const PROGRAMS = {
  bench: {
    all: 'bun .ci/bench/run.ts',
    ...Object.fromEntries(
      ['posts', 'profile', 'compare', 'reads', 'growth', 'postgres', 'cost', 'scoring', 'stalls', 'budgets'].map(
        (part) => [part, `bun .ci/bench/run.ts ${part}`],
      ),
    ),
    'start-time': 'bun .ci/bench/start.ts',
    'upload-memory': 'bun .ci/bench/upload-memory.ts',
    mails: 'bun .ci/bench/mail.ts',
    export: 'bun .ci/bench/export.ts',
    'backup-load': 'bun .ci/bench/backup.ts',
    'rotation-speed': 'bun .ci/bench/rotation.ts',
    torture: 'bun .ci/torture/run.ts',
    fuzz: 'bun .ci/fuzz/run.ts',
    rotation: 'ROUNDS=10 ROWS=100000 TEST_TIMEOUT_MS=1800000 bun test --timeout=1800000 ./test/crash/rotation.test.ts',
    crashes:
      'ROUNDS=30 TEST_TIMEOUT_MS=1800000 bun test --timeout=1800000 ./test/crash/mail.test.ts ./test/crash/upgrade.test.ts',
    spam: 'bun .ci/spam/run.ts',
    'spam-learning': 'bun .ci/spam/learning.ts',
    masking: 'bun .ci/masking/run.ts',
    lighthouse: 'cd .ci/lighthouse && bun install --frozen-lockfile --silent && bun run.ts',
  },
  generate: {
    settings: 'bun .ci/settings.ts',
    'api-types': 'bun .ci/api-types.ts',
    migration: 'bun .ci/baseline.ts',
    disposable: 'bun .ci/disposable.ts',
    'spam-weights': 'bun .ci/spam/train.ts',
    pictures: 'bun .ci/pictures/make.ts',
    repository: 'bun .ci/repository.ts',
    site: 'bun .ci/site/make.ts',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

const [script = '', name = '', ...rest] = Bun.argv.slice(2);
const programs: Readonly<Record<string, string>> = PROGRAMS[script === 'bench' ? 'bench' : 'generate'];
const line = Object.hasOwn(programs, name) ? programs[name] : undefined;
if (line === undefined) {
  process.stderr.write(`usage: bun run ${script} ${Object.keys(programs).join(' | ')}\n`);
  process.exit(2);
}
const child = Bun.spawn(['sh', '-c', `${line} "$@"`, name, ...rest], { stdio: ['inherit', 'inherit', 'inherit'] });
process.exit(await child.exited);
