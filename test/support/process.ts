import { join } from 'node:path';
import { binaryOfSource } from './binary.ts';

/** How the program is started, and where; as the binary of this source unless a test says otherwise: it starts faster. */
export type Program = Readonly<{ command: readonly string[]; cwd?: string }>;

export const FROM_SOURCE: Program = { command: ['bun', join(import.meta.dir, '../../src/main.ts')] };

export const fromBinary = async (): Promise<Program> => ({ command: [await binaryOfSource()] });

export type Outcome = Readonly<{ code: number; stdout: string; stderr: string }>;

/** Runs one command as a process of its own, in `dataDir`, with nothing of this environment but PATH. */
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

export type ServerProcess = Readonly<{
  url: string;
  pid: number;
  /** Everything written so far. */
  stdout: () => string;
  stderr: () => string;
  /** Sends the signal and resolves with the exit code (null after SIGKILL). */
  end: (signal?: NodeJS.Signals) => Promise<number | null>;
}>;

/** Starts `formstead serve` as a process of its own on a free port, and waits until it listens. */
export async function spawnServer(
  dataDir: string,
  env: Record<string, string> = {},
  program?: Program,
): Promise<ServerProcess> {
  const { command, ...place } = program ?? (await fromBinary());
  const child = Bun.spawn([...command, 'serve'], {
    ...place,
    env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir, PORT: '0', POSTS_PER_MINUTE: '0', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  const gather = async (stream: ReadableStream<Uint8Array>, add: (text: string) => void) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
  };
  const gathered = Promise.all([
    gather(child.stdout, (text) => {
      stdout += text;
    }),
    gather(child.stderr, (text) => {
      stderr += text;
    }),
  ]);
  for (;;) {
    const line = stdout.split('\n').find((text) => text.includes('"message":"listening"'));
    if (line) {
      const { url } = JSON.parse(line) as { url: string };
      // What was said before that, on the other stream, may still be on its way.
      await Bun.sleep(50);
      return {
        url,
        pid: child.pid,
        stdout: () => stdout,
        stderr: () => stderr,
        end: async (signal = 'SIGTERM') => {
          child.kill(signal);
          const code = await child.exited;
          await gathered;
          return code;
        },
      };
    }
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) throw new Error(`the server ended with ${end}: ${stdout}${stderr}`);
    await Bun.sleep(5);
  }
}
