import { connect, type Socket } from 'node:net';
import { UNTIL_MS } from '../support/speed.ts';

/** One answer as it came. `isBodiless` where it says how long it would be and goes without, as to HEAD. */
export type Answer = Readonly<{ status: number; headers: Headers; body: Buffer; isBodiless: boolean }>;

/** A connection this quiet is left. Inputs need no answer, so a later one is not missed. */
const QUIET_MS = 60;
const PATIENCE_MS = Math.max(UNTIL_MS, 20_000);

/** A bare connection, on which any bytes go out. What comes back is read as HTTP/1.1, and throws where it is none. */
export class Connection {
  readonly #socket: Socket;
  readonly #received: Buffer[] = [];
  #isClosed = false;
  #stir: () => void = () => {};

  private constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
    this.#socket.on('data', (bytes) => {
      this.#received.push(Buffer.from(bytes));
      this.#stir();
    });
    const close = () => {
      this.#isClosed = true;
      this.#stir();
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

  /** Of an answer to HEAD it has to be told. Throws where the other side does not close. */
  async untilClosed(toHead: readonly boolean[]): Promise<Answer[]> {
    const late = performance.now() + PATIENCE_MS;
    while (!this.#isClosed && performance.now() < late) await this.#stirred(PATIENCE_MS);
    const isClosed = this.#isClosed;
    this.#socket.destroy();
    if (!isClosed)
      throw new Error(`it was not closed: ${Buffer.concat(this.#received).toString('latin1').slice(0, 300)}`);
    return readAnswers(Buffer.concat(this.#received), toHead);
  }

  /** Until nothing comes for a while, and closes it. */
  async untilQuiet(): Promise<Answer[]> {
    while (!this.#isClosed && (await this.#stirred(QUIET_MS)));
    this.#socket.destroy();
    return readAnswers(Buffer.concat(this.#received));
  }

  /** Whether something came in that time. */
  async #stirred(within: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), within);
    this.#stir = () => resolve(true);
    const stirred = await promise;
    clearTimeout(timer);
    this.#stir = () => {};
    return stirred;
  }
}

const NEXT = /^HTTP\/1\.1 \d{3}/;

/** `toHead` says which answers have no body; without it one has none where the next follows at once, or nothing does. */
function readAnswers(bytes: Buffer, toHead?: readonly boolean[]): Answer[] {
  const answers: Answer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [line = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3})(?: [\x20-\x7e]*)?$/.exec(line) ?? [];
    if (end === -1 || status === undefined) throw new Error(`no answer: ${rest.toString('latin1', 0, 300)}`);
    const headers = new Headers(
      lines.map((one): [string, string] => {
        const colon = one.indexOf(':');
        return [one.slice(0, colon), one.slice(colon + 1).trim()];
      }),
    );
    rest = rest.subarray(end + 4);
    const declared = Number(headers.get('content-length') ?? 0);
    const looksBare = rest.length === 0 || NEXT.test(rest.toString('latin1', 0, 16));
    const isBodiless = toHead ? toHead[answers.length] === true : declared > 0 && looksBare;
    const isChunked = headers.get('transfer-encoding') === 'chunked' && !isBodiless && !(looksBare && !toHead);
    const [body, length] = isChunked ? unchunked(rest) : [rest.subarray(0, declared), declared];
    if (!isBodiless) rest = rest.subarray(length);
    answers.push({ status: Number(status), headers, body: isBodiless ? Buffer.alloc(0) : body, isBodiless });
  }
  return answers;
}

/** The body and how many bytes it took. */
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
