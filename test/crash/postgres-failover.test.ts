import { describe, expect, test } from 'bun:test';
import { limit } from '../support/speed.ts';
import { failOver } from '../torture/postgres-failover.ts';

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
      expect(lost).toBeGreaterThanOrEqual(50);
    },
    limit(120),
  );
});
