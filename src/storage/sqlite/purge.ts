import { closeSync, openSync } from 'node:fs';
import type { Clock } from '../../lib/clock.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { PurgeProgress, Residue, Store } from '../store.ts';
import { type Drizzle, SyncError } from './database.ts';
import purgeWorker from './purge-worker.js' with { type: 'text' };
import { unitOfWork } from './units.ts';

/** Requests a purge, also within another transaction. */
export const REQUEST_PURGE = `INSERT INTO rewrites (id, requested, rewritten, cleared, attempted_at) VALUES (1, 1, 0, 0, 0)
  ON CONFLICT (id) DO UPDATE SET requested = requested + 1`;

const NONE: PurgeProgress = { requested: 0, purged: 0, purgedAt: 0, lasting: null };

/** Creates the store methods that purge the database, and a function that frees their file. */
export function purgeStore(db: Drizzle, clock: Clock) {
  const { $client } = db;
  const select = $client.query<PurgeProgress, []>(
    'SELECT requested, cleared AS purged, attempted_at AS purgedAt, NULL AS lasting FROM rewrites',
  );
  const record = $client.query<null, Omit<PurgeProgress, 'lasting'>>(
    `INSERT INTO rewrites (id, requested, rewritten, cleared, attempted_at) VALUES (1, $requested, 0, $purged, $purgedAt)
     ON CONFLICT (id) DO UPDATE SET cleared = $purged, attempted_at = $purgedAt`,
  );
  const read = () => unitOfWork(() => select.get() ?? NONE);
  // Kept open: closing a file of a database releases the locks of this process.
  let file: number | null = null;
  const turns = new Semaphore(1);
  const purge = async (signal?: AbortSignal): Promise<Residue | null> => {
    file ??= openSync($client.filename, 'r+');
    let requested: number;
    let runs = 0;
    do {
      requested = (await read()).requested;
      const { reason, syncError } = await runWorker({ path: $client.filename, file }, signal);
      if (syncError !== null) throw new SyncError(syncError);
      if (reason !== null) return { reason, until: null };
      runs += 1;
      // Once more for an erasure that ended meanwhile: its last request would wait for the next purge, an hour.
    } while (runs < 2 && (await read()).requested > requested);
    await unitOfWork(() => void record.run({ requested, purged: requested, purgedAt: clock() }));
    return null;
  };

  return {
    methods: {
      readPurges: read,

      requestPurge: () => unitOfWork(() => void $client.run(REQUEST_PURGE)),

      purge: (signal?: AbortSignal) => turns.run(() => purge(signal)),
    } satisfies Partial<Store>,

    close: () => {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

type Job = Readonly<{ path: string; file: number }>;
type Done = Readonly<{ reason: string | null; syncError: string | null }>;

/** Runs the worker, which stops within a step when `signal` aborts. */
async function runWorker(job: Job, signal: AbortSignal | undefined): Promise<Done> {
  // Imported as text, so that the compiled binary contains it.
  const code = URL.createObjectURL(new Blob([purgeWorker], { type: 'text/javascript' }));
  const worker = new Worker(code);
  const stop = () => worker.postMessage('stop');
  signal?.addEventListener('abort', stop, { once: true });
  const { promise, resolve } = Promise.withResolvers<Done>();
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message: reason }) => resolve({ reason, syncError: null });
  worker.postMessage(job);
  if (signal?.aborted) stop();
  try {
    return await promise;
  } finally {
    signal?.removeEventListener('abort', stop);
    worker.terminate();
    URL.revokeObjectURL(code);
  }
}
