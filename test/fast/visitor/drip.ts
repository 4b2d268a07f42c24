import type { Instance } from '../../support/instance.ts';
import { toResponse } from './wire.ts';

/** A connection of `drip`. `opened` and `closed` resolve when it is established and when the server has closed it. */
type Dripping = Readonly<{
  opened: Promise<void>;
  /** The response; null if the server closed the connection without one. */
  closed: Promise<Response | null>;
}>;

/**
 * Sends `start` over a new connection, then a piece every `everyMs` until the server responds or closes
 * the connection. It never closes the connection itself.
 */
export function drip({ url }: Pick<Instance, 'url'>, start: string, piece: string, everyMs: number): Dripping {
  const { hostname, port } = new URL(url);
  const received: Buffer[] = [];
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<Response | null>();
  // The length of the pause does not matter; the server ends the loop.
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
