import { conflict } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import type { Payload } from '../domain/submissions/submission.ts';
import type { Clock } from '../lib/clock.ts';
import { getRandomPart, newId } from '../lib/ids.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { Store } from '../storage/store.ts';
import { filesAad, payloadAad, type Vault } from '../vault/vault.ts';
import type { FailedFile, FetchedFiles, FileFetcher } from './fetch-files.ts';
import type { ReadyRow } from './read-row.ts';
import type { SourceName } from './sources.ts';

/**
 * Dependencies of imports. `requireSpace` throws if the disk is nearly full; `reportFile` is called for each file that
 * could not be fetched.
 */
export type ImportDeps = Readonly<{
  store: Store;
  blobs: Blobs;
  vault: Vault;
  clock: Clock;
  requireSpace: () => void;
  reportFile: (file: FailedFile) => void;
}>;

/** Limits of a transaction. Other writers wait for it. */
const BATCH = { rows: 200, characters: 1024 * 1024 };
/** Pause after each transaction, so that other writers get the database. */
const PAUSE_MS = 2;

type HashedRow = ReadyRow & Readonly<{ hash: string }>;

/** Returns a function that computes the keyed hashes by which rows are recognized in later imports. */
function rowHasher(vault: Vault, prefix: string) {
  /** The number of rows with each content so far. Equal rows without an id are different submissions. */
  const occurrences = new Map<string, number>();
  return ({ key }: ReadyRow): string => {
    if ('id' in key) return vault.fingerprint('import', `${prefix}\0id\0${key.id}`);
    const hash = vault.fingerprint('import', `${prefix}\0content\0${key.content}`);
    const earlier = occurrences.get(hash) ?? 0;
    occurrences.set(hash, earlier + 1);
    return earlier === 0 ? hash : vault.fingerprint('import', `${hash}\0${earlier}`);
  };
}

/** The form and service of an import. */
export type ImportTarget = Readonly<{ form: Form; source: SourceName }>;

/** Yields the rows in batches with their hashes. */
async function* getBatches(rows: AsyncIterable<ReadyRow>, vault: Vault, { form, source }: ImportTarget) {
  const hashOf = rowHasher(vault, `${form.id}\0${source}`);
  let batch: HashedRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    batch.push({ ...row, hash: hashOf(row) });
    characters += getSize(row.payload);
    if (batch.length < BATCH.rows && characters < BATCH.characters) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function getSize(payload: Payload): number {
  return payload.reduce((sum, [, value]) => sum + (typeof value === 'string' ? value.length : 100), 0);
}

export type ImportCounts = ReturnType<typeof newImportCounts>;

export const newImportCounts = () => ({ added: 0, duplicates: 0, files: 0, filesFailed: 0 });

/** Counts the new rows of an export and the duplicates of imported ones. */
export async function countNew(
  { store, vault }: ImportDeps,
  target: ImportTarget,
  rows: AsyncIterable<ReadyRow>,
  counts: ImportCounts,
): Promise<void> {
  const seen = new Set<string>();
  for await (const batch of getBatches(rows, vault, target)) {
    const storedHashes = new Set(await store.imports.findHashes(batch.map(({ hash }) => hash)));
    for (const { hash } of batch) {
      counts[storedHashes.has(hash) || seen.has(hash) ? 'duplicates' : 'added'] += 1;
      seen.add(hash);
    }
  }
}

/**
 * Imports the new rows of an export in batches and updates `counts`. Returns the id of the import, null if no row is
 * new. A later import of the same export completes an interrupted one. Throws `conflict` if the form is deleted meanwhile.
 */
export async function runImport(
  deps: ImportDeps,
  target: ImportTarget,
  rows: AsyncIterable<ReadyRow>,
  fetcher: FileFetcher | null,
  counts: ImportCounts,
): Promise<string | null> {
  const { store, clock, vault } = deps;
  const { form, source } = target;
  let id: string | null = null;
  for await (const batch of getBatches(rows, vault, target)) {
    deps.requireSpace();
    const storedHashes = new Set(await store.imports.findHashes(batch.map(({ hash }) => hash)));
    const fresh = batch.filter(({ hash }) => !storedHashes.has(hash));
    if (fresh.length > 0 && id === null) {
      id = newId('imp');
      await store.imports.create({ id, formId: form.id, source, createdAt: clock() });
    }
    const added = id === null ? 0 : await addBatch(deps, id, form, fresh, fetcher, counts);
    counts.added += added;
    counts.duplicates += batch.length - added;
  }
  if (id !== null) await store.imports.setEnd(id, { finishedAt: clock() });
  return id;
}

/** Stores rows with their files. Returns the number of stored rows. */
async function addBatch(
  { store, vault, reportFile }: ImportDeps,
  importId: string,
  form: Form,
  rows: readonly HashedRow[],
  fetcher: FileFetcher | null,
  counts: ImportCounts,
): Promise<number> {
  if (rows.length === 0) return 0;
  const fetched = fetcher && (await fetcher.fetchAll(rows));
  try {
    const sealed = rows.map((row, index) => sealRow(vault, form.id, row, fetched?.[index] ?? null));
    const stored = await store.imports.add(importId, sealed);
    if (!stored) throw conflict('The form or this import was deleted meanwhile.');
    // Ids got their times when the rows were stored.
    const ids = new Set(stored.map(getRandomPart));
    for (const [index, { id }] of sealed.entries()) {
      const result = fetched?.[index];
      if (!result || !ids.has(getRandomPart(id))) continue;
      counts.files += result.uploads.length;
      counts.filesFailed += result.failed.length;
      for (const file of result.failed) reportFile(file);
      for (const upload of result.uploads) upload.release();
    }
    await store.upkeep.maintain();
    await Bun.sleep(PAUSE_MS);
    return stored.length;
  } finally {
    for (const upload of fetched?.flatMap((result) => result?.uploads ?? []) ?? []) await upload.discard();
  }
}

function sealRow(vault: Vault, formId: string, { at, hash, isSpam, payload }: HashedRow, fetched: FetchedFiles | null) {
  const id = newId('sub');
  const files = fetched?.uploads.flatMap((upload) => upload.files) ?? [];
  return {
    id,
    hash,
    createdAt: at,
    isSpam,
    payload: vault.sealPayload(fetched?.payload ?? payload, payloadAad(id, formId)),
    files: files.length > 0 ? vault.seal(JSON.stringify(files), filesAad(id, formId)) : null,
    blobs: files.map(({ blob }) => blob),
    fileBytes: files.reduce((sum, { size }) => sum + size, 0),
  };
}

/** Counts of an undone import. */
export type UndoCounts = { submissions: number; files: number };

/**
 * Permanently deletes the submissions of an import with their files, in batches, and updates `counts`. Their rows can
 * then be imported again. An interrupted undo can be repeated.
 */
export async function undoImport(
  { store, blobs, clock }: Pick<ImportDeps, 'store' | 'blobs' | 'clock'>,
  id: string,
  counts: UndoCounts,
): Promise<void> {
  // Before the first deletion, so that a running import ends.
  await store.imports.setEnd(id, { undoneAt: clock() });
  let after: string | null = '';
  while (after !== null) {
    const deleted = await store.retention.deleteImported(id, after);
    counts.submissions += deleted.submissions;
    counts.files += deleted.blobs.length;
    // The sweep removes files whose deletion fails.
    await blobs.remove(deleted.blobs).catch(() => {});
    await store.upkeep.maintain();
    await Bun.sleep(PAUSE_MS);
    after = deleted.last;
  }
}
