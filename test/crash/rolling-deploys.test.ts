import { expect, test } from 'bun:test';
import { deployRepeatedly } from '../../.ci/torture/rolling-deploys.ts';
import { limit } from '../support/speed.ts';

test(
  'two processes on PostgreSQL behind HAProxy that are restarted in turns fail no post, and a killed one only those that it had received',
  async () => {
    const { faults, posts } = await deployRepeatedly(2, () => {});
    expect(faults).toEqual([]);
    expect(posts).toBeGreaterThan(400);
  },
  limit(180),
);
