import { expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { freeBytes } from '../../../src/lib/free-space.ts';

test('tells what is free where a path lies, and throws where there is none', () => {
  expect(freeBytes(tmpdir())).toBeGreaterThan(0);
  expect(freeBytes(import.meta.path)).toBeGreaterThan(0);
  expect(freeBytes('/proc')).toBe(0);
  expect(() => freeBytes('/nowhere')).toThrow('ENOENT');
});
