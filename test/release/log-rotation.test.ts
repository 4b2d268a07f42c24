import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebian } from '../support/debian.ts';
import { namedBlock } from '../support/documents.ts';
import { temporaryDir } from '../support/instance.ts';
import { fromBinary } from '../support/process.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

const folder = temporaryDir();
const LOG = join(folder, 'formstead.log');
afterAll(() => rmSync(folder, { recursive: true }));

let libraries = '';
beforeAll(async () => {
  libraries = await unpackDebian(folder, ['logrotate']);
}, limit(120));

/** Returns the messages in a log. */
const messagesIn = (log: Uint8Array) =>
  Buffer.from(log)
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { message: string }).message);

test('the recipe of the manual rotates the log of a running server', async () => {
  const recipe = join(folder, 'recipe');
  writeFileSync(recipe, namedBlock('logrotate').replace('/var/log/formstead.log', LOG));
  const { command } = await fromBinary();
  const server = Bun.spawn(['bash', '-c', `exec "$0" serve >> '${LOG}'`, ...command], {
    env: { PATH: Bun.env.PATH, DATA_DIR: join(folder, 'data'), PORT: '0' },
    stderr: 'ignore',
  });
  try {
    await until(() => existsSync(LOG) && messagesIn(readFileSync(LOG)).includes('listening'), 'the server to listen');
    const logrotate = Bun.spawn(
      [join(folder, 'usr/sbin/logrotate'), '--force', '--state', join(folder, 'state'), recipe],
      { env: { PATH: Bun.env.PATH, LD_LIBRARY_PATH: libraries }, stderr: 'pipe' },
    );
    expect([await logrotate.stderr.text(), await logrotate.exited]).toEqual(['', 0]);
    expect(messagesIn(readFileSync(LOG))).not.toContain('listening');
    server.kill();
    await server.exited;
    expect(messagesIn(readFileSync(LOG))).toContain('stopped');
    expect(messagesIn(Bun.gunzipSync(readFileSync(`${LOG}.1.gz`)))).toContain('listening');
  } finally {
    server.kill();
  }
});
