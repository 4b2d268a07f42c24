import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../domain/errors.ts';
import { TestInstance } from './test-instance.ts';

/**
 * Runs a server for tests: `bun server.ts SCRATCH_DIR`. Reads calls from stdin and writes their results to stdout, one
 * JSON document a line; the log goes to stderr. Removes the scratch directory and exits when stdin ends, which happens
 * even if the parent is killed.
 */

type Call = Readonly<{ id: number; method: keyof typeof METHODS; args: readonly unknown[] }>;

const [scratchDir = ''] = process.argv.slice(2);
let instance: TestInstance | undefined;

const METHODS = {
  start: async ({ forms, folder }: Readonly<{ forms: readonly unknown[]; folder: string }>) => {
    instance = await TestInstance.start({
      dataDir: join(scratchDir, 'data'),
      forms,
      folder,
      variable: (name) => process.env[name],
      writeLog: (line) => process.stderr.write(line),
    });
    const { url, apiKey, formIds } = instance;
    return { url, apiKey, formIds };
  },
  submissions: (form: number) => running().submissions(form),
  nextSubmission: (form: number, timeoutMs: number) => running().nextSubmission(form, timeoutMs),
  mails: () => running().mails(),
  clear: () => running().clear(),
};

function running(): TestInstance {
  if (!instance) throw new AppError('internal_error', 'The server has not started.');
  return instance;
}

async function answer(line: string): Promise<void> {
  const { id, method, args } = JSON.parse(line) as Call;
  const run = METHODS[method] as (...values: readonly unknown[]) => Promise<unknown>;
  const response = await run(...args).then(
    (result) => ({ id, result }),
    (error: Error) => ({ id, error: error instanceof AppError ? error.message : `${error.stack ?? error}` }),
  );
  process.stdout.write(`${JSON.stringify(response)}\n`);
}

async function end(): Promise<void> {
  // Clients would see errors of a database without files.
  await instance?.stop();
  rmSync(scratchDir, { recursive: true, force: true });
  process.exit(0);
}

// Files are readable by their owner only, as those of `formstead serve`.
process.umask(0o077);
mkdirSync(scratchDir);
// Ctrl-C reaches the whole process group: the parent may still need the server, and its end closes stdin.
process.on('SIGINT', () => {});
process.on('SIGTERM', end);
// A parent that was killed reads nothing.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text: string) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  lines.forEach(answer);
});
process.stdin.on('end', end);
