import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../../..');

test('every path that src/README.md names exists', async () => {
  const text = await Bun.file(join(ROOT, 'src/README.md')).text();
  const named = Array.from(
    text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|js|css|md)|(?:[\w.-]+\/)+)`/g),
    ([, path = '']) => path,
  );
  const places = [
    'src',
    '',
    'src/dashboard',
    // An example of a feature.
    'src/dashboard/keys',
    'src/cli',
    'src/api',
    'src/context',
    'src/visitor',
    'src/intake',
    'src/storage',
    'src/config',
    'src/mail',
    'src/outbox',
    'src/demo',
  ];
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter((path) => !places.some((place) => existsSync(join(ROOT, place, path))))).toEqual([]);
});
