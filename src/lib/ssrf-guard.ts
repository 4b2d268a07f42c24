import { type BlockList, isIP } from 'node:net';
import { abortable } from './abortable.ts';
import { containsAddress, isNetwork, parseNetworks } from './networks.ts';

/**
 * Special-purpose networks of the IANA registries, including IPv6 networks that embed IPv4, and Azure's WireServer, an
 * internal service on a public address.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
const NAT64 = '64:ff9b::';
const SPECIAL = parseNetworks([
  ...SPECIAL_IPV4,
  ...SPECIAL_IPV4.map((network) => {
    const [address, bits] = network.split('/');
    return `${NAT64}${address}/${96 + Number(bits)}`;
  }),
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);
const PUBLIC = parseNetworks(['0.0.0.0/0', '2000::/3', `${NAT64}/96`]);

/** A host that requests must not go to. `setting` can allow it. */
export class RefusedHostError extends Error {
  constructor(
    message: string,
    readonly setting: 'ALLOWED_PRIVATE_HOSTS' | 'OUTBOUND_HOSTS',
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** A host that resolves to a non-public address. */
export class PrivateHostError extends RefusedHostError {
  constructor(host: string) {
    super(`${host} resolves to an address that is not public`, 'ALLOWED_PRIVATE_HOSTS');
  }
}

type Resolve = (host: string) => Promise<ReadonlyArray<Readonly<{ address: string }>>>;

type AllowedHosts = Readonly<{ allowedPrivateHosts: readonly string[]; outboundHosts?: readonly string[] }>;

const LOOKUP_TIMEOUT_MS = 5_000;

/** Resolves by /etc/hosts and DNS. The C library's resolver would block a thread that hashing and file I/O need. */
const resolveBySystem: Resolve = (host) => Bun.dns.lookup(host, { backend: 'c-ares' });

/** SSRF guard: resolves hosts of user-supplied URLs and refuses non-public addresses. */
export class SsrfGuard {
  readonly #allowed: HostList;
  readonly #outbound: HostList | null;

  /**
   * Takes host names, addresses and CIDR networks: `allowedPrivateHosts` are permitted although not public, and with a
   * non-empty `outboundHosts` no others than those of both lists are.
   */
  constructor(
    { allowedPrivateHosts, outboundHosts = [] }: AllowedHosts,
    private readonly lookUp = resolveBySystem,
    private readonly lookupTimeoutMs = LOOKUP_TIMEOUT_MS,
  ) {
    this.#allowed = hostList(allowedPrivateHosts);
    this.#outbound = outboundHosts.length > 0 ? hostList([...outboundHosts, ...allowedPrivateHosts]) : null;
  }

  /**
   * Resolves the host of a URL to at least one permitted address, IPv4 first for machines without an IPv6 route. Connect
   * to a returned address instead of resolving again, or DNS rebinding can bypass the check. Throws `RefusedHostError`,
   * `TimeoutError` after `lookupTimeoutMs`, or the resolver's error.
   */
  async resolve({ hostname }: URL): Promise<string[]> {
    const host = bareHost(hostname);
    const records = await abortable(AbortSignal.timeout(this.lookupTimeoutMs), this.lookUp(host));
    const addresses = records.map(({ address }) => address.replace(/%.*$/, '')).toSorted((a, b) => isIP(a) - isIP(b));
    if (!addresses.every((address) => isIP(address)) || addresses.length === 0) throw new Error('no address');
    if (this.#isListed(host, addresses)) return addresses;
    if (!addresses.every((address) => this.#isAllowed(address))) throw new PrivateHostError(host);
    return addresses;
  }

  /** Throws `RefusedHostError` for a host that OUTBOUND_HOSTS leaves out. Applies to an outbound proxy as well. */
  requireListed({ hostname }: URL): void {
    const host = bareHost(hostname);
    if (!this.#outbound || this.#outbound.names.has(host) || containsAddress(this.#outbound.networks, host)) return;
    throw new RefusedHostError(`${host} is not listed`, 'OUTBOUND_HOSTS');
  }

  /** Returns whether the operator allows the host explicitly, by name or by its addresses. False if it does not resolve. */
  async isListed(url: URL): Promise<boolean> {
    const addresses = await this.resolve(url).catch(() => []);
    return this.#isListed(bareHost(url.hostname), addresses);
  }

  #isListed(host: string, addresses: readonly string[]): boolean {
    const { names, networks } = this.#allowed;
    return (
      names.has(host) || (addresses.length > 0 && addresses.every((address) => containsAddress(networks, address)))
    );
  }

  #isAllowed(address: string): boolean {
    return (
      containsAddress(this.#allowed.networks, address) ||
      (containsAddress(PUBLIC, address) && !containsAddress(SPECIAL, address))
    );
  }
}

/** Returns a resolver that looks up each host once, for a command that checks many URLs. */
export function cachingResolver(): Resolve {
  const lookups = new Map<string, ReturnType<Resolve>>();
  return (host) => lookups.getOrInsertComputed(host, resolveBySystem);
}

type HostList = Readonly<{ names: ReadonlySet<string>; networks: BlockList }>;

function hostList(items: readonly string[]): HostList {
  const names = items.filter((item) => !isNetwork(item)).map((name) => name.toLowerCase());
  return { names: new Set(names), networks: parseNetworks(items.filter(isNetwork)) };
}

/** Removes the brackets of an IPv6 address and the dot at the end of a name. */
const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
