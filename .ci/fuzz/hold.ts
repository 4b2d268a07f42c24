import { join } from 'node:path';
import type { Held, Ready } from './held-server.ts';
import type { HostilePost } from './hostile.ts';
import { sendHostile } from './send.ts';
import type { Shape } from './shapes.ts';

/** A server in its own process that measures how long its event loop is blocked. */
export class HeldServer {
  readonly #child: Bun.Subprocess;
  #ready: Ready = { url: '', formId: '' };
  #answer: (message: Held | Ready) => void = () => {};

  private constructor() {
    this.#child = Bun.spawn(['bun', join(import.meta.dir, 'held-server.ts')], {
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: (message: Held | Ready) => this.#answer(message),
    });
  }

  static async start(): Promise<HeldServer> {
    const server = new HeldServer();
    server.#ready = (await server.#next()) as Ready;
    return server;
  }

  /** Returns the longest block in milliseconds since the last call. `sleep` blocks the loop first, to calibrate. */
  async held(sleep = 0): Promise<number> {
    const answer = this.#next();
    this.#child.send(sleep);
    return ((await answer) as Held).held;
  }

  /** Posts one body and returns the status and the longest block. */
  async post({ sent: { type, body }, isDripped }: Shape): Promise<Readonly<{ status: number; ms: number }>> {
    await this.held();
    const post: HostilePost = {
      headers: { 'Content-Type': type },
      body: Buffer.from(body),
      framing: isDripped ? 'dripped' : 'declared',
      isTrap: false,
    };
    const status = await sendHostile(this.#ready.url, this.#ready.formId, post);
    return { status, ms: await this.held() };
  }

  async stop(): Promise<void> {
    this.#child.disconnect();
    await this.#child.exited;
  }

  #next(): Promise<Held | Ready> {
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }
}
