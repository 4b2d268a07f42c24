import { expect, test } from 'bun:test';
import { killInTurns } from '../../.ci/torture/postgres-kills.ts';
import { limit } from '../support/speed.ts';

test(
  'processes and a PostgreSQL server that are killed under load lose no acknowledged post, and the plan stays exact',
  async () => {
    const { faults, acknowledged, rows, cap, capped } = await killInTurns(5, () => {});
    expect(faults).toEqual([]);
    expect(rows).toBe(cap);
    expect(capped).toBeGreaterThan(0);
    expect(acknowledged).toBeGreaterThan(2_000);
  },
  limit(180),
);
