import type { Clock } from '../../src/lib/clock.ts';
import { type Instance, startInstance } from './instance.ts';

const ATTEMPTS = 10;

/**
 * Starts something on a free port that must be known beforehand. Another program may take the port before `start` does: tries
 * the next one then.
 */
export async function startOnFreePort<Started>(start: (port: number) => Promise<Started>): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(freePort());
    } catch (error) {
      if (attempt === ATTEMPTS || !String(error).includes('EADDRINUSE')) throw error;
    }
  }
}

/** Starts an instance whose `BASE_URL` is its own address. */
export function startAtBaseUrl(env: Record<string, string> = {}, clock?: Clock): Promise<Instance> {
  return startOnFreePort((port) => startInstance({ env: { ...env, ...ownAddress(port) }, ...(clock && { clock }) }));
}

/** Settings of a server that listens on `port`, and whose `BASE_URL` is that address. */
export function ownAddress(port: number): Record<string, string> {
  return { PORT: String(port), BASE_URL: `http://localhost:${port}` };
}

export function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

/** Ports below those that Linux gives to outgoing connections. */
const STABLE_PORTS = { first: 20_000, count: 12_000 };

/** Returns a free port that no outgoing connection takes while its server restarts. */
export function stablePort(): number {
  for (;;) {
    const port = STABLE_PORTS.first + Math.floor(Math.random() * STABLE_PORTS.count);
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // Taken.
    }
  }
}
