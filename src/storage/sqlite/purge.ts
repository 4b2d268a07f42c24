import { closeSync, openSync } from 'node:fs';
import type { Clock } from '../../lib/clock.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { Db } from '../database.ts';
import type { Residue } from '../records.ts';
import type { EngineStores } from '../store.ts';
import { readPurges, recordPurge, requestPurge } from '../stores/purges.ts';
import { type Drizzle, SyncError } from './database.ts';
import purgeWorker from './purge-worker.js' with { type: 'text' };
import type { UnitQueue } from './units.ts';

export function purgeStore({ $client }: Drizzle, db: Db, clock: Clock, units: UnitQueue) {
  const read = () => units.run(() => readPurges(db, null));
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
    await units.run(() => recordPurge(db, requested, clock()));
    return null;
  };

  return {
    methods: {
      readPurges: read,

      requestPurge: () => units.run(() => requestPurge(db)),

      purge: (signal?: AbortSignal) => turns.run(() => purge(signal)),
    } satisfies Partial<EngineStores['upkeep']>,

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
