import { afterAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET, startService, TOKEN, yes } from '../../fast/visitor/challenge/service.ts';
import { startInstance, temporaryDir } from '../../support/instance.ts';
import { fromBinary } from '../../support/process.ts';

const service = startService();
const instance = await startInstance();
const folder = temporaryDir();
afterAll(async () => {
  await instance.stop();
  await service.stop();
  rmSync(folder, { recursive: true });
});

const SECRET_FILE = join(folder, 'secret');
writeFileSync(SECRET_FILE, `${SECRET}\n`);

test.each([
  ['a file', SECRET_FILE, null],
  ['standard input', '-', Bun.file(SECRET_FILE)],
])('form update reads the secret of a challenge from %s', async (_, path, stdin) => {
  const desk = service.desk(yes);
  const { id } = await instance.makeForm(instance.owner);
  const challenge = ['--challenge', 'custom', '--challenge-verify-url', desk.url, '--challenge-secret-file', path];
  const { command } = await fromBinary();
  const child = Bun.spawn([...command, 'form', 'update', id, ...challenge], {
    env: { DATA_DIR: instance.dataDir },
    stdin,
    stdout: 'ignore',
    stderr: 'pipe',
  });
  expect([await child.stderr.text(), await child.exited]).toEqual(['', 0]);
  expect(await instance.post(id, { name: 'Ada', 'captcha-response': TOKEN })).toMatchObject({ status: 200 });
  expect(new URLSearchParams(desk.asked[0]?.body).get('secret')).toBe(SECRET);
});
