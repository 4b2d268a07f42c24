import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LEVEL_1, LEVEL_2 } from './asvs-ids.ts';

const ROOT = join(import.meta.dir, '../../..');
const text = await Bun.file(join(ROOT, 'test/security/ASVS.md')).text();
const rows = Array.from(
  text.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| (.+?) \| (met|not applicable|open): (.+) \|$/gm),
  ([, id = '', level = '', , state = '', why = '']) => ({ id, level, state, why }),
);

test('there are as many requirements as the standard has of the first two levels', () => {
  expect([LEVEL_1.length, LEVEL_2.length]).toEqual([70, 183]);
});

test('each stands once in ASVS.md, in order, with its level', () => {
  const numbers = (id: string) => id.split('.').map(Number);
  const inOrder = [...LEVEL_1.map((id) => [id, '1']), ...LEVEL_2.map((id) => [id, '2'])].sort(
    ([one = ''], [other = '']) => {
      const [a, b] = [numbers(one), numbers(other)];
      const at = a.findIndex((number, index) => number !== b[index]);
      return (a[at] ?? 0) - (b[at] ?? 0);
    },
  );
  expect(rows.map(({ id, level }) => [id, level])).toEqual(inOrder);
  expect(text.match(/^\| \d/gm)).toHaveLength(rows.length);
});

test('each that is met names where that is tested or written, and all named files are there', () => {
  const filesIn = (why: string) =>
    Array.from(why.matchAll(/`((?:test|src)\/[^`]+|README\.md|bun\.lock|Dockerfile)`/g), ([, file = '']) => file);
  const unproved = rows.filter(({ state, why }) => state === 'met' && filesIn(why).length === 0);
  expect(unproved).toEqual([]);
  expect(filesIn(text).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('the counts at its top are those of its rows', () => {
  const countOf = (state: string) => rows.filter((row) => row.state === state).length;
  const counts = `${countOf('met')} are met, ${countOf('not applicable')} do not apply, ${countOf('open')} are open`;
  expect(text).toContain(counts);
});
