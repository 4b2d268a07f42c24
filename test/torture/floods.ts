import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../bench/report.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';
import { createTestData, newFolder, WAIT_TIMEOUT_MS } from './harness.ts';

const MiB = 1024 * 1024;
const MAX_MEMORY_MIB = 300;
const MAX_HEALTH_MS = 100;
const FORM = 'Content-Type: application/x-www-form-urlencoded';

/**
 * Numbers of unfinished posts to pages and to the public endpoint, bytes of the latter, number of finished posts, and
 * milliseconds that each load lasts at least.
 */
type Size = Readonly<{ pages: number; posts: number; postBytes: number; texts: number; minMs: number }>;

const SIZE: Size = { pages: 3_000, posts: 500, postBytes: MiB, texts: 100, minMs: 10_000 };

/** Peak memory, latencies of `/healthz` in ascending order, and answers by status during a load. */
type Figures = Readonly<{
  load: string;
  memoryMiB: number;
  latencies: readonly number[];
  answers: ReadonlyMap<number, number>;
}>;

/** Floods a server with unfinished and costly posts. Returns true if it stays small and responsive, and recovers. */
export async function floods(report: Report, progress: (text: string) => void): Promise<boolean> {
  const figures = await flood(SIZE, progress);
  const p99 = ({ latencies }: Figures) => latencies[Math.floor(latencies.length * 0.99)] ?? 0;
  const faults = figures.flatMap((one) => [
    ...(one.memoryMiB > MAX_MEMORY_MIB ? [`${one.load}: ${one.memoryMiB.toFixed(0)} MiB`] : []),
    ...(p99(one) > MAX_HEALTH_MS ? [`${one.load}: ${p99(one).toFixed(0)} ms`] : []),
  ]);
  report.section(
    'Floods of posts',
    [
      ['load', 'answers', 'memory, MiB', '/healthz p50, ms', 'p99', 'max'],
      ...figures.map((one) => [
        one.load,
        Array.from(one.answers, ([status, count]) => `${count} × ${status}`).join(', ') || 'none yet',
        one.memoryMiB.toFixed(0),
        ...[one.latencies[one.latencies.length >> 1] ?? 0, p99(one), one.latencies.at(-1) ?? 0].map((ms) =>
          ms.toFixed(1),
        ),
      ]),
    ],
    [
      'Each connection has an address of its own, and unfinished bodies lack their last byte. In the end a post of 1 MiB from a new address is accepted again.',
      `Memory must stay below ${MAX_MEMORY_MIB} MiB, and the 99th percentile of /healthz below ${MAX_HEALTH_MS} ms.`,
      faults.length === 0 ? 'Passed.' : `Failed: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

/** Runs the loads one after the other, each on top of those before. Throws if the server does not recover. */
export async function flood(
  { pages, posts, postBytes, texts, minMs }: Size,
  progress: (text: string) => void = () => {},
  env: Record<string, string> = {},
): Promise<Figures[]> {
  const folder = newFolder();
  const testData = await createTestData(folder);
  const server = await spawnServer(folder, { TRUSTED_PROXIES: '127.0.0.1', PAGES_PER_MINUTE: '600', ...env });
  const run = new Flood(server, minMs);
  const submissions = `/v1/forms/${testData.formId}/submissions`;
  try {
    const encoded = Array.from({ length: 11 }, (_, field) => `f${field}=${'%C2%AB'.repeat(15_000)}`).join('&');
    const json = JSON.stringify(Object.fromEntries([1, 2, 3, 4].map((field) => [field, '«'.repeat(130_000)])));
    progress('costly texts');
    await run.load(`${texts} posts of quotation marks, 1 MiB each`, async () => {
      for (let turn = 0; turn < texts; turn++) {
        const [type, body] =
          turn % 2 === 0 ? ['application/x-www-form-urlencoded', encoded] : ['application/json', json];
        await run.post(submissions, type, body);
      }
    });
    progress('unfinished posts to open pages');
    await run.load(`${pages} unfinished posts of 16 KiB to open pages`, () =>
      run.open(pages, '/dashboard/sign-in', ['Sec-Fetch-Site: same-origin', FORM], Buffer.alloc(16_383, 'a')),
    );
    progress('unfinished posts to the public endpoint');
    await run.load(`${posts} unfinished posts of ${postBytes / 1024} KiB to the public endpoint`, () =>
      run.open(posts, submissions, [FORM], Buffer.alloc(postBytes - 1, 'a')),
    );
    progress('waiting until the server accepts a post again');
    await run.load('until a post of 1 MiB is accepted', () =>
      until(async () => (await run.post(submissions, 'application/json', json)) === 200, 'a post', WAIT_TIMEOUT_MS),
    );
    return run.figures;
  } finally {
    run.close();
    await server.end();
    rmSync(folder, { recursive: true });
  }
}

class Flood {
  readonly figures: Figures[] = [];
  readonly #sockets: Bun.Socket[] = [];
  readonly #probe: Worker;
  #answers = new Map<number, number>();
  #clients = 0;

  constructor(
    private readonly server: ServerProcess,
    private readonly minMs: number,
  ) {
    const env = { HEALTH_URL: `${server.url}/healthz` };
    this.#probe = new Worker(join(import.meta.dir, 'health-probe.ts'), { env });
  }

  /** Runs a load and records its figures. */
  async load(load: string, work: () => Promise<unknown>): Promise<void> {
    this.#answers = new Map();
    await this.#latencies();
    let memory = 0;
    const sample = () => {
      memory = Math.max(memory, this.#residentMiB());
    };
    const timer = setInterval(sample, 20);
    await Promise.all([work(), Bun.sleep(this.minMs)]);
    sample();
    clearInterval(timer);
    const latencies = (await this.#latencies()).sort((a, b) => a - b);
    this.figures.push({ load, memoryMiB: memory, latencies, answers: this.#answers });
  }

  /** Opens connections that send a body without its last byte, until the server has all of them or has answered. */
  async open(count: number, path: string, headers: readonly string[], body: Buffer): Promise<void> {
    const { hostname, port } = new URL(this.server.url);
    const answers = this.#answers;
    for (let opened = 0; opened < count; opened++) {
      const lines = [`Host: ${hostname}`, ...headers, `X-Forwarded-For: ${this.#nextClient()}`];
      const head = `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: ${body.length + 1}\r\n\r\n`;
      const socket = await Bun.connect({
        hostname,
        port: Number(port),
        socket: { data: (_, bytes) => note(answers, Number(bytes.toString('latin1', 9, 12))), error: () => {} },
      });
      this.#sockets.push(socket);
      await writeAll(socket, Buffer.concat([Buffer.from(head), body]));
    }
  }

  async post(path: string, type: string, body: string): Promise<number> {
    const headers = { 'Content-Type': type, 'X-Forwarded-For': this.#nextClient() };
    const { status } = await fetch(this.server.url + path, { method: 'POST', headers, body });
    note(this.#answers, status);
    return status;
  }

  close(): void {
    this.#probe.terminate();
    for (const socket of this.#sockets) socket.terminate();
  }

  #nextClient(): string {
    this.#clients += 1;
    return `198.18.${this.#clients >> 8}.${this.#clients & 255}`;
  }

  #latencies(): Promise<number[]> {
    const { promise, resolve } = Promise.withResolvers<number[]>();
    this.#probe.onmessage = ({ data }) => resolve(data as number[]);
    this.#probe.postMessage('read');
    return promise;
  }

  #residentMiB(): number {
    const status = readFileSync(`/proc/${this.server.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }
}

function note(answers: Map<number, number>, status: number): void {
  answers.set(status, (answers.get(status) ?? 0) + 1);
}

async function writeAll(socket: Bun.Socket, bytes: Buffer): Promise<void> {
  for (let rest = bytes; rest.length > 0; ) {
    rest = rest.subarray(Math.max(0, socket.write(rest)));
    // Lets this process handle answers, and the server read.
    if (rest.length > 0) await Bun.sleep(1);
  }
}
