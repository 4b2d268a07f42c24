import type { Clock } from '../../../src/lib/clock.ts';
import { type Instance, startInstance } from '../../support/instance.ts';

const ATTEMPTS = 5;

/** Starts an instance whose `BASE_URL` is its own address. Another program may take the free port first: tries the next one. */
export async function startAtBaseUrl(env: Record<string, string> = {}, clock?: Clock): Promise<Instance> {
  for (let attempt = 1; ; attempt++) {
    const port = freePort();
    const own = { PORT: String(port), BASE_URL: `http://localhost:${port}` };
    try {
      return await startInstance({ env: { ...env, ...own }, ...(clock && { clock }) });
    } catch (error) {
      if (attempt === ATTEMPTS || !String(error).includes('in use')) throw error;
    }
  }
}

function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}
