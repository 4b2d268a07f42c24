import { describe, expect, test } from 'bun:test';
import { getServers, setServers } from 'node:dns';
import { PrivateHostError, RefusedHostError, SsrfGuard } from '../../../src/lib/ssrf-guard.ts';

/** Creates a guard whose resolver returns the same addresses for every name. */
const guardResolving = (addresses: readonly string[], allowed: readonly string[] = []) =>
  new SsrfGuard({ allowedPrivateHosts: allowed }, async () => addresses.map((address) => ({ address })));
const NAMED = new URL('https://cap.example.com/siteverify');

describe('without an allowlist', () => {
  test.each([
    ['8.8.8.8'],
    ['168.63.129.17'],
    ['172.32.0.1'],
    ['100.128.0.1'],
    ['2606:4700::1111'],
    ['::ffff:8.8.8.8'],
    ['64:ff9b::8.8.8.8'],
    ['64:ff9b::808:808'],
  ])('%s is permitted', async (address) => {
    expect(await guardResolving([address]).resolve(NAMED)).toEqual([address]);
  });

  test.each([
    ['0.0.0.0'],
    ['0.1.2.3'],
    ['10.0.0.1'],
    ['100.64.0.1'],
    ['127.0.0.1'],
    ['127.255.255.254'],
    ['168.63.129.16'],
    ['::ffff:168.63.129.16'],
    ['64:ff9b::168.63.129.16'],
    ['169.254.169.254'],
    ['172.16.0.1'],
    ['172.31.255.255'],
    ['192.0.0.192'],
    ['192.168.1.1'],
    ['198.19.0.1'],
    ['224.0.0.1'],
    ['240.0.0.1'],
    ['255.255.255.255'],
    ['::'],
    ['::1'],
    ['::127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['::ffff:a9fe:a9fe'],
    ['::ffff:0:127.0.0.1'],
    ['64:ff9b::10.0.0.1'],
    ['64:ff9b::a9fe:a9fe'],
    ['64:ff9b:1::8.8.8.8'],
    ['100::1'],
    ['2001:0:4136:e378::1'],
    ['2001:db8::1'],
    ['2002:7f00:1::'],
    ['3fff::1'],
    ['fc00::1'],
    ['fd00:ec2::254'],
    ['fe80::1'],
    ['fe80::1%eth0'],
    ['fec0::1'],
    ['ff02::1'],
  ])('%s is refused, alone and among public addresses', async (address) => {
    const refused = (addresses: string[]) => guardResolving(addresses).resolve(NAMED);
    await expect(refused([address])).rejects.toThrow(PrivateHostError);
    await expect(refused(['8.8.8.8', address])).rejects.toThrow(PrivateHostError);
    await expect(refused([address, '8.8.8.8'])).rejects.toThrow(PrivateHostError);
  });

  // These use the system resolver.
  test.each([
    ['http://127.0.0.1:3000/'],
    ['http://2130706433/'],
    ['http://0x7f.1/'],
    ['http://017700000001/'],
    ['http://0/'],
    ['http://[::1]/'],
    ['http://[::ffff:127.0.0.1]/'],
    ['http://localhost/'],
    ['http://localhost./'],
    ['http://LOCALHOST/'],
    ['http://169.254.169.254/latest/meta-data/'],
  ])('%s is refused', async (url) => {
    await expect(new SsrfGuard({ allowedPrivateHosts: [] }).resolve(new URL(url))).rejects.toThrow(PrivateHostError);
  });
});

test.each([[[]], [['not an address']], [['8.8.8.8', '']]])(
  'a name that resolves to %j is refused',
  async (addresses) => {
    for (const allowed of [[], [NAMED.hostname]]) {
      await expect(guardResolving(addresses, allowed).resolve(NAMED)).rejects.toThrow('no address');
    }
  },
);

describe('the allowlist', () => {
  test.each([
    ['an address', '10.0.0.7', '10.0.0.7'],
    ['a network', '10.0.0.0/8', '10.1.2.3'],
    ['an IPv4-mapped IPv6 address', '10.0.0.7', '::ffff:10.0.0.7'],
    ['an IPv6 network', 'fd00::/8', 'fd00::7'],
    ['a name', 'cap.example.com', '10.0.0.7'],
    ['a name in uppercase', 'CAP.Example.com', '10.0.0.7'],
  ])('permits %s', async (_what, allowed, address) => {
    expect(await guardResolving([address], [allowed]).resolve(NAMED)).toEqual([address]);
  });

  test.each([
    ['an address', '10.0.0.7'],
    ['a network', '10.0.0.0/29'],
    ['a parent domain', 'example.com'],
    ['a subdomain', 'x.cap.example.com'],
  ])('permits nothing else: %s', async (_what, allowed) => {
    await expect(guardResolving(['10.0.0.8'], [allowed]).resolve(NAMED)).rejects.toThrow(PrivateHostError);
  });
});

test('returns IPv4 addresses first, in their original order', async () => {
  const found = ['2606:4700::1111', '8.8.8.8', '1.1.1.1'];
  expect(await guardResolving(found).resolve(NAMED)).toEqual(['8.8.8.8', '1.1.1.1', '2606:4700::1111']);
});

test('a lookup without an answer times out', async () => {
  const silent = new SsrfGuard({ allowedPrivateHosts: [] }, () => new Promise(() => {}), 20);
  await expect(silent.resolve(NAMED)).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
});

test('lookups without an answer do not block password hashing', async () => {
  const held = Promise.withResolvers<void>();
  // A name server that answers only after `held` resolves, with NXDOMAIN.
  const server = await Bun.udpSocket({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data: async (socket, query, port, address) => {
        const answer = Buffer.from(query);
        await held.promise;
        answer.writeUInt16BE(0x8183, 2);
        socket.send(answer, port, address);
      },
    },
  });
  const before = getServers();
  setServers([`127.0.0.1:${server.port}`]);
  try {
    const guard = new SsrfGuard({ allowedPrivateHosts: [] }, undefined, 600_000);
    const ended: string[] = [];
    // More lookups than the runtime has threads.
    const lookups = Array.from({ length: 64 }, async (_, n) => {
      await guard.resolve(new URL(`http://n${n}.example.com`)).catch(() => {});
      ended.push('lookup');
    });
    // The cheapest hash; it needs a thread of the pool too.
    await Bun.password.hash('correct horse', { algorithm: 'bcrypt', cost: 4 });
    expect(ended).toEqual([]);
    held.resolve();
    await Promise.all(lookups);
  } finally {
    setServers(before);
    server.close();
  }
});

describe('with OUTBOUND_HOSTS', () => {
  const outboundHosts = ['hooks.example', '203.0.113.0/24'];
  const guard = new SsrfGuard({ allowedPrivateHosts: ['cap.lan'], outboundHosts });

  test.each(['https://hooks.example/a', 'https://HOOKS.example./', 'https://203.0.113.9/', 'http://cap.lan:3000/'])(
    '%s is listed',
    (url) => {
      expect(() => guard.requireListed(new URL(url))).not.toThrow();
    },
  );

  test.each(['https://a.hooks.example/', 'https://hooks.example.net/', 'https://8.8.8.8/', 'https://[2001:db8::1]/'])(
    '%s is refused',
    (url) => {
      expect(() => guard.requireListed(new URL(url))).toThrow(RefusedHostError);
    },
  );

  test('every host is listed without it', () => {
    const open = new SsrfGuard({ allowedPrivateHosts: [], outboundHosts: [] });
    expect(() => open.requireListed(NAMED)).not.toThrow();
  });
});
