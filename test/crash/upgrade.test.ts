import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startInstance, temporaryDir } from '../support/instance.ts';
import { databaseIn, MIGRATIONS, makeOldDatabase, rowsIn, soundWith, stateOf } from '../support/old-database.ts';
import { fromBinary, spawnServer } from '../support/process.ts';

/** The number of kills after the copy is complete, each later than the last. `bun run crashes` sets a higher one. */
const ROUNDS = Number(Bun.env.ROUNDS ?? 2);
/** The number of migrations of the old database. The next one rebuilds the table of mails. */
const FROM = MIGRATIONS.indexOf('0003_mail') + 1;
const MAILS = 10_000;

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true }));

/** The data directory of an earlier version with its key, created once. */
const old = join(dir, 'old');
async function makeOld(): Promise<void> {
  const instance = await startInstance();
  await instance.post(instance.owner.form.id, { message: 'Do you repair harps?' });
  await instance.context.close();
  makeOldDatabase(old, FROM, databaseIn(instance.dataDir));
  cpSync(join(instance.dataDir, 'encryption.key'), join(old, 'encryption.key'));
  await instance.stop();
  const columns = rowsIn(databaseIn(old)).get('outbox')?.[0] ?? {};
  const others = Object.keys(columns).filter((name) => name !== 'id');
  const database = new Database(databaseIn(old));
  database.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAILS})
     INSERT INTO outbox (id, ${others}) SELECT 'mail ' || i, ${others} FROM n, outbox WHERE id LIKE '% 1,%'`,
  );
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
await makeOld();

test('a killed upgrade leaves the old or the new schema, and the next start has every row', async () => {
  const before = rowsIn(databaseIn(old));
  const whole = digest(before);
  const copy = join(dir, 'killed', `formstead.db.before-${MIGRATIONS[FROM]}`);
  const found = new Set<number>();
  const { command } = await fromBinary();
  const killAt = async (ending: RegExp, wait: number) => {
    const dataDir = join(dir, 'killed');
    cpSync(old, dataDir, { recursive: true });
    const server = Bun.spawn([...command, 'serve'], {
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

    if (existsSync(copy)) expect(digest(rowsIn(copy))).toBe(whole);
    const state = stateOf(databaseIn(dataDir));
    expect([FROM, MIGRATIONS.length].map(soundWith)).toContainEqual(state);
    found.add(state.migrations.length);

    const next = await spawnServer(dataDir);
    await next.end();
    expect(stateOf(databaseIn(dataDir))).toEqual(soundWith(MIGRATIONS.length));
    expect(digest(rowsIn(databaseIn(dataDir), before))).toBe(whole);
    expect(digest(rowsIn(copy))).toBe(whole);
    expect(readdirSync(dataDir).filter((file) => file.includes('.partial'))).toEqual([]);
    rmSync(dataDir, { recursive: true });
  };
  // On a busy machine a kill may happen after the upgrade.
  while (!found.has(FROM)) await killAt(/\.partial$|\.before-\w+$/, 0);
  for (let round = 0; round < ROUNDS; round++) await killAt(/\.before-\w+$/, (round * 300) / ROUNDS);
});

function digest(rows: ReturnType<typeof rowsIn>) {
  return Bun.hash(JSON.stringify([...rows]));
}
