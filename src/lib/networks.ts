import { BlockList, isIP } from 'node:net';

/** Builds a block list of addresses and CIDR networks; IPv4 entries also match their IPv4-mapped IPv6 form. */
export function parseNetworks(networks: readonly string[]): BlockList {
  const blockList = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) blockList.addAddress(address, getFamily(address));
    else blockList.addSubnet(address, Number(bits), getFamily(address));
  }
  return blockList;
}

/** Reports whether the list contains `address`; false for text that is not an IP address. */
export function containsAddress(blockList: BlockList, address: string): boolean {
  return isIP(address) !== 0 && blockList.check(address, getFamily(address));
}

/** Reports whether the text is an IP address or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const maxBits = { 4: 32, 6: 128 }[isIP(address)];
  if (!maxBits || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= maxBits);
}

/** Limit of an IPv6 /48, which one customer of a provider may have, as a multiple of the limit of a /64. */
export const SITE_FACTOR = 8;

/** Returns the networks that rate limits count an address by: the IPv4 address, or the IPv6 /64 and the /48 around it. */
export function clientNetworks(address: string): readonly [client: string, ...site: string[]] {
  // Most addresses are IPv4, which this tells at once.
  if (!address.includes(':') || isIP(address) !== 6) return [address];
  const groups = ipv6Groups(address);
  return [groups.slice(0, 4).join(':'), groups.slice(0, 3).join(':')];
}

/** Returns the eight groups of an IPv6 address without leading zeros. */
export function ipv6Groups(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const missing = address.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0;
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right];
  return groups.map((group) => Number.parseInt(group, 16).toString(16));
}

const getFamily = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
