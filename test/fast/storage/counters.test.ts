import { expect, test } from 'bun:test';
import { type Addition, inLockOrder, LASTING } from '../../../src/storage/counters.ts';

test('additions lock lasting counters first, then others by time and owner', () => {
  const additions: Addition[] = [
    [200, 'frm_1'],
    [LASTING, 'team_1'],
    [100, 'team_1'],
    [100, 'frm_2'],
    [LASTING, 'clock'],
  ].map(([until, owner]) => ({ until: Number(until), owner: String(owner), amount: 1, spam: 0 }));
  expect(inLockOrder(additions).map(({ until, owner }) => [until, owner])).toEqual([
    [LASTING, 'clock'],
    [LASTING, 'team_1'],
    [100, 'frm_2'],
    [100, 'team_1'],
    [200, 'frm_1'],
  ]);
});
