import { dirname } from 'node:path';
import { getTableColumns } from 'drizzle-orm';
import { abortable } from '../../lib/abortable.ts';
import type { Clock } from '../../lib/clock.ts';
import { freeBytes } from '../../lib/free-space.ts';
import type { RewriteProgress, Store } from '../store.ts';
import { databaseBytes } from './copy-database.ts';
import { type Drizzle, inRewrite, SyncError } from './database.ts';
import rewriteWorker from './rewrite-worker.js' with { type: 'text' };
import { rewrites } from './schema.ts';
import { unitOfWork } from './units.ts';

type RewriteMethods = 'readRewrites' | 'requestRewrite' | 'rewriteDatabase';

/** Requests a rewrite, also within another transaction. */
export const REQUEST_REWRITE = `INSERT INTO rewrites (id, requested, rewritten, cleared, attempted_at) VALUES (1, 1, 0, 0, 0)
  ON CONFLICT (id) DO UPDATE SET requested = requested + 1`;

/** Space for a rewrite, as a multiple of the database: a copy, and the write-ahead log. */
const SPACE_FACTOR = 2;
const NONE: RewriteProgress = { requested: 0, rewritten: 0, cleared: 0, attemptedAt: 0 };

/** Creates the store methods that rewrite the database. */
export function rewriteStore(db: Drizzle, clock: Clock): Pick<Store, RewriteMethods> {
  const { id: _, ...columns } = getTableColumns(rewrites);
  const read = () => unitOfWork(() => db.select(columns).from(rewrites).get() ?? NONE);
  const record = (changes: Partial<RewriteProgress>) => unitOfWork(() => void db.update(rewrites).set(changes).run());

  return {
    readRewrites: read,

    requestRewrite: () => unitOfWork(() => void db.$client.run(REQUEST_REWRITE)),

    rewriteDatabase: async (minFreeBytes, signal) => {
      const { requested, rewritten } = await read();
      const needsRewrite = rewritten < requested;
      const missing = needsRewrite ? missingBytes(db, minFreeBytes) : 0;
      if (missing > 0) {
        await record({ attemptedAt: clock() });
        return `not enough disk space: ${Math.ceil(missing / 1_000_000)} MB are missing`;
      }
      inRewrite.add(db);
      const job = { path: db.$client.filename, needsRewrite };
      const { isRewritten, isCleared, error, code } = await runWorker(job, signal).finally(() => inRewrite.delete(db));
      if (code?.endsWith('FSYNC')) throw new SyncError(code);
      await record({
        ...(isRewritten && { rewritten: requested }),
        ...(isCleared && { cleared: requested }),
        attemptedAt: clock(),
      });
      if (error !== null) return error;
      return isCleared ? null : 'the write-ahead log is in use';
    },
  };
}

/** Returns the bytes that a rewrite needs beyond the free ones; 0 or less if there is room. */
function missingBytes(db: Drizzle, minFreeBytes: number): number {
  return SPACE_FACTOR * databaseBytes(db.$client) + minFreeBytes - freeBytes(dirname(db.$client.filename));
}

type Job = Readonly<{ path: string; needsRewrite: boolean }>;
type Done = Readonly<{ isRewritten: boolean; isCleared: boolean; error: string | null; code: string | null }>;

/** Runs the worker. Rejects when `signal` aborts; SQLite rolls an unfinished rewrite back. */
async function runWorker(job: Job, signal: AbortSignal): Promise<Done> {
  // Imported as text, so that the compiled binary contains it.
  const code = URL.createObjectURL(new Blob([rewriteWorker], { type: 'text/javascript' }));
  const worker = new Worker(code);
  const { promise, resolve } = Promise.withResolvers<Done>();
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message: error }) => resolve({ isRewritten: false, isCleared: false, error, code: null });
  worker.postMessage(job);
  try {
    return await abortable(signal, promise);
  } finally {
    worker.terminate();
    URL.revokeObjectURL(code);
  }
}
