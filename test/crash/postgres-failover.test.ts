import { describe, expect, test } from 'bun:test';
import { failOver, promote, startPair } from '../../.ci/torture/postgres-failover.ts';
import { startInstance } from '../support/instance.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

describe('a failover to the standby of a PostgreSQL server', () => {
  const synchronous = 'acknowledged means on 2 machines';

  for (const [name, isCut] of [
    ['with synchronous replication', false],
    ['with synchronous replication and after the network to the standby was lost', true],
  ] as const) {
    test(
      `${name} loses no acknowledged post`,
      async () => {
        const { durability, lost, faults } = await failOver({ isSynchronous: true, isCut });
        expect({ durability, lost, faults }).toEqual({ durability: synchronous, lost: 0, faults: [] });
      },
      limit(120),
    );
  }

  test(
    'with asynchronous replication loses posts, as the log says and as the comparison above would notice',
    async () => {
      const { durability, lost, faults } = await failOver({ isSynchronous: false, isCut: true });
      expect({ durability, faults }).toEqual({ durability: 'acknowledged means on 1 machine', faults: [] });
      expect(lost).toBeGreaterThan(0);
    },
    limit(120),
  );

  test(
    'to a server without a standby of its own is logged once by the processes that go on',
    async () => {
      const { primary, standby, address, stop } = await startPair(true);
      const { logs, url, ...instance } = await startInstance({
        env: { DATABASE_URL: address.url, ENCRYPTION_KEY: '5f'.repeat(32) },
      });
      const machines = async () =>
        /^formstead_acknowledged_machines\{.*\} (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
      expect(await machines()).toBe('2');
      await primary.kill();
      await promote(standby.url);
      address.moveTo(standby.url);
      const changes = () => logs.filter((line) => line.includes('the database has changed'));
      await until(() => changes().length > 0, 'the change to be logged', limit(60) * 1000);
      expect(changes()).toEqual([expect.stringContaining('acknowledged means on 1 machine')]);
      expect(await machines()).toBe('1');
      await instance.stop();
      await stop();
    },
    limit(120),
  );
});
