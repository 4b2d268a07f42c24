import { join } from 'node:path';

/** The result of one run of wrk. Latencies are in milliseconds, `clientCpu` is in cores. */
export type Load = Readonly<{
  perSecond: number;
  requests: number;
  p50: number;
  p99: number;
  p999: number;
  clientCpu: number;
}>;

type Options = Readonly<{ connections: number; seconds: number; script: string; args?: readonly string[] }>;

/** Later answers count as failures. The slowest peer takes seconds on a busy machine. */
const TIMEOUT_SECONDS = 30;

/** Runs wrk with one thread against a URL. Throws unless every answer was a 2xx. */
export async function runWrk(url: string, { connections, seconds, script, args = [] }: Options): Promise<Load> {
  const options = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    `--timeout=${TIMEOUT_SECONDS}s`,
    '-s',
    join(import.meta.dir, script),
  ];
  const child = Bun.spawn(['wrk', ...options, url, '--', ...args], { stdout: 'pipe', stderr: 'inherit' });
  const output = await new Response(child.stdout).text();
  await child.exited;
  const line = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(output);
  if (!line) throw new Error(`wrk printed no result:\n${output}`);
  const [requests = 0, micros = 0, failures = 0, p50 = 0, p99 = 0, p999 = 0] = line.slice(1).map(Number);
  // A slow peer with many connections may finish no request in time.
  if (requests === 0 && seconds < TIMEOUT_SECONDS)
    return runWrk(url, { connections, seconds: seconds * 2, script, args });
  if (requests === 0) throw new Error(`no answer in ${seconds} s at ${connections} connections`);
  if (failures > 0) throw new Error(`${failures} answers of ${requests} were not 2xx`);
  const cpuMicros = Number(child.resourceUsage()?.cpuTime.total ?? 0);
  return {
    perSecond: (requests / micros) * 1e6,
    requests,
    p50: p50 / 1000,
    p99: p99 / 1000,
    p999: p999 / 1000,
    clientCpu: cpuMicros / micros,
  };
}
