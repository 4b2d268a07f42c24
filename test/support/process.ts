import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaryOfSource } from './binary.ts';
import { UNTIL_MS } from './speed.ts';
import { until } from './until.ts';

/** Command and working directory of the program. The default is the binary of this source, which starts faster. */
export type Program = Readonly<{ command: readonly string[]; cwd?: string }>;

export const FROM_SOURCE: Program = { command: ['bun', join(import.meta.dir, '../../src/main.ts')] };

export const fromBinary = async (): Promise<Program> => ({ command: [await binaryOfSource()] });

export type Outcome = Readonly<{ code: number; stdout: string; stderr: string }>;

/** Runs one command as a process with `dataDir`, inheriting only PATH from the environment. */
export async function formstead(
  dataDir: string,
  args: readonly string[],
  env: Record<string, string> = {},
  program?: Program,
): Promise<Outcome> {
  const { command, ...place } = program ?? (await fromBinary());
  const child = Bun.spawn([...command, ...args], {
    ...place,
    env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/** Creates an instance with `formstead init` and returns its data directory. */
export async function createInstance(dataDir: string, env: Record<string, string> = {}): Promise<string> {
  const { code, stderr } = await formstead(dataDir, ['init'], env);
  if (code !== 0) throw new Error(`formstead init ended with ${code}: ${stderr}`);
  return dataDir;
}

export type ServerProcess = Readonly<{
  url: string;
  pid: number;
  /** Returns the output up to now. */
  stdout: () => string;
  stderr: () => string;
  /** Sends the signal and resolves with the exit code (null after SIGKILL). */
  end: (signal?: NodeJS.Signals) => Promise<number | null>;
}>;

/** Timeout of a start, in milliseconds: at least a minute, for load tests and benchmarks. */
const START_MS = Math.max(UNTIL_MS, 60_000);

/** Starts `formstead serve` as a separate process on a free port and waits until it listens. */
export async function spawnServer(
  dataDir: string,
  env: Record<string, string> = {},
  program?: Program,
): Promise<ServerProcess> {
  const { command, ...place } = program ?? (await fromBinary());
  const errors = new ErrorFile();
  const child = Bun.spawn([...command, 'serve'], {
    ...place,
    env: {
      PATH: Bun.env.PATH ?? '',
      DATA_DIR: dataDir,
      PORT: '0',
      POSTS_PER_MINUTE: '0',
      UPLOAD_BYTES_PER_MINUTE: '0',
      UPLOAD_BYTES_PER_HOUR: '0',
      ...env,
    },
    stdout: 'pipe',
    stderr: errors.fd,
  });
  let stdout = '';
  const outputRead = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) stdout += decoder.decode(chunk, { stream: true });
  })();
  const listening = () => stdout.split('\n').find((text) => text.includes('"message":"listening"'));
  const ended = () => child.exitCode ?? child.signalCode;
  await until(() => listening() ?? ended() !== null, 'the server to listen', START_MS).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const line = listening();
  if (!line) {
    await outputRead;
    throw new Error(`The server exited with ${ended()}: ${stdout}${errors.close()}`);
  }
  return {
    url: (JSON.parse(line) as { url: string }).url,
    pid: child.pid,
    stdout: () => stdout,
    stderr: () => errors.text(),
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const code = await child.exited;
      await outputRead;
      errors.close();
      return code;
    },
  };
}

/**
 * Collects the stderr of a process in an unlinked file. Unlike a pipe, the file contains every line that the process
 * wrote before the line just read from stdout.
 */
class ErrorFile {
  readonly fd: number;
  #text: string | null = null;

  constructor() {
    const path = join(tmpdir(), `formstead-stderr-${crypto.randomUUID()}`);
    this.fd = openSync(path, 'ax+', 0o600);
    unlinkSync(path);
  }

  text(): string {
    if (this.#text !== null) return this.#text;
    const bytes = Buffer.alloc(fstatSync(this.fd).size);
    return bytes.toString('utf8', 0, readSync(this.fd, bytes, 0, bytes.length, 0));
  }

  close(): string {
    if (this.#text === null) {
      this.#text = this.text();
      closeSync(this.fd);
    }
    return this.#text;
  }
}
