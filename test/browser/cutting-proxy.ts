import { connect, createServer, type Socket } from 'node:net';
import { Prng } from '../../.ci/fuzz/prng.ts';

/** Counts of requests by the moment at which their connection was cut. */
type Cuts = Record<(typeof MOMENTS)[number], number>;

const MOMENTS = ['none', 'none', 'request', 'response', 'response', 'time'] as const;

export type CuttingProxy = Readonly<{ url: string; cuts: Cuts; close: () => void }>;

/** Bytes of a request or response that pass before a cut; longer ones than those of the tests pass as a whole. */
const MAX_REQUEST_BYTES = 1_500;
const MAX_RESPONSE_BYTES = 500;
const MAX_MS = 6;

/**
 * Starts a proxy to the server at `target` that cuts two of three connections at random: after some bytes of the request,
 * after some bytes of the response, or after some milliseconds.
 */
export async function startCuttingProxy(target: string, seed: number): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const random = new Prng(seed);
  const cuts: Cuts = { none: 0, request: 0, response: 0, time: 0 };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let left = { request: Number.POSITIVE_INFINITY, response: Number.POSITIVE_INFINITY };
    const cut = () => {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    };
    const plan = () => {
      left = { request: Number.POSITIVE_INFINITY, response: Number.POSITIVE_INFINITY };
      const moment = random.pick(MOMENTS);
      cuts[moment] += 1;
      if (moment === 'request') left.request = random.below(MAX_REQUEST_BYTES);
      if (moment === 'response') left.response = random.below(MAX_RESPONSE_BYTES);
      if (moment === 'time') setTimeout(cut, random.below(MAX_MS));
    };
    const forward = (bytes: Buffer, to: Socket, side: 'request' | 'response') => {
      if (bytes.length <= left[side]) to.write(bytes);
      else to.write(bytes.subarray(0, left[side]), cut);
      left[side] -= bytes.length;
    };
    client.on('data', (bytes: Buffer) => {
      // A connection carries several requests, one after another.
      if (/^(POST|OPTIONS) \//.test(bytes.toString('latin1', 0, 16))) plan();
      forward(bytes, upstream, 'request');
    });
    upstream.on('data', (bytes: Buffer) => forward(bytes, client, 'response'));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    cuts,
    close: () => {
      server.close();
    },
  };
}
