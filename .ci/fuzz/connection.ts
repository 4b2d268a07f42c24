import { connect, type Socket } from 'node:net';
import { UNTIL_MS } from '../../test/support/speed.ts';

/** A received response. `isBodiless` if it declares a length but has no body, as for HEAD. */
export type Answer = Readonly<{ status: number; headers: Headers; body: Buffer; isBodiless: boolean }>;

/** Time without data after which a connection is closed. Inputs need no response, so a late one is not missed. */
const QUIET_MS = 60;
const CLOSE_TIMEOUT_MS = Math.max(UNTIL_MS, 20_000);

/** A raw connection. Received bytes are parsed as HTTP/1.1; invalid ones throw. */
export class Connection {
  readonly #socket: Socket;
  readonly #received: Buffer[] = [];
  #isClosed = false;
  #onData: () => void = () => {};

  private constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
    this.#socket.on('data', (bytes) => {
      this.#received.push(Buffer.from(bytes));
      this.#onData();
    });
    const close = () => {
      this.#isClosed = true;
      this.#onData();
    };
    this.#socket.on('end', close).on('close', close).on('error', close);
  }

  static async open(url: string): Promise<Connection> {
    const connection = new Connection(url);
    await new Promise<void>((resolve, reject) => connection.#socket.once('connect', resolve).once('error', reject));
    return connection;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#isClosed && bytes.length > 0) this.#socket.write(bytes);
    await new Promise((resolve) => setImmediate(resolve));
  }

  halfClose(): void {
    this.#socket.end();
  }

  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Returns all responses until the peer closes; throws if it doesn't. `toHead` marks responses to HEAD. */
  async untilClosed(toHead: readonly boolean[]): Promise<Answer[]> {
    const late = performance.now() + CLOSE_TIMEOUT_MS;
    while (!this.#isClosed && performance.now() < late) await this.#hasDataWithin(CLOSE_TIMEOUT_MS);
    const isClosed = this.#isClosed;
    this.#socket.destroy();
    if (!isClosed)
      throw new Error(
        `the connection was not closed: ${Buffer.concat(this.#received).toString('latin1').slice(0, 300)}`,
      );
    return readAnswers(Buffer.concat(this.#received), toHead);
  }

  /** Returns the responses received until the connection is quiet, and closes it. */
  async untilQuiet(): Promise<Answer[]> {
    while (!this.#isClosed && (await this.#hasDataWithin(QUIET_MS)));
    this.#socket.destroy();
    return readAnswers(Buffer.concat(this.#received));
  }

  /** Returns whether data arrived in that time. */
  async #hasDataWithin(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), ms);
    this.#onData = () => resolve(true);
    const hasData = await promise;
    clearTimeout(timer);
    this.#onData = () => {};
    return hasData;
  }
}

const NEXT = /^HTTP\/1\.1 \d{3}/;

/** Parses responses. `toHead` marks those without a body; by default, one without following bytes has none. */
function readAnswers(bytes: Buffer, toHead?: readonly boolean[]): Answer[] {
  const answers: Answer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [line = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3})(?: [\x20-\x7e]*)?$/.exec(line) ?? [];
    if (end === -1 || status === undefined) throw new Error(`not a response: ${rest.toString('latin1', 0, 300)}`);
    const headers = new Headers(
      lines.map((one): [string, string] => {
        const colon = one.indexOf(':');
        return [one.slice(0, colon), one.slice(colon + 1).trim()];
      }),
    );
    rest = rest.subarray(end + 4);
    const declared = Number(headers.get('content-length') ?? 0);
    const hasNoBody = rest.length === 0 || NEXT.test(rest.toString('latin1', 0, 16));
    const isBodiless = toHead ? toHead[answers.length] === true : declared > 0 && hasNoBody;
    const isChunked = headers.get('transfer-encoding') === 'chunked' && !isBodiless && !(hasNoBody && !toHead);
    const [body, length] = isChunked ? unchunked(rest) : [rest.subarray(0, declared), declared];
    if (!isBodiless) rest = rest.subarray(length);
    answers.push({ status: Number(status), headers, body: isBodiless ? Buffer.alloc(0) : body, isBodiless });
  }
  return answers;
}

/** Returns the body and its length on the wire. */
function unchunked(bytes: Buffer): [body: Buffer, length: number] {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return [Buffer.concat(pieces), bytes.length];
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    pieces.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 4 + size;
    if (size === 0) return [Buffer.concat(pieces), at];
  }
}
