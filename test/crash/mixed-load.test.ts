import { expect, test } from 'bun:test';
import { loadFor } from '../torture/mixed-load.ts';

test('posts, reads, pages, searches, exports, a backup and a rotation at once: nothing fails and nothing is lost', async () => {
  const often = { post: 20, readApi: 100, page: 100, search: 500, export: 1_000, backup: 60_000, rotate: 60_000 };
  const { done, looks, faults } = await loadFor(4, often);
  expect(faults).toEqual([]);
  expect([done.get('backups'), done.get('rotations')]).toEqual([1, 1]);
  expect(looks.length).toBeGreaterThan(1);
});
