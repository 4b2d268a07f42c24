import { expect, test } from 'bun:test';
import { strikeRepeatedly } from '../../.ci/torture/postgres-servers.ts';
import { limit } from '../support/speed.ts';

test(
  'servers on PostgreSQL that are killed and stopped, and whose database is killed, store each post once',
  async () => {
    const { faults, acknowledged, refusals } = await strikeRepeatedly(3, () => {});
    expect(faults).toEqual([]);
    expect(acknowledged).toBeGreaterThan(500);
    expect(refusals.get('no answer')).toBeGreaterThan(0);
  },
  limit(180),
);
