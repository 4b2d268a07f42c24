import { expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { freeBytes } from '../../../src/lib/free-space.ts';

test('returns the free bytes of a file system and throws ENOENT for an unknown path', () => {
  expect(freeBytes(tmpdir())).toBeGreaterThan(0);
  expect(freeBytes(import.meta.path)).toBeGreaterThan(0);
  expect(freeBytes('/proc')).toBe(0);
  expect(() => freeBytes('/nowhere')).toThrow('ENOENT');
});
