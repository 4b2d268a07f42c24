import { type BlockList, isIP } from 'node:net';
import { containsAddress, ipv6Groups, parseNetworks } from '../lib/networks.ts';

/** Addresses of `X-Forwarded-For` that are looked at, from the right. */
const MAX_HOPS = 20;

/** The part of the server that knows the peer address of a request. */
export type Peers = Readonly<{ requestIP: (request: Request) => Readonly<{ address: string }> | null }>;

/** Resolves client addresses behind trusted proxies. */
export class ClientAddress {
  readonly #trusted: BlockList;
  readonly #trustsAny: boolean;

  /** `trustedProxies` lists addresses and CIDR networks whose `X-Forwarded-For` is used. */
  constructor(trustedProxies: readonly string[]) {
    this.#trustsAny = trustedProxies.length > 0;
    this.#trusted = parseNetworks(trustedProxies);
  }

  /** Returns the peer or, for a trusted proxy, the last address in `X-Forwarded-For` that is not a trusted proxy. */
  of(peer: string, forwardedFor: string | null): string {
    const direct = normalize(peer);
    if (!this.#trustsAny || forwardedFor === null || !containsAddress(this.#trusted, direct)) return direct;
    let client = direct;
    for (const hop of forwardedFor.split(',').slice(-MAX_HOPS).reverse()) {
      const address = normalize(hop.trim());
      if (isIP(address) === 0) break;
      client = address;
      if (!containsAddress(this.#trusted, address)) break;
    }
    return client;
  }

  /** Returns whether the peer is a trusted proxy. */
  trusts(peer: string): boolean {
    return containsAddress(this.#trusted, normalize(peer));
  }

  /** Returns the client address of a request, or null if the server does not know the peer. */
  ofRequest(request: Request, server: Peers | null): string | null {
    const peer = server?.requestIP(request)?.address;
    return peer === undefined ? null : this.of(peer, request.headers.get('x-forwarded-for'));
  }

  /** Returns the shortened client address of a request, or null if the server does not know the peer. */
  shortOf(request: Request, server: Peers | null): string | null {
    const address = this.ofRequest(request, server);
    return address === null ? null : shortAddress(address);
  }
}

/** Shortens an address for storage to three numbers (IPv4) or three groups (IPv6). */
export function shortAddress(address: string): string {
  if (isIP(address) === 6) return `${ipv6Groups(address).slice(0, 3).join(':')}:…`;
  return address.replace(/\.\d+$/, '.x');
}

/** Returns whether an address is a loopback address. */
export const isLoopback = (address: string): boolean => /^(127(\.\d+){3}|::1)$/.test(normalize(address));

/** Removes brackets, port and zone, and converts an IPv4-mapped IPv6 address to IPv4. */
function normalize(text: string): string {
  if (isIP(text) === 4) return text;
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '').toLowerCase();
  if (isIP(address) !== 6) return address;
  // URL returns the canonical form of RFC 5952.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const groups = [high, low].map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 255]).join('.');
}
