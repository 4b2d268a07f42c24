import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyDatabase } from '../../src/storage/sqlite/copy-database.ts';
import { databaseIn, rowsIn, soundWith, stateOf } from '../support/database-file.ts';
import { startInstance, temporaryDir } from '../support/instance.ts';
import { nextVersion, SECOND } from '../support/next-version.ts';
import { spawnServer } from '../support/process.ts';

/** The number of kills after the copy is complete, each later than the last. `bun run bench crashes` sets a higher one. */
const ROUNDS = Number(Bun.env.ROUNDS ?? 2);
const MAILS = 10_000;

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true }));

/** The data directory of an earlier version with its key, created once. */
const old = join(dir, 'old');
async function makeOld(): Promise<void> {
  const instance = await startInstance();
  await instance.post(instance.owner.form.id, { message: 'Do you repair harps?' });
  await instance.context.close();
  mkdirSync(old);
  copyDatabase(databaseIn(instance.dataDir), databaseIn(old));
  cpSync(join(instance.dataDir, 'encryption.key'), join(old, 'encryption.key'));
  await instance.stop();
  const database = new Database(databaseIn(old));
  database.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAILS})
     INSERT INTO outbox (id, kind, message_id, state, failures, due_at, fence, created_at)
     SELECT 'mail ' || i, 'notification', '<' || i || '@example.com>', 'sent', 0, 4e15, 0, 4e15 FROM n`,
  );
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
await makeOld();

test('a killed upgrade leaves the old or the new schema, and the next start has every row', async () => {
  const isFixed = ([table]: [string, unknown]) => table === 'submissions' || table === 'outbox';
  const before = new Map([...rowsIn(databaseIn(old))].filter(isFixed));
  const whole = digest(before);
  const copy = join(dir, 'killed', `formstead.db.before-${SECOND}`);
  const found = new Set<number>();
  const program = nextVersion();
  const killAt = async (ending: RegExp, wait: number) => {
    const dataDir = join(dir, 'killed');
    cpSync(old, dataDir, { recursive: true });
    const server = Bun.spawn([...program.command, 'serve'], {
      env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir, PORT: '0' },
      stdout: 'ignore',
      stderr: 'ignore',
    });
    const isThere = () => readdirSync(dataDir).some((name) => ending.test(name)) || server.exitCode !== null;
    // Poll without the pause of `until`, because the file exists only for a few milliseconds.
    while (!isThere()) await Bun.sleep(0);
    // Kill later in each round; no assertion depends on the moment.
    await Bun.sleep(wait);
    server.kill('SIGKILL');
    await server.exited;

    if (existsSync(copy)) expect(digest(rowsIn(copy, before))).toBe(whole);
    const state = stateOf(databaseIn(dataDir));
    expect([soundWith(), soundWith(SECOND)]).toContainEqual(state);
    found.add(state.migrations.length);

    const next = await spawnServer(dataDir, {}, program);
    await next.end();
    expect(stateOf(databaseIn(dataDir))).toEqual(soundWith(SECOND));
    expect(digest(rowsIn(databaseIn(dataDir), before))).toBe(whole);
    expect(digest(rowsIn(copy, before))).toBe(whole);
    expect(readdirSync(dataDir).filter((file) => file.includes('.partial'))).toEqual([]);
    rmSync(dataDir, { recursive: true });
  };
  // On a busy machine a kill may happen after the upgrade.
  while (!found.has(1)) await killAt(/\.partial$|\.before-\w+$/, 0);
  for (let round = 0; round < ROUNDS; round++) await killAt(/\.before-\w+$/, (round * 300) / ROUNDS);
});

function digest(rows: ReturnType<typeof rowsIn>) {
  return Bun.hash(JSON.stringify([...rows]));
}
