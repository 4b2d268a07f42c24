import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startInstance, temporaryDir } from '../support/instance.ts';

test('the OpenAPI document passes the linter without errors and warnings', async () => {
  const instance = await startInstance();
  const document = await (await fetch(`${instance.url}/openapi.json`)).json();
  await instance.stop();
  const dir = temporaryDir();
  await Bun.write(join(dir, 'openapi.json'), JSON.stringify(document));
  const linter = Bun.spawnSync(
    ['bun', '--bun', join(import.meta.dir, '../../node_modules/.bin/redocly'), 'lint', join(dir, 'openapi.json')],
    { env: { ...Bun.env, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' } },
  );
  rmSync(dir, { recursive: true });
  const output = linter.stdout.toString() + linter.stderr.toString();
  expect(linter.exitCode).toBe(0);
  expect(output).toContain('Your API description is valid');
  expect(output).not.toMatch(/\d+ (warning|error)/i);
});
