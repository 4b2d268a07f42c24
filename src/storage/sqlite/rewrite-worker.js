// Worker that rewrites a database, because VACUUM blocks its thread for seconds. It receives the path of the database,
// and whether a rewrite is still needed before its write-ahead log is emptied. It replies what it did, and the error.
import { Database } from 'bun:sqlite';
import { platform } from 'node:os';

/** Memory for pages, in KiB. The default of 2 MB made VACUUM up to twice as slow. */
const CACHE_KIB = 32 * 1024;
/** A writer in another connection holds the lock for milliseconds. */
const LOCK_TIMEOUT_MS = 30_000;
const TRUNCATE_ATTEMPTS = 20;
const TRUNCATE_PAUSE_MS = 100;

self.onmessage = async ({ data: { path, needsRewrite } }) => {
  const done = { isRewritten: !needsRewrite, isCleared: false, error: null, code: null };
  try {
    using database = new Database(path, { readwrite: true, create: false });
    database.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
    database.run('PRAGMA synchronous = FULL');
    if (platform() === 'darwin') database.run('PRAGMA fullfsync = ON');
    database.run('PRAGMA wal_autocheckpoint = 0');
    database.run('PRAGMA secure_delete = ON');
    database.run(`PRAGMA cache_size = -${CACHE_KIB}`);
    if (needsRewrite) database.run('VACUUM');
    done.isRewritten = true;
    // Others can write during the long checkpoint. The short one after it waits for nobody, as it holds the lock.
    database.query('PRAGMA wal_checkpoint(PASSIVE)').get();
    database.run('PRAGMA busy_timeout = 0');
    const truncate = database.query('PRAGMA wal_checkpoint(TRUNCATE)');
    for (let attempt = 0; attempt < TRUNCATE_ATTEMPTS && !done.isCleared; attempt++) {
      if (attempt > 0) await Bun.sleep(TRUNCATE_PAUSE_MS);
      done.isCleared = truncate.get().busy === 0;
    }
  } catch (error) {
    Object.assign(done, { error: error.message, code: error.code ?? null });
  }
  postMessage(done);
};
