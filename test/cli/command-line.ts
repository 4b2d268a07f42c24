import { afterAll, expect } from 'bun:test';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../src/run-program.ts';
import { temporaryDir } from '../support/instance.ts';
import type { Outcome } from '../support/process.ts';

/**
 * Returns a function for paths of data directories that do not exist yet. They are removed after the tests of the file.
 */
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

/** Returns a function for paths of data directories with a new instance, as `formstead init` creates one. */
export function instances(): () => string {
  const path = dataDirs();
  return () => {
    const dataDir = path();
    cpSync(TEMPLATE, dataDir, { recursive: true });
    return dataDir;
  };
}

const TEMPLATE_PARENT = temporaryDir();
const TEMPLATE = join(TEMPLATE_PARENT, 'data');
process.on('exit', () => rmSync(TEMPLATE_PARENT, { recursive: true, force: true }));
const umask = process.umask(0o077);
await run(TEMPLATE, ['init']);
process.umask(umask);

/** Creates a data directory before the first start, as an operator would. */
export function createDir(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  return dataDir;
}

type Prompt = ((question: string) => Promise<string>) | null;
export type Runner = (dataDir: string, args: readonly string[], env?: Record<string, string>) => Promise<Outcome>;

/**
 * Runs a command line in this process, which is faster than `formstead` in a process of its own. Its environment is `env`
 * alone, and its stdin is empty.
 */
export async function run(
  dataDir: string,
  args: readonly string[],
  env: Record<string, string> = {},
  prompt: Prompt = null,
): Promise<Outcome> {
  const stdout: Array<string | Uint8Array> = [];
  let stderr = '';
  const code = await runProgram(args, {
    stdout: (output) => void stdout.push(output),
    stderr: (text) => {
      stderr += text;
    },
    stdin: () => new Blob().stream(),
    isStderrTty: false,
    program: ['/usr/local/bin/formstead'],
    serve: () => Promise.reject(new Error('a test must not serve here')),
    runDemo: () => Promise.reject(new Error('a test must not serve here')),
    prompt,
    env: { DATA_DIR: dataDir, ...env },
    writeLog: (line) => void stdout.push(line),
    prettyLog: false,
  });
  return { code, stdout: Buffer.concat(stdout.map((output) => Buffer.from(output))).toString(), stderr };
}

/** Returns a prompt at which somebody types `answer`. It adds each question to `questions`. */
export function typing(answer: string, questions: string[] = []) {
  return async (question: string) => {
    questions.push(question);
    return answer;
  };
}

/** Runs a command with `--json` and returns its output. Throws if the command fails. */
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

/** An object as commands print it with `--json`. */
export type Resource = Readonly<{ id: string; name: string; [property: string]: unknown }>;

/** A command and the pattern of its error message. */
export type Refusal = readonly [args: readonly string[], message: RegExp];

/**
 * Expects that all commands are refused: exit code 1, nothing on stdout, and one line of JSON on stderr with a message
 * that matches.
 */
export async function expectRefused(dataDir: string, refusals: readonly Refusal[]): Promise<void> {
  const outcomes = await Promise.all(
    refusals.map(async ([args]) => {
      const { stderr, ...outcome } = await run(dataDir, [...args, '--json']);
      return { args, ...outcome, error: (JSON.parse(stderr) as { error: string }).error };
    }),
  );
  const matching = ({ source }: RegExp) => expect.stringMatching(new RegExp(source, 's'));
  expect(outcomes).toEqual(
    refusals.map(([args, message]) => ({ args, code: 1, stdout: '', error: matching(message) })),
  );
}

/** The only line that a refused start may log. */
const STARTING = /^(\{[^\n]*"message":"starting"[^\n]*\}\n)?$/;

/** Returns the expected outcome of a command or start that is refused with this message. */
export function refused(message: RegExp, code = 1): Outcome {
  const line = new RegExp(`^formstead: [^\\n]*(?:${message.source})[^\\n]*\\n$`, message.flags);
  const matching = (pattern: RegExp) => expect.stringMatching(pattern) as unknown as string;
  return { code, stdout: matching(STARTING), stderr: matching(line) };
}

export type TeamWithForm = Readonly<{ team: string; workspace: string; form: Resource; key: Resource }>;

/** Creates a team with a workspace, a form and a key with read and write access, by commands. */
export async function createTeamWithForm(dataDir: string, env: Record<string, string> = {}): Promise<TeamWithForm> {
  const { id: team } = await json<Resource>(dataDir, ['team', 'create', '--name', 'Acme', '--plan', 'pro'], env);
  const [{ id: workspace }, key] = await Promise.all([
    json<Resource>(dataDir, ['workspace', 'create', '--team', team, '--name', 'Site'], env),
    json<Resource>(dataDir, ['key', 'create', '--team', team, '--name', 'CI', '--scope', 'read_write'], env),
  ]);
  const form = await json<Resource>(dataDir, ['form', 'create', '--workspace', workspace, '--name', 'Contact'], env);
  return { team, workspace, form, key };
}

/** Posts one field to a form. */
export function post(url: string, formId: unknown, value = 'Ada'): Promise<Response> {
  return fetch(`${url}/v1/forms/${formId}/submissions`, { method: 'POST', body: new URLSearchParams({ name: value }) });
}

/** Sends a GET request to the management API. */
export function read(url: string, path: string, secret: unknown): Promise<Response> {
  return fetch(url + path, { headers: { Authorization: `Bearer ${secret}` } });
}

/** Returns the field `name` of all submissions of a form from the API, newest first. */
export async function storedNames(url: string, form: Resource, secret: unknown): Promise<unknown[]> {
  const answer = await read(url, `/v1/forms/${form.id}/submissions?limit=100`, secret);
  const { data } = (await answer.json()) as { data: { items: Array<{ data: { name: unknown } }> } };
  return data.items.map((item) => item.data.name);
}
