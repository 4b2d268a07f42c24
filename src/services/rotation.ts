import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { SealedCursor, SealedRecord, Store } from '../storage/store.ts';
import type { MasterKey } from '../vault/key-ring.ts';
import { keyIdOf, UnreadableRecordError, type Vault } from '../vault/vault.ts';

type Deps = Readonly<{ store: Store; vault: Vault; clock: Clock; log: Logger }>;

/** What was done so far. A pass looks at all rows; the last one finds nothing to do. */
export type Resealing = { pass: number; looked: number; resealed: number; damaged: number };

export function newResealing(): Resealing {
  return { pass: 0, looked: 0, resealed: 0, damaged: 0 };
}

/**
 * Seals under this key from now on. Only for who has the lock of the server: whoever serves later finds the key noted. The key
 * must be on the disk, where all who open the vault look for it. Keyed hashes stay as they are.
 */
export async function adoptKey({ store, vault, clock }: Deps, key: MasterKey): Promise<void> {
  const { id, check } = key;
  await store.activateVaultKey({ id, check, fingerprintKey: vault.sealFingerprintKey(key) }, clock());
  vault.setActiveKey(key);
}

type Pace = Readonly<{
  /** Gives others their turn after a batch that took so many milliseconds. */
  rest: (took: number) => Promise<unknown>;
  signal?: AbortSignal;
}>;

/**
 * Seals anew what is sealed under another key than the vault's own, in batches, until a pass over everything finds nothing
 * more; then the other keys are noted as unused, which is the answer. What others change or delete meanwhile stays as they
 * left it. Ended at any moment, it goes on when it is called again. Records that do not open are left as they are.
 */
export async function resealAll(deps: Deps, progress: Resealing, pace: Pace): Promise<boolean> {
  const { store, vault, log } = deps;
  // One that was sealed under the key before may still wait for the disk.
  await store.flushSubmissions();
  while ((await resealOnce(deps, progress, pace)) > 0 && !pace.signal?.aborted);
  if (pace.signal?.aborted || !(await store.endRotation(vault.keyId))) return false;
  if (progress.damaged > 0) log.error('sealed records do not open', { records: progress.damaged });
  // What they were before is in the log of the database; if that is in use just now, the next to clear it takes them along.
  await store.truncateWal();
  return true;
}

/** How many records there were to seal anew. */
async function resealOnce({ store, vault }: Deps, progress: Resealing, { rest, signal }: Pace): Promise<number> {
  let found = 0;
  let from: SealedCursor | null = null;
  progress.pass += 1;
  progress.looked = 0;
  progress.damaged = 0;
  do {
    const began = performance.now();
    const { records, scanned, next } = await store.listSealedRecords(from, vault.keyId);
    const changes = [];
    for (const one of records) {
      const plaintext = openIfWhole(vault, one);
      if (plaintext) changes.push({ ...one, resealed: vault.seal(plaintext, one.aad) });
    }
    progress.resealed += await store.replaceSealedRecords(changes);
    progress.damaged += records.length - changes.length;
    progress.looked += scanned;
    found += changes.length;
    from = next;
    await store.checkpointWal();
    await rest(performance.now() - began);
  } while (from && !signal?.aborted);
  return found;
}

/** How many records that open are sealed under a key other than the current one. Reads everything. */
export async function countUsesOf({ store, vault }: Deps, keyId: number, currentId: number): Promise<number> {
  let uses = 0;
  let from: SealedCursor | null = null;
  do {
    const { records, next } = await store.listSealedRecords(from, currentId);
    uses += records.filter((one) => openIfWhole(vault, one) && keyIdOf(one.record) === keyId).length;
    from = next;
  } while (from);
  return uses;
}

function openIfWhole(vault: Vault, { record, aad }: SealedRecord): Buffer | null {
  try {
    return vault.open(record, aad);
  } catch (error) {
    if (error instanceof UnreadableRecordError) return null;
    throw error;
  }
}
