import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a server, as an address that moves to another server. */
export type TcpProxy = Readonly<{
  url: string;
  /** Loses all data from now on without closing a connection, as a network that fails does. */
  cut: () => void;
  /** Keeps answers and the ends of connections until `release`, which delivers them at once and ends the connections. */
  hold: () => void;
  release: () => void;
  /** Keeps what a connection sends from a piece with `text` on, until `resume`. */
  stallAt: (text: string) => void;
  /** Returns the number of connections that wait for `resume`. */
  stalled: () => number;
  resume: () => void;
  /** Closes all connections, and forwards new ones to the server at `url`. */
  moveTo: (url: string) => void;
  stop: () => void;
}>;

/** Starts a proxy to the server at `to`. It holds answers back for `delayMs`. */
export async function startTcpProxy(to: string, delayMs = 0): Promise<TcpProxy> {
  let target = new URL(to);
  let isCut = false;
  let held: Map<Socket, Buffer[]> | null = null;
  let stallText: string | null = null;
  const stalled = new Map<Socket, Buffer[]>();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const close = () => {
      for (const socket of [client, upstream]) {
        socket.destroy();
        sockets.delete(socket);
      }
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', close);
      // The end of a connection is lost with its data.
      socket.on('close', () => isCut || held?.has(client) || close());
    }
    const forward = (from: Socket, into: Socket, delay: number) =>
      from.on('data', (data: Buffer) => {
        if (isCut) return;
        const isStalled = stallText !== null && (stalled.has(into) || data.includes(stallText));
        if (isStalled && into === upstream) return stalled.set(into, [...(stalled.get(into) ?? []), data]);
        if (held && into === client) return held.set(client, [...(held.get(client) ?? []), data]);
        if (delay > 0) setTimeout(() => into.write(data), delay);
        else into.write(data);
      });
    forward(client, upstream, 0);
    forward(upstream, client, delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closeAll = () => {
    isCut = false;
    for (const socket of sockets) socket.destroy();
  };
  const through = new URL(to);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    cut: () => {
      isCut = true;
    },
    hold: () => {
      held = new Map();
    },
    release: () => {
      for (const [client, data] of held ?? []) client.end(Buffer.concat(data));
      held = null;
    },
    stallAt: (text) => {
      stallText = text;
    },
    stalled: () => stalled.size,
    resume: () => {
      for (const [upstream, data] of stalled) upstream.write(Buffer.concat(data));
      stalled.clear();
      stallText = null;
    },
    moveTo: (url) => {
      target = new URL(url);
      closeAll();
    },
    stop: () => {
      server.close();
      closeAll();
    },
  };
}
