import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SetupError } from '../domain/errors.ts';
import { inheritOwner, syncFile, syncFolder } from '../lib/file-system.ts';
import { encodeMasterKey, generateMasterKey, type MasterKey, type MasterKeys, parseMasterKeys } from './key-ring.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads a key file of one key per line; returns null if it does not exist. Throws `SetupError` if it is invalid or
 * unreadable.
 */
export function readKeyFile(path: string): MasterKeys | null {
  try {
    return parseKeyFile(fs.readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ENOENT') return null;
    throw new SetupError(`Could not read ${path} (${error.code}). Make it readable for the user that runs Formstead.`);
  }
}

/**
 * Creates a key file (mode 0600) with a new key and returns its content. If two processes race, both return the
 * winner's key. File and folder are synced first: a key that a power failure could erase must not seal anything.
 */
export function createKeyFile(path: string): MasterKeys {
  try {
    withDraft(path, [generateMasterKey()], (draft) => fs.linkSync(draft, path));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  syncFolder(dirname(path));
  return parseKeyFile(fs.readFileSync(path, 'utf8'), path);
}

/** Prepends a new key to a key file, syncs it and returns the key. The caller must hold the key lock. */
export function addKeyToFile(path: string): MasterKey {
  const key = generateMasterKey();
  replaceKeys(path, [key, ...(readKeyFile(path) ?? [])]);
  return key;
}

/** Removes a key from a key file. The caller must hold the key lock. */
export function removeKeyFromFile(path: string, id: number): void {
  replaceKeys(
    path,
    (readKeyFile(path) ?? []).filter((key) => key.id !== id),
  );
}

/** Syncs a key file and its folder, for a file that another process may have written. */
export function syncKeyFile(path: string): void {
  syncFile(path);
  syncFolder(dirname(path));
}

/** Replaces the keys atomically. */
function replaceKeys(path: string, keys: readonly MasterKey[]): void {
  removeDrafts(path);
  withDraft(path, keys, (draft) => fs.renameSync(draft, path));
  syncFolder(dirname(path));
}

/** Deletes drafts left by a crash: they contain keys, including one that may be about to be removed. */
function removeDrafts(path: string): void {
  const folder = dirname(path);
  for (const name of fs.readdirSync(folder)) {
    const isDraft = name.startsWith(`${basename(path)}.`) && UUID.test(name.slice(basename(path).length + 1));
    if (isDraft) fs.rmSync(join(folder, name));
  }
}

/** Writes keys to a synced draft beside `path`, which `publish` links or renames into place. */
function withDraft(path: string, keys: readonly MasterKey[], publish: (draft: string) => void): void {
  const draft = `${path}.${crypto.randomUUID()}`;
  const file = fs.openSync(draft, 'wx', 0o600);
  try {
    inheritOwner(draft);
    fs.writeFileSync(file, keys.map((key) => `${encodeMasterKey(key)}\n`).join(''));
    fs.fsyncSync(file);
    publish(draft);
  } finally {
    fs.closeSync(file);
    fs.rmSync(draft, { force: true });
  }
}

function parseKeyFile(text: string, path: string): MasterKeys {
  const keys = parseMasterKeys(text);
  if (!keys) throw new SetupError(`The key file ${path} is damaged. Restore it from your copy.`);
  return keys;
}
