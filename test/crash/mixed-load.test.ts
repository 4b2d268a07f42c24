import { expect, test } from 'bun:test';
import { loadFor } from '../../.ci/torture/mixed-load.ts';

test('posts, reads, pages, searches, exports, a backup and a key rotation run at once without failure or loss', async () => {
  const often = { post: 20, readApi: 100, page: 100, search: 500, export: 1_000, backup: 60_000, rotate: 60_000 };
  const { done, samples, faults } = await loadFor(4, often);
  expect(faults).toEqual([]);
  expect([done.get('backups'), done.get('rotations')]).toEqual([1, 1]);
  expect(samples.length).toBeGreaterThan(1);
});
