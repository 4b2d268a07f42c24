import type { Instance, Owner } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { keyOf, parseExposition } from '../instance/exposition.ts';

type Bytes = string | Uint8Array;

/** Returns the request line and first headers of a post to `id`, with Connection: close. */
export function head(id: string, ...headers: string[]): string {
  const lines = ['Host: localhost', 'Connection: close', ...headers];
  return `POST /v1/forms/${id}/submissions HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Encodes a body in chunked transfer coding, without a declared length. */
export function chunked(...pieces: string[]): string {
  const chunks = pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`);
  return `${chunks.join('')}0\r\n\r\n`;
}

/** Bytes to send: immediately, when a promise resolves, or depending on the response received until then. */
type Piece = Bytes | Promise<Bytes> | ((received: () => string) => Promise<Bytes>);

/** Sends the pieces over a new connection, each in its own write, and reads the response. */
export async function exchange({ url }: Pick<Instance, 'url'>, ...pieces: Piece[]): Promise<Response> {
  const received: Buffer[] = [];
  const { hostname, port } = new URL(url);
  await new Promise<void>((resolve, reject) => {
    const data = (_socket: unknown, bytes: Buffer) => void received.push(Buffer.from(bytes));
    const open = async (socket: Bun.Socket) => {
      socket.setNoDelay(true);
      const answered = () => Buffer.concat(received).toString('latin1');
      for (const piece of pieces) await writeAll(socket, await (typeof piece === 'function' ? piece(answered) : piece));
    };
    const error = (_socket: unknown, reason: Error) => reject(reason);
    Bun.connect({ hostname, port: Number(port), socket: { open, data, close: () => resolve(), error } }).catch(reject);
  });
  return toResponse(Buffer.concat(received));
}

/**
 * Sends the bytes over each of `connections`, closes them, and waits until the server has counted each unreadable
 * body.
 */
export async function breakOff({ url }: Instance, bytes: Bytes, connections = 1): Promise<void> {
  const before = await unreadableBodies(url);
  const { hostname, port } = new URL(url);
  const breakOne = async () => {
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data: () => {} } });
    await writeAll(socket, bytes);
    socket.end();
  };
  await Promise.all(Array.from({ length: connections }, breakOne));
  await until(async () => (await unreadableBodies(url)) >= before + connections, 'the server to count the disconnects');
}

async function unreadableBodies(url: string): Promise<number> {
  const { values } = parseExposition(await (await fetch(`${url}/metrics`)).text());
  return values.get(keyOf('formstead_submissions_refused_total', { reason: 'unreadable_body' })) ?? 0;
}

/** Posts a body in chunked transfer coding to the owner's form with these headers. */
export function postChunked(instance: Instance, { form }: Owner, type: string, ...pieces: string[]): Promise<Response> {
  const headers = [`Content-Type: ${type}`, 'Transfer-Encoding: chunked'];
  return exchange(instance, head(form.id, ...headers), chunked(...pieces));
}

async function writeAll(socket: Bun.Socket, piece: Bytes): Promise<void> {
  for (let rest = Buffer.from(piece); rest.length > 0; ) {
    rest = rest.subarray(Math.max(0, socket.write(rest)));
    socket.flush();
    // Yield, so that the server in this process can read it.
    await Bun.sleep(0);
  }
}

/** Parses the bytes of one response. */
export function toResponse(bytes: Buffer): Response {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Response(bytes.subarray(end + 4), { status, headers });
}
