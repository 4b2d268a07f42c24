import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from '../../test/support/process.ts';

/** Peak memory, latencies of `/healthz` in ascending order, and answers by status during a load. */
export type Figures = Readonly<{
  load: string;
  memoryMiB: number;
  latencies: readonly number[];
  answers: ReadonlyMap<number, number>;
}>;

/** Loads a server and records its memory, answers and latencies. */
export class Flood {
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

  /** Posts JSON, or another type of body, to a form. */
  async post(formId: string, body: string, type = 'application/json'): Promise<number> {
    const headers = { 'Content-Type': type, 'X-Forwarded-For': this.#nextClient() };
    const url = `${this.server.url}/v1/forms/${formId}/submissions`;
    const { status } = await fetch(url, { method: 'POST', headers, body });
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
