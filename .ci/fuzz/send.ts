import { exchange, head } from '../../test/fast/visitor/wire.ts';
import type { HostilePost } from './hostile.ts';

/** Sends the post and returns the status of the response; 0 if the client disconnected early. */
export async function sendHostile(url: string, formId: string, post: HostilePost): Promise<number> {
  const { headers, body, framing } = post;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (framing === 'broken off') {
    await hangUp(url, Buffer.from(head(formId, ...lines, `Content-Length: ${body.length + 10}`)), body);
    return 0;
  }
  if (framing !== 'declared') {
    const chunks = inChunks(body, framing === 'dripped' ? 1 : Math.max(1, Math.ceil(body.length / 2)));
    return (await exchange({ url }, head(formId, ...lines, 'Transfer-Encoding: chunked'), chunks)).status;
  }
  const answer = await fetch(`${url}/v1/forms/${formId}/submissions`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

function inChunks(body: Buffer, bytes: number): Buffer {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < body.length; start += bytes) {
    const piece = body.subarray(start, start + bytes);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, CRLF);
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}

const CRLF = Buffer.from('\r\n');

async function hangUp(url: string, ...pieces: Buffer[]): Promise<void> {
  const { hostname, port } = new URL(url);
  await new Promise<void>((resolve, reject) => {
    const open = (socket: Bun.Socket) => {
      for (const piece of pieces) socket.write(piece);
      socket.end();
    };
    const socket = { open, data: () => {}, close: () => resolve(), error: () => resolve() };
    Bun.connect({ hostname, port: Number(port), socket }).catch(reject);
  });
}
