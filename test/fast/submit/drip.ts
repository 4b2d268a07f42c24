import type { Instance } from '../../support/instance.ts';
import { toResponse } from './wire.ts';

/** A connection that `drip` holds: open once it is made, and closed once the server has closed it. */
type Dripping = Readonly<{
  opened: Promise<void>;
  /** The answer; null where the server closed without one. */
  closed: Promise<Response | null>;
}>;

/**
 * Sends `start` over a connection of its own, then a piece every `everyMs` until the server says something or closes
 * the connection; never closes it itself.
 */
export function drip({ url }: Pick<Instance, 'url'>, start: string, piece: string, everyMs: number): Dripping {
  const { hostname, port } = new URL(url);
  const received: Buffer[] = [];
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<Response | null>();
  // How long the pause is decides nothing: what stops it is the server.
  let timer: Timer;
  const socket = {
    open: (connection: Bun.Socket) => {
      connection.write(start);
      timer = setInterval(() => connection.write(piece), everyMs);
      opened.resolve();
    },
    data: (_connection: Bun.Socket, bytes: Buffer) => {
      clearInterval(timer);
      received.push(Buffer.from(bytes));
    },
    close: () => {
      clearInterval(timer);
      closed.resolve(received.length > 0 ? toResponse(Buffer.concat(received)) : null);
    },
    error: (_connection: Bun.Socket, reason: Error) => closed.reject(reason),
  };
  Bun.connect({ hostname, port: Number(port), socket }).catch(opened.reject);
  return { opened: opened.promise, closed: closed.promise };
}
