import { type BlockList, isIP } from 'node:net';
import { containsAddress, parseNetworks } from '../lib/networks.ts';

/** The server that a request came to, which knows from where. */
export type Peers = Readonly<{ requestIP: (request: Request) => Readonly<{ address: string }> | null }>;

/** Tells from which address a request really comes. */
export class ClientAddress {
  readonly #trusted: BlockList;
  readonly #trustsAny: boolean;

  /** `trustedProxies`: addresses and CIDR networks whose `X-Forwarded-For` is believed. */
  constructor(trustedProxies: readonly string[]) {
    this.#trustsAny = trustedProxies.length > 0;
    this.#trusted = parseNetworks(trustedProxies);
  }

  /** The peer, or behind trusted proxies the last address in `X-Forwarded-For` that is not one of them. */
  of(peer: string, forwardedFor: string | null): string {
    const direct = normalise(peer);
    if (!this.#trustsAny || forwardedFor === null || !containsAddress(this.#trusted, direct)) return direct;
    let client = direct;
    for (const hop of forwardedFor.split(',').reverse()) {
      const address = normalise(hop.trim());
      if (isIP(address) === 0) break;
      client = address;
      if (!containsAddress(this.#trusted, address)) break;
    }
    return client;
  }

  /** Whether what this peer says is believed. */
  trusts(peer: string): boolean {
    return containsAddress(this.#trusted, normalise(peer));
  }

  /** Where a request comes from, shortened; null where the server cannot tell. */
  shortOf(request: Request, server: Peers | null): string | null {
    const peer = server?.requestIP(request)?.address;
    return peer === undefined ? null : shortAddress(this.of(peer, request.headers.get('x-forwarded-for')));
  }
}

/** What one client is counted under: an IPv4 address, or the /64 network that one IPv6 client usually has to itself. */
export function rateName(address: string): string {
  return isIP(address) === 6 ? groupsOf(address).slice(0, 4).join(':') : address;
}

/** An address as it may be kept: of IPv4 the first three numbers, of IPv6 the first three groups. */
export function shortAddress(address: string): string {
  if (isIP(address) === 6) return `${groupsOf(address).slice(0, 3).join(':')}:…`;
  return address.replace(/\.\d+$/, '.x');
}

/** The eight groups of an IPv6 address, without zeros before them. */
function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const missing = address.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0;
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right];
  return groups.map((group) => Number.parseInt(group, 16).toString(16));
}

/** Whether an address is this machine's own, which nobody else can come from. */
export function isLoopback(address: string): boolean {
  return /^(127(\.\d+){3}|::1)$/.test(normalise(address));
}

/** An IPv4 address as a dual-stack socket shows it is the same client; brackets, ports and zones are dropped. */
function normalise(text: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '').toLowerCase();
  if (isIP(address) !== 6) return address;
  // The shortest spelling of RFC 5952, in which every address is written in one way.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const groups = [high, low].map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 255]).join('.');
}
