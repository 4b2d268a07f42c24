import { describe, expect, test } from 'bun:test';
import { getServers, setServers } from 'node:dns';
import { PrivateHostError, SsrfGuard } from '../../../src/lib/ssrf-guard';

/** Destinations to which every name leads. */
const leadingTo = (addresses: readonly string[], allowed: readonly string[] = []) =>
  new SsrfGuard(allowed, async () => addresses.map((address) => ({ address })));
const NAMED = new URL('https://cap.example.com/siteverify');

describe('without a setting', () => {
  test.each([
    ['8.8.8.8'],
    ['168.63.129.17'],
    ['172.32.0.1'],
    ['100.128.0.1'],
    ['2606:4700::1111'],
    ['::ffff:8.8.8.8'],
    ['64:ff9b::8.8.8.8'],
    ['64:ff9b::808:808'],
  ])('%s may be asked', async (address) => {
    expect(await leadingTo([address]).resolve(NAMED)).toEqual([address]);
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
  ])('%s may not, nor a name that leads there among others', async (address) => {
    const refused = (addresses: string[]) => leadingTo(addresses).resolve(NAMED);
    await expect(refused([address])).rejects.toThrow(PrivateHostError);
    await expect(refused(['8.8.8.8', address])).rejects.toThrow(PrivateHostError);
    await expect(refused([address, '8.8.8.8'])).rejects.toThrow(PrivateHostError);
  });

  // As the system resolves them.
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
  ])('%s may not be asked', async (url) => {
    await expect(new SsrfGuard([]).resolve(new URL(url))).rejects.toThrow(PrivateHostError);
  });
});

test.each([[[]], [['not an address']], [['8.8.8.8', '']]])(
  'a name that leads to %j leads nowhere',
  async (addresses) => {
    for (const allowed of [[], [NAMED.hostname]]) {
      await expect(leadingTo(addresses, allowed).resolve(NAMED)).rejects.toThrow('no address');
    }
  },
);

describe('what is allowed', () => {
  test.each([
    ['an address', '10.0.0.7', '10.0.0.7'],
    ['a network', '10.0.0.0/8', '10.1.2.3'],
    ['an address that IPv6 maps', '10.0.0.7', '::ffff:10.0.0.7'],
    ['a network of IPv6', 'fd00::/8', 'fd00::7'],
    ['a name', 'cap.example.com', '10.0.0.7'],
    ['a name in capitals', 'CAP.Example.com', '10.0.0.7'],
  ])('may be asked: %s', async (_what, allowed, address) => {
    expect(await leadingTo([address], [allowed]).resolve(NAMED)).toEqual([address]);
  });

  test.each([
    ['an address', '10.0.0.7'],
    ['a network', '10.0.0.0/29'],
    ['a name', 'example.com'],
    ['a name below', 'x.cap.example.com'],
  ])('opens nothing else: %s', async (_what, allowed) => {
    await expect(leadingTo(['10.0.0.8'], [allowed]).resolve(NAMED)).rejects.toThrow(PrivateHostError);
  });
});

test('IPv4 comes first, in the order in which it was found', async () => {
  const found = ['2606:4700::1111', '8.8.8.8', '1.1.1.1'];
  expect(await leadingTo(found).resolve(NAMED)).toEqual(['8.8.8.8', '1.1.1.1', '2606:4700::1111']);
});

test('a name that nobody answers for is given up', async () => {
  const silent = new SsrfGuard([], () => new Promise(() => {}), 20);
  await expect(silent.resolve(NAMED)).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
});

test('names that nobody answers for keep no password waiting', async () => {
  const held = Promise.withResolvers<void>();
  // A name server that is silent at first, and knows no name later.
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
    const destinations = new SsrfGuard([], undefined, 600_000);
    const ended: string[] = [];
    // As many as the runtime has threads, and more.
    const lookups = Array.from({ length: 64 }, async (_, n) => {
      await destinations.resolve(new URL(`http://n${n}.example.com`)).catch(() => {});
      ended.push('lookup');
    });
    // The cheapest: it needs a thread like any other.
    await Bun.password.hash('correct horse', { algorithm: 'bcrypt', cost: 4 });
    expect(ended).toEqual([]);
    held.resolve();
    await Promise.all(lookups);
  } finally {
    setServers(before);
    server.close();
  }
});
