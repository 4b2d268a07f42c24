import { once } from 'node:events';
import { connect } from 'node:net';
import type { OutgoingShares } from './outgoing-shares.ts';
import { type Proxies, proxyFor } from './proxies.ts';
import type { SsrfGuard } from './ssrf-guard.ts';

/**
 * Network access of requests to URLs that users choose. Each must be sent within its share of `shares`, until its answer has
 * been read. Behind an outbound proxy, the proxy must restrict addresses.
 */
export type GuardedNetwork = Readonly<{ ssrfGuard: SsrfGuard; proxies: Proxies; shares: OutgoingShares }>;

/**
 * Sends a request, by default a POST, to a user-supplied URL at an address that the guard has checked, without following redirects. `timeoutMs` covers the
 * whole request. Throws `RefusedHostError`, `TimeoutError`, or the network's error.
 */
export async function guardedFetch(
  { ssrfGuard, proxies }: Pick<GuardedNetwork, 'ssrfGuard' | 'proxies'>,
  url: URL,
  request: Readonly<{
    method?: 'GET' | 'PUT';
    body: string | URLSearchParams;
    headers?: Readonly<Record<string, string>>;
    signal?: AbortSignal;
  }>,
  timeoutMs: number,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
  const { body, headers, ...rest } = request;
  const post = {
    method: 'POST',
    ...rest,
    // A small compressed answer could fill the memory.
    headers: { ...headers, 'Accept-Encoding': 'identity' },
    decompress: false,
    ...(body !== '' && { body }),
    redirect: 'manual',
    signal,
  } satisfies BunFetchRequestInit;
  ssrfGuard.requireListed(url);
  const proxy = proxyFor(proxies, url);
  if (proxy !== null) return fetch(url, { ...post, proxy });
  const addresses = await ssrfGuard.resolve(url);
  return fetchAt(await reachable(addresses, url, signal, timeoutMs / addresses.length), url, post);
}

/** Reads at most `maxBytes` of a response and cancels the rest. Returns fewer if the connection breaks. */
export async function readStart(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      total += chunk.length;
      if (total >= maxBytes) break;
    }
  } catch {
    // The status has arrived, and it alone decides.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** Returns the first address that accepts a connection in its share of the timeout; the last one is not tried. */
async function reachable(addresses: readonly string[], url: URL, signal: AbortSignal, shareMs: number) {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  for (const address of addresses.slice(0, -1)) {
    const share = AbortSignal.any([signal, AbortSignal.timeout(shareMs)]);
    if (await acceptsConnections(address, port, share)) return address;
  }
  return addresses.at(-1) ?? '';
}

/** Connects without sending anything: a request can't be sent to another address afterwards. */
async function acceptsConnections(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal });
    return true;
  } catch {
    return false;
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

/** Fetches from an IP address with the Host header and certificate name of the URL. */
function fetchAt(address: string, url: URL, request: BunFetchRequestInit): Promise<Response> {
  const at = new URL(url);
  at.hostname = address.includes(':') ? `[${address}]` : address;
  // No keep-alive: the connection would be reused for another host at the same address.
  const tls = at.host === url.host ? {} : { serverName: url.hostname };
  return fetch(at, {
    ...request,
    headers: { ...(request.headers as Record<string, string>), Host: url.host },
    tls,
    keepalive: false,
    proxy: false,
  });
}
