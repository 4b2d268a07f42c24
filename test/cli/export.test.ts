import { expect, test } from 'bun:test';
import { join } from 'node:path';

test('an export of 5,000 rows has the same content as CSV and as JSON Lines, and needs little memory', async () => {
  const bench = Bun.spawn(['bun', join(import.meta.dir, '../../.ci/bench/export.ts'), '5000'], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([
    new Response(bench.stdout).text(),
    new Response(bench.stderr).text(),
    bench.exited,
  ]);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output).toContain('5,000 rows of the CSV equal those of the JSON Lines');
});
