import { describe, expect, test } from 'bun:test';
import { ClientAddress } from '../../../src/http/client-address.ts';
import { clientNetworks } from '../../../src/lib/networks.ts';

const rateName = (address: string) => clientNetworks(address)[0];

describe('the address of a client', () => {
  test('is the peer address if no proxy is trusted, regardless of X-Forwarded-For', () => {
    const addresses = new ClientAddress([]);
    expect(addresses.of('192.0.2.1', null)).toBe('192.0.2.1');
    expect(addresses.of('192.0.2.1', '198.51.100.1')).toBe('192.0.2.1');
  });

  test('is the peer address if the peer is not a trusted proxy', () => {
    expect(new ClientAddress(['10.0.0.0/8']).of('192.0.2.1', '198.51.100.1')).toBe('192.0.2.1');
  });

  test.each([
    [null, '10.0.0.1'],
    ['', '10.0.0.1'],
    ['198.51.100.1', '198.51.100.1'],
    ['6.6.6.6, 198.51.100.1', '198.51.100.1'],
    ['6.6.6.6, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['6.6.6.6,198.51.100.1,10.0.0.2,10.0.0.3', '198.51.100.1'],
    ['10.0.0.2, 10.0.0.3', '10.0.0.2'],
    ['6.6.6.6, unknown, 10.0.0.2', '10.0.0.2'],
    ['6.6.6.6, junk', '10.0.0.1'],
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
  ])('behind a trusted proxy that forwards for %j is %s', (forwardedFor, client) => {
    expect(new ClientAddress(['10.0.0.0/8']).of('10.0.0.1', forwardedFor)).toBe(client);
  });

  test('accepts trusted proxies as addresses and networks, for IPv4 and IPv6', () => {
    const addresses = new ClientAddress(['127.0.0.1', '::1', '2001:db8:1::/48', '172.16.0.0/12']);
    const isTrusted = (peer: string) => addresses.of(peer, '192.0.2.9') === '192.0.2.9';
    for (const peer of ['127.0.0.1', '::1', '2001:db8:1:2::3', '172.31.255.255', '::ffff:127.0.0.1']) {
      expect([peer, isTrusted(peer)]).toEqual([peer, true]);
    }
    for (const peer of ['127.0.0.2', '::2', '2001:db8:2::1', '172.32.0.0']) {
      expect([peer, isTrusted(peer)]).toEqual([peer, false]);
    }
  });
});

describe('the rate limit key of a client', () => {
  test('is the whole IPv4 address', () => {
    expect(rateName('192.0.2.1')).not.toBe(rateName('192.0.2.2'));
  });

  test.each([
    ['2001:db8::1', '2001:db8::ffff:ffff:ffff:ffff'],
    ['2001:db8::1', '2001:db8:0:0:1:2:3:4'],
    ['2001:db8:1:2::', '2001:0DB8:0001:0002:a:b:c:d'],
    ['::1', '::2'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::'],
    ['1::4:0:0:0:0', '1:0:0:4::'],
  ])('is the same for %s and %s in the same /64', (one, other) => {
    expect(rateName(one)).toBe(rateName(other));
  });

  test.each([
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['1:2:3:4::', '1:2:3:5::'],
    ['1::4:0:0:0:0', '1:4::'],
  ])('differs for %s and %s in different networks', (one, other) => {
    expect(rateName(one)).not.toBe(rateName(other));
  });

  test('differs for IPv4-mapped IPv6 addresses of different clients', () => {
    const addresses = new ClientAddress(['10.0.0.1']);
    const nameOf = (forwardedFor: string) => rateName(addresses.of('10.0.0.1', forwardedFor));
    expect(nameOf('::ffff:192.0.2.1')).toBe(nameOf('192.0.2.1'));
    expect(nameOf('::ffff:192.0.2.1')).not.toBe(nameOf('::ffff:192.0.2.2'));
  });
});

test('an IPv4-mapped IPv6 address is the same client in any spelling', () => {
  const addresses = new ClientAddress(['::1']);
  for (const spelling of [
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '::FFFF:c000:201',
    '0:0:0:0:0:ffff:c000:0201',
    '[::ffff:c000:201]:80',
  ]) {
    expect(addresses.of('::1', spelling)).toBe('192.0.2.1');
  }
});
