/** A request that a receiver got. */
export type Received = Readonly<{ path: string; headers: Headers; body: string }>;

type Answer = (request: Received) => Response | Promise<Response>;

/** An endpoint of webhooks. It answers with 200, or with the answers of `next`, one after the other. */
export class Receiver {
  readonly received: Received[] = [];
  readonly next: Answer[] = [];
  /** The answer when `next` is empty. */
  usual: Answer = () => new Response('ok');
  readonly #server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const received = { path: pathname, headers: request.headers, body: await request.text() };
      this.received.push(received);
      return (this.next.shift() ?? this.usual)(received);
    },
  });

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** The events received, parsed. */
  get events() {
    return this.received.map(({ body }) => JSON.parse(body));
  }

  stop = () => this.#server.stop(true);
}
