import { BlockList, isIP } from 'node:net';

/** Builds a block list of addresses and CIDR networks; IPv4 entries also match their IPv4-mapped IPv6 form. */
export function parseNetworks(networks: readonly string[]): BlockList {
  const blockList = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) blockList.addAddress(address, familyOf(address));
    else blockList.addSubnet(address, Number(bits), familyOf(address));
  }
  return blockList;
}

/** Reports whether the list contains `address`; false for text that is not an IP address. */
export function containsAddress(blockList: BlockList, address: string): boolean {
  return isIP(address) !== 0 && blockList.check(address, familyOf(address));
}

/** Reports whether the text is an IP address or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const maxBits = { 4: 32, 6: 128 }[isIP(address)];
  if (!maxBits || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= maxBits);
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
