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

test('the list has as many requirements as levels 1 and 2 of the standard', () => {
  expect([LEVEL_1.length, LEVEL_2.length]).toEqual([70, 183]);
});

test('ASVS.md has each requirement once, in order, with its level', () => {
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

test('each met requirement names a test or a source, and all named files exist', () => {
  const filesIn = (why: string) =>
    Array.from(why.matchAll(/`((?:test|src)\/[^`]+|README\.md|bun\.lock|Dockerfile)`/g), ([, file = '']) => file);
  const unproved = rows.filter(({ state, why }) => state === 'met' && filesIn(why).length === 0);
  expect(unproved).toEqual([]);
  expect(filesIn(text).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('the counts at the top match the rows', () => {
  const countOf = (state: string) => rows.filter((row) => row.state === state).length;
  const counts = `${countOf('met')} are met, ${countOf('not applicable')} do not apply, ${countOf('open')} are open`;
  expect(text).toContain(counts);
});
