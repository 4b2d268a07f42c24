import type { SealedCursor, SealedRecord } from '../../storage/records.ts';
import type { MasterKey } from '../../vault/key-ring.ts';
import { openOr } from '../../vault/open-submission.ts';
import { getKeyId, type Vault } from '../../vault/vault.ts';
import type { Services } from '../services.ts';

type Deps = Pick<Services, 'store' | 'vault' | 'clock' | 'log'>;

/** Progress of resealing. Each pass reads all rows; the last pass finds nothing to reseal. */
export type ResealProgress = ReturnType<typeof newResealProgress>;

/** Returns the initial progress. */
export const newResealProgress = () => ({ pass: 0, scanned: 0, resealed: 0, damaged: 0 });

/**
 * Makes `key` the active key. The caller must hold the server lock, and the key must be in the key file already; later
 * processes read the active key from the database. Keyed hashes keep their key.
 */
export async function adoptKey({ store, vault, clock }: Deps, key: MasterKey): Promise<void> {
  const { id, check } = key;
  await store.vaultKeys.activate({ id, check, fingerprintKey: vault.sealFingerprintKey(key) }, clock());
  vault.setActiveKey(key);
}

type Pace = Readonly<{
  /** Called after each batch with its duration in milliseconds, to pause for other work. */
  rest: (durationMs: number) => Promise<unknown>;
  signal?: AbortSignal;
}>;

/**
 * Reseals all records under the active key, in passes of batches, until a pass finds nothing. Returns whether the other
 * keys could be marked as unused. It can be aborted and called again at any time; concurrent changes win, and damaged
 * records stay as they are.
 */
export async function resealAll(deps: Deps, progress: ResealProgress, pace: Pace): Promise<boolean> {
  const { store, vault, log } = deps;
  // Wait for queued submissions that were sealed under the previous key.
  await store.queue.flush();
  while ((await resealPass(deps, progress, pace)) > 0 && !pace.signal?.aborted);
  if (pace.signal?.aborted || !(await store.vaultKeys.endRotation(vault.keyId))) return false;
  if (progress.damaged > 0) log.error('could not open sealed records', { records: progress.damaged });
  // The database still holds copies of the old records. If it is in use now, the job removes them.
  if (await store.upkeep.purge(pace.signal)) await store.upkeep.requestPurge();
  return true;
}

/** Runs one pass and returns the number of records that had to be resealed. */
async function resealPass({ store, vault }: Deps, progress: ResealProgress, { rest, signal }: Pace): Promise<number> {
  let count = 0;
  let from: SealedCursor | null = null;
  progress.pass += 1;
  progress.scanned = 0;
  progress.damaged = 0;
  do {
    const startedAt = performance.now();
    const { records, scanned, next } = await store.sealedRecords.list(from, vault.keyId);
    const changes = [];
    for (const sealed of records) {
      const plaintext = openIfIntact(vault, sealed);
      if (plaintext) changes.push({ ...sealed, resealed: vault.seal(plaintext, sealed.aad) });
    }
    progress.resealed += await store.sealedRecords.replace(changes);
    progress.damaged += records.length - changes.length;
    progress.scanned += scanned;
    count += changes.length;
    from = next;
    await store.upkeep.maintain();
    await rest(performance.now() - startedAt);
  } while (from && !signal?.aborted);
  return count;
}

/** Returns the number of intact records under a key other than the active one. It reads all records. */
export async function countUsesOf({ store, vault }: Deps, keyId: number, currentId: number): Promise<number> {
  let uses = 0;
  let from: SealedCursor | null = null;
  do {
    const { records, next } = await store.sealedRecords.list(from, currentId);
    uses += records.filter((sealed) => openIfIntact(vault, sealed) && getKeyId(sealed.record) === keyId).length;
    from = next;
  } while (from);
  return uses;
}

function openIfIntact(vault: Vault, { record, aad }: SealedRecord): Buffer | null {
  return openOr(() => vault.open(record, aad), null);
}
