import {
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SetupError } from '../domain/errors.ts';
import { syncFile, syncFolder } from '../lib/sync-folder.ts';
import { encodeMasterKey, generateMasterKey, type MasterKey, type MasterKeys, parseMasterKeys } from './key-ring.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The keys in a key file, a line each, or null if there is no such file. Throws `SetupError` if it is damaged or not ours. */
export function readKeyFile(path: string): MasterKeys | null {
  try {
    return parseKeyFile(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ENOENT') return null;
    throw new SetupError(`${path} cannot be read (${error.code}); give it to the user that Formstead runs as.`);
  }
}

/**
 * Makes a key file with a new key, mode 0600, and returns what stands in it once it is on the disk. Of two processes that make
 * it at the same moment one wins, and both get the winner's key. The folder is synced too: a key that a power cut could take
 * away must not seal anything.
 */
export function createKeyFile(path: string): MasterKeys {
  try {
    withDraft(path, [generateMasterKey()], (draft) => linkSync(draft, path));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  syncFolder(dirname(path));
  return parseKeyFile(readFileSync(path, 'utf8'), path);
}

/** Puts a new key before those in a key file, and returns it once it is on the disk. One process at a time. */
export function addKeyToFile(path: string): MasterKey {
  const key = generateMasterKey();
  replaceKeys(path, [key, ...(readKeyFile(path) ?? [])]);
  return key;
}

/** Takes the key of this id out of a key file. One process at a time. */
export function removeKeyFromFile(path: string, id: number): void {
  replaceKeys(
    path,
    (readKeyFile(path) ?? []).filter((key) => key.id !== id),
  );
}

/** Makes a key file and its name survive a power cut, whoever wrote it. */
export function syncKeyFile(path: string): void {
  syncFile(path);
  syncFolder(dirname(path));
}

/** Readers see the file as it was, or as it is then. It stays its owner's, also where root runs the command. */
function replaceKeys(path: string, keys: readonly MasterKey[]): void {
  const { uid, gid } = statSync(path);
  removeDrafts(path);
  withDraft(path, keys, (draft) => {
    if (statSync(draft).uid !== uid) chownSync(draft, uid, gid);
    renameSync(draft, path);
  });
  syncFolder(dirname(path));
}

/** Those that a crash left behind hold keys, and among them perhaps the one that is to be removed. */
function removeDrafts(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    const isDraft = name.startsWith(`${basename(path)}.`) && UUID.test(name.slice(basename(path).length + 1));
    if (isDraft) rmSync(join(folder, name));
  }
}

/** Writes keys beside a file, synced, for `place` to put them there. */
function withDraft(path: string, keys: readonly MasterKey[], publish: (draft: string) => void): void {
  const draft = `${path}.${crypto.randomUUID()}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, keys.map((key) => `${encodeMasterKey(key)}\n`).join(''));
    fsyncSync(file);
    publish(draft);
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}

function parseKeyFile(text: string, path: string): MasterKeys {
  const keys = parseMasterKeys(text);
  if (!keys) throw new SetupError(`the key file ${path} is damaged; put back your copy of it.`);
  return keys;
}
