import { afterAll, expect } from 'bun:test';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../src/cli/program.ts';
import { loadConfig, loadSecrets } from '../../src/config.ts';
import { openContext, storageAtRest } from '../../src/context.ts';
import { AppError, SetupError } from '../../src/domain/errors.ts';
import { temporaryDir } from '../support/instance.ts';
import { formstead, type Outcome } from '../support/process.ts';

/** Gives out data directories that do not exist yet, and removes them once this file's tests are done. */
export function dataDirs(): () => string {
  const parents: string[] = [];
  afterAll(() => {
    for (const parent of parents) rmSync(parent, { recursive: true, force: true });
  });
  return () => {
    const parent = temporaryDir();
    parents.push(parent);
    return join(parent, 'data');
  };
}

/** A data directory that is there before the first start, as an operator would prepare one. */
export function made(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  return dataDir;
}

type Runner = (dataDir: string, args: readonly string[], env?: Record<string, string>) => Promise<Outcome>;

/** Runs a command line in this process, as `formstead` does in one of its own: for many of them, since it is faster. */
export const run: Runner = async (dataDir, args, env = {}) => {
  let [stdout, stderr] = ['', ''];
  const surroundings = {
    stdout: (output: string | Uint8Array) => {
      stdout += output;
    },
    stderr: (text: string) => {
      stderr += text;
    },
    open: async () =>
      openContext({
        config: loadConfig({ DATA_DIR: dataDir, ...env }),
        secrets: loadSecrets(env, (path) => readFileSync(path, 'utf8')),
        writeLog: () => {},
        prettyLog: false,
      }),
    address: () => loadConfig(env),
    atRest: async () => ({
      dataDir,
      minFreeBytes: loadConfig(env).minFreeBytes,
      configuredKeys: loadSecrets(env, (path) => readFileSync(path, 'utf8')).encryptionKeys,
      storage: storageAtRest,
    }),
    input: () => new Blob().stream(),
    isWatched: false,
    program: ['/usr/local/bin/formstead'],
    serve: () => Promise.reject(new Error('a test must not serve here')),
    ask: null,
  };
  try {
    return { code: await runCommand(args, surroundings), stdout, stderr };
  } catch (error) {
    if (!(error instanceof AppError || error instanceof SetupError)) throw error;
    return { code: 1, stdout, stderr: `${stderr}formstead: ${error.message}\n` };
  }
};

/** Runs a command with `--json` that must be done, and returns the one document it prints. */
export async function json<T = Record<string, unknown>>(
  dataDir: string,
  args: readonly string[],
  env: Record<string, string> = {},
  runner: Runner = run,
): Promise<T> {
  const { code, stdout, stderr } = await runner(dataDir, [...args, '--json'], env);
  if (code !== 0) throw new Error(`formstead ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** The same as a process of its own. */
export function jsonOfProcess<T = Record<string, unknown>>(dataDir: string, args: readonly string[]): Promise<T> {
  return json<T>(dataDir, args, {}, formstead);
}

export type Shown = Readonly<{ id: string; name: string; [property: string]: unknown }>;

/** A command, and what the one line on stderr must say. */
export type Refusal = readonly [args: readonly string[], says: RegExp];

/**
 * Runs commands, the first as a process of its own, that must be refused: exit 1, nothing on stdout, one line on stderr
 * that says what it should.
 */
export async function expectRefused(dataDir: string, refusals: readonly Refusal[]): Promise<void> {
  const seen = await Promise.all(
    refusals.map(async ([args], index) => {
      const runner = index === 0 ? formstead : run;
      return { args, ...(await runner(dataDir, [...args, '--json'])) };
    }),
  );
  expect(seen).toEqual(refusals.map(([args, says]) => ({ args, ...refused(says) })));
}

/** All that a refused start may log: its version. */
const STARTING = /^(\{[^\n]*"message":"starting"[^\n]*\}\n)?$/;

/** The outcome of a command or a start that was refused in one line. */
export function refused(says: RegExp): Outcome {
  const line = new RegExp(`^formstead: [^\\n]*(?:${says.source})[^\\n]*\\n$`, says.flags);
  const matching = (pattern: RegExp) => expect.stringMatching(pattern) as unknown as string;
  return { code: 1, stdout: matching(STARTING), stderr: matching(line) };
}

export type Household = Readonly<{ team: string; workspace: string; form: Shown; key: Shown }>;

/** A team with a workspace, a form and a read & write key, made by commands. */
export async function household(dataDir: string, env: Record<string, string> = {}): Promise<Household> {
  const { id: team } = await json<Shown>(dataDir, ['team', 'create', '--name', 'Acme', '--plan', 'pro'], env);
  const [{ id: workspace }, key] = await Promise.all([
    json<Shown>(dataDir, ['workspace', 'create', '--team', team, '--name', 'Site'], env),
    json<Shown>(dataDir, ['key', 'create', '--team', team, '--name', 'CI', '--scope', 'read_write'], env),
  ]);
  const form = await json<Shown>(dataDir, ['form', 'create', '--workspace', workspace, '--name', 'Contact'], env);
  return { team, workspace, form, key };
}

/** Posts one field to a form. */
export function post(url: string, formId: unknown, value = 'Ada'): Promise<Response> {
  return fetch(`${url}/v1/forms/${formId}/submissions`, { method: 'POST', body: new URLSearchParams({ name: value }) });
}

/** Reads from the management API. */
export function read(url: string, path: string, secret: unknown): Promise<Response> {
  return fetch(url + path, { headers: { Authorization: `Bearer ${secret}` } });
}

/** The values of one field in what is stored for a form, newest first, as the API shows them. */
export async function storedNames(url: string, form: Shown, secret: unknown): Promise<unknown[]> {
  const answer = await read(url, `/v1/forms/${form.id}/submissions?limit=100`, secret);
  const { data } = (await answer.json()) as { data: { items: Array<{ data: { name: unknown } }> } };
  return data.items.map((item) => item.data.name);
}
