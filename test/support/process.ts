import { join } from 'node:path';

const MAIN = join(import.meta.dir, '../../src/main.ts');

export type Outcome = Readonly<{ code: number; stdout: string; stderr: string }>;

/** Runs one command as a process of its own, in `dataDir`, with nothing of this environment but PATH. */
export async function formstead(
  dataDir: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const child = Bun.spawn(['bun', MAIN, ...args], {
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

/**
 * Starts `formstead serve` as a process of its own on a free port, and waits until it listens. `bun` is the command that
 * runs it.
 */
export async function spawnServer(
  dataDir: string,
  env: Record<string, string> = {},
  bun: readonly string[] = ['bun'],
): Promise<ServerProcess> {
  const child = Bun.spawn([...bun, MAIN, 'serve'], {
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
      return {
        url,
        pid: child.pid,
        stdout: () => stdout,
        stderr: () => stderr,
        end: async (signal = 'SIGTERM') => {
          child.kill(signal);
          await child.exited;
          await gathered;
          return child.exitCode;
        },
      };
    }
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${stdout}${stderr}`);
    await Bun.sleep(5);
  }
}
