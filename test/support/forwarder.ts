import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that reached the forwarder. */
export type Forwarded = Readonly<{ method: string; path: string; headers: IncomingMessage['headers'] }>;

/**
 * The answer to a request instead of the server's. `cut` closes the connection before the request is forwarded, `lose`
 * after the server has answered.
 */
export type Fault = Response | 'cut' | 'lose' | undefined;

/** Starts a proxy in front of a server that records requests and can break them. */
export async function startForwarder(
  to: string,
  fault: (request: Forwarded, index: number) => Fault = () => undefined,
) {
  const requests: Forwarded[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks = await Array.fromAsync(incoming as AsyncIterable<Buffer>);
    const request = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers };
    const broken = fault(request, requests.length);
    requests.push(request);
    if (broken === 'cut') return incoming.socket.destroy();
    const { host: _, connection: __, ...headers } = incoming.headers as Record<string, string>;
    const forward = () =>
      fetch(to + request.path, {
        method: request.method,
        headers,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
        redirect: 'manual',
      });
    const response = broken instanceof Response ? broken : await forward();
    const body = await response.bytes();
    if (broken === 'lose') return incoming.socket.destroy();
    // On a connection that was used before, Bun's fetch repeats a request that the server cut off.
    outgoing.shouldKeepAlive = false;
    const kept = [...response.headers].filter(([name]) => !['content-encoding', 'transfer-encoding'].includes(name));
    outgoing.writeHead(response.status, Object.fromEntries(kept)).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
