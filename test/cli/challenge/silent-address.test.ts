import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { ChallengeServices } from '../../../src/intake/challenge/siteverify.ts';
import { OutgoingShares } from '../../../src/lib/outgoing-shares.ts';
import { readProxies } from '../../../src/lib/proxies.ts';
import { SsrfGuard } from '../../../src/lib/ssrf-guard.ts';
import { SECRET, startService, TOKEN, yes } from '../../fast/visitor/challenge/service.ts';
import { limit } from '../../support/speed.ts';
import { until } from '../../support/until.ts';

const BATCH = 100;

/** Returns true if a connection attempt to this port of 127.0.0.2 was dropped and is being repeated. */
function isDropped(port: number): boolean {
  const address = `0200007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const connections = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/ +/));
  // 02 is SYN_SENT; the seventh column counts retransmissions.
  return connections.some(([, , remote, state, , , retransmissions]) => {
    return remote === address && state === '02' && Number.parseInt(retransmissions ?? '', 16) > 0;
  });
}

test(
  'if one address of a challenge service drops all packets, the next one is tried',
  async () => {
    const service = startService();
    const desk = service.desk(yes);
    const { port } = new URL(desk.url);
    const script = `require('node:net').createServer().listen(${port}, '127.0.0.2', () => console.log('listens'))`;
    const silent = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
    const sockets: Socket[] = [];
    try {
      await silent.stdout.getReader().read();
      silent.kill('SIGSTOP');
      // Fill the accept queue of the stopped process.
      let open = 0;
      while (!isDropped(Number(port))) {
        for (let n = 0; n < BATCH; n++) sockets.push(connect(Number(port), '127.0.0.2').on('connect', () => open++));
        await until(() => open === sockets.length || isDropped(Number(port)), 'connections to be queued or dropped');
      }
      const guard = new SsrfGuard({ allowedPrivateHosts: ['cap.invalid'] }, async () => [
        { address: '127.0.0.2' },
        { address: '127.0.0.1' },
      ]);
      const services = new ChallengeServices({
        ssrfGuard: guard,
        proxies: readProxies({}),
        shares: new OutgoingShares(),
      });
      const url = desk.url.replace('127.0.0.1', 'cap.invalid');
      expect(await services.verify('team', { url, secret: SECRET, token: TOKEN, hostnames: [] })).toBe(true);
      expect(desk.asked).toHaveLength(1);
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.kill('SIGKILL');
      await service.stop();
    }
  },
  limit(30),
);
