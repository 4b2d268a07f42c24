import type { Instance, Owner } from '../../support/instance.ts';
import { until } from '../../support/until.ts';

type Bytes = string | Uint8Array;

/** The first lines of a post to `id`, on a connection that ends with the answer. */
export function head(id: string, ...headers: string[]): string {
  const lines = ['Host: localhost', 'Connection: close', ...headers];
  return `POST /v1/forms/${id}/submissions HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** A body in chunked transfer coding, so that its length is not declared. */
export function chunked(...pieces: string[]): string {
  const chunks = pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`);
  return `${chunks.join('')}0\r\n\r\n`;
}

/** Bytes to send, now, once they are there, or once such a text has been answered. */
type Piece = Bytes | Promise<Bytes> | ((answered: () => string) => Promise<Bytes>);

/** Sends these bytes over a connection of their own, each piece in its own write, and reads the answer. */
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
 * Sends these bytes over each of so many connections, closes them, and waits until the server has logged each unreadable
 * body.
 */
export async function breakOff({ url, logs }: Instance, bytes: Bytes, connections = 1): Promise<void> {
  const before = logs.length;
  const { hostname, port } = new URL(url);
  const breakOne = async () => {
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data: () => {} } });
    await writeAll(socket, bytes);
    socket.end();
  };
  await Promise.all(Array.from({ length: connections }, breakOne));
  const noticed = () => logs.slice(before).filter((line) => line.includes('unreadable_body')).length;
  await until(() => noticed() >= connections, 'the server to notice that the client has gone');
}

/** Posts to the owner's form with these headers and a body in chunked transfer coding. */
export function postChunked(instance: Instance, { form }: Owner, type: string, ...pieces: string[]): Promise<Response> {
  const headers = [`Content-Type: ${type}`, 'Transfer-Encoding: chunked'];
  return exchange(instance, head(form.id, ...headers), chunked(...pieces));
}

async function writeAll(socket: Bun.Socket, piece: Bytes): Promise<void> {
  for (let rest = Buffer.from(piece); rest.length > 0; ) {
    rest = rest.subarray(Math.max(0, socket.write(rest)));
    socket.flush();
    // The server, which is in this process, gets to read it.
    await Bun.sleep(0);
  }
}

/** Reads the bytes of one answer. */
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
