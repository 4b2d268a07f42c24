import { Database } from 'bun:sqlite';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { UnitQueue } from '../../src/storage/sqlite/units.ts';

/**
 * Program that erases rows of a data directory and purges it until it is killed: in odd rounds itself, in even ones by a
 * request to the server. It prints the number of each purged round; `erased N=N;` must not be readable after that. The number
 * stands twice, because a cut can join the start of one text to the end of another at the border of two sectors.
 * Arguments: the data directory, the first round, and the name of a `DEFECTS` to insert.
 */
const [dataDir = '', first = '1', defect = ''] = Bun.argv.slice(2);
const WORKER = join(import.meta.dir, '../../src/storage/sqlite/purge-worker.js');
const SERVER_WAIT_MS = 2_500;
const KEPT_ROWS = 150;
/** Pause between writes during a purge, without which the log could not be emptied on a slow machine. */
const WRITE_PAUSE_MS = 10;
/** Reasons to try again. */
const BUSY = ['the write-ahead log is in use', 'database is locked'];

type Defect = (code: string) => string;

/** The name of the defect that only a power cut right after a purge can show. */
export const UNSYNCED_TRUNCATION = 'the truncation of the log is not synced';

/** Purges with a defect that must be found. */
export const DEFECTS: Readonly<Record<string, Defect>> = {
  'pages changed meanwhile are not overwritten': (code) => code.replaceAll(/pages\.overwriteEach\(.*\);/g, ''),
  'other connections keep their pages': (code) => code.replace(/writer\.run\(\s*`INSERT[^`]*`,\s*\);/, ''),
  'the last byte of a row is overwritten': (code) => code.replace('fill(1, offset, end)', 'fill(1, offset, end - 1)'),
  // In one step: after a checkpoint between two steps, SQLite would begin the log anew, over the row.
  [UNSYNCED_TRUNCATION]: (code) =>
    code.replace('if (reason === null) log.sync();', '').replace('STEP_MS = 250', 'STEP_MS = 600_000'),
};

let file: number | null = null;
if (import.meta.main) await purgeRepeatedly();

async function purgeRepeatedly(): Promise<void> {
  const path = join(dataDir, 'formstead.db');
  const database = new Database(path);
  for (const pragma of ['busy_timeout = 5000', 'synchronous = FULL', 'wal_autocheckpoint = 0', 'secure_delete = OFF']) {
    database.run(`PRAGMA ${pragma}`);
  }
  const units = new UnitQueue();
  const work = <T>(task: () => T) => units.retryWhileBusy(() => database.transaction(task).immediate());
  await work(() => {
    database.run('CREATE TABLE IF NOT EXISTS erased (id INTEGER PRIMARY KEY, key TEXT UNIQUE, body TEXT)');
    database.run('CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY, body TEXT)');
    database.run('DELETE FROM erased');
  });
  const erased = (round: number) => `erased ${round}=${round}`;
  const body = (name: string) => `${name};`.repeat(1 + Math.floor(Math.random() ** 3 * 700));
  /** Adds rows among those kept, and deletes all of them but the kept. */
  const erase = async (round: number) => {
    for (let step = 0; step < 4; step++) {
      await work(() => {
        for (let row = 0; row < 12; row++) {
          const id = Math.floor(Math.random() * 1e9);
          database.run('INSERT OR REPLACE INTO erased VALUES (?, ?, ?)', [
            id,
            `${erased(round)};${id}`,
            body(erased(round)),
          ]);
          const kept = 1 + Math.floor(Math.random() * KEPT_ROWS);
          database.run('INSERT OR REPLACE INTO kept VALUES (?, ?)', [kept, body(`kept ${kept}`)]);
        }
        if (step > 0) database.run('DELETE FROM erased WHERE id % 2 = ?', [step % 2]);
      });
    }
    await work(() => database.run('DELETE FROM erased'));
  };
  const request = () =>
    work(() => {
      const [row] = database
        .query<{ requested: number }, []>(
          `INSERT INTO rewrites (id, requested, rewritten, cleared, attempted_at) VALUES (1, 1, 0, 0, 0)
           ON CONFLICT (id) DO UPDATE SET requested = requested + 1, attempted_at = 0 RETURNING requested`,
        )
        .all();
      return row?.requested ?? 0;
    });
  const covered = database.query<{ cleared: number }, []>('SELECT cleared FROM rewrites');
  const waitForServer = async () => {
    const number = await request();
    const startedAt = performance.now();
    while (performance.now() - startedAt < SERVER_WAIT_MS) {
      if ((await units.retryWhileBusy(() => covered.get()?.cleared ?? 0)) >= number) return true;
      await Bun.sleep(20);
    }
    return false;
  };
  for (let round = Number(first); ; round++) {
    await erase(round);
    let isPurged = round % 2 === 0 && (await waitForServer());
    while (!isPurged) {
      let isOver = false;
      const purging = purge(path, defect).finally(() => (isOver = true));
      while (!isOver) {
        // Writes pages that were read before the purge.
        await erase(round + 1);
        await Bun.sleep(WRITE_PAUSE_MS);
      }
      isPurged = await purging;
    }
    process.stdout.write(`${round}\n`);
  }
}

/** Runs the worker of the product, with the defect. Kills this process after a failed sync, as a server does. */
export async function purge(path: string, defect: string): Promise<boolean> {
  file ??= openSync(path, 'r+');
  const sound = await Bun.file(WORKER).text();
  const code = DEFECTS[defect]?.(sound) ?? sound;
  if (defect !== '' && code === sound) throw new Error(`the worker has no place for the defect: ${defect}`);
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
  const { promise, resolve, reject } = Promise.withResolvers<{ reason: string | null; syncError: string | null }>();
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.postMessage({ path, file });
  const { reason, syncError } = await promise;
  worker.terminate();
  if (syncError !== null) process.kill(process.pid, 'SIGKILL');
  if (reason !== null && !BUSY.includes(reason)) throw new Error(reason);
  return reason === null;
}
