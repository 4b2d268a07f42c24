import { type BlockList, isIP } from 'node:net';
import { abortable } from './abortable';
import { containsAddress, isNetwork, parseNetworks } from './networks.ts';

/**
 * What is not the open Internet: IANA's registries of special-purpose addresses, IPv6 networks with IPv4 in them, and the one
 * public address under which machines in a cloud find what is theirs alone (Azure's wire server).
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

/** Names a host and says that what it leads to is not open to the world. */
export class PrivateHostError extends Error {
  constructor(host: string) {
    super(`${host} leads to an address that is not public`);
    this.name = 'PrivateHostError';
  }
}

type Resolve = (host: string) => Promise<ReadonlyArray<Readonly<{ address: string }>>>;

const LOOKUP_TIMEOUT_MS = 5_000;

/** By /etc/hosts and DNS, and not by the C library, which holds a thread that hashing and reading files need too. */
const resolveBySystem: Resolve = (host) => Bun.dns.lookup(host, { backend: 'c-ares' });

/** Where requests may go whose address somebody else chose. */
export class SsrfGuard {
  readonly #names: ReadonlySet<string>;
  readonly #networks: BlockList;
  readonly #resolve: Resolve;
  readonly #lookupMs: number;

  /** `allowed`: host names, addresses and CIDR networks that may be asked although they are not public. */
  constructor(allowed: readonly string[], resolve = resolveBySystem, lookupTimeoutMs = LOOKUP_TIMEOUT_MS) {
    this.#names = new Set(allowed.filter((item) => !isNetwork(item)).map((name) => name.toLowerCase()));
    this.#networks = parseNetworks(allowed.filter(isNetwork));
    this.#resolve = resolve;
    this.#lookupMs = lookupTimeoutMs;
  }

  /**
   * The addresses of the host of a URL, at least one, all of which may be asked. Who connects to one of them, and asks for the name no second
   * time, cannot be led elsewhere. IPv4 comes first: a machine without a way to IPv6 would wait for it. Throws `PrivateHostError`,
   * `TimeoutError` after `lookupMs`, and what resolving throws.
   */
  async resolve({ hostname }: URL): Promise<string[]> {
    const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const records = await abortable(AbortSignal.timeout(this.#lookupMs), this.#resolve(host));
    const addresses = records
      .map(({ address }) => address.replace(/%.*$/, ''))
      .toSorted((one, other) => isIP(one) - isIP(other));
    if (!addresses.every((address) => isIP(address)) || addresses.length === 0) throw new Error('no address');
    if (!this.#names.has(host) && !addresses.every((address) => this.#takes(address))) throw new PrivateHostError(host);
    return addresses;
  }

  #takes(address: string): boolean {
    return (
      containsAddress(this.#networks, address) ||
      (containsAddress(PUBLIC, address) && !containsAddress(SPECIAL, address))
    );
  }
}
