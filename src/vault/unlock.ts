import { SetupError } from '../domain/errors.ts';
import type { Micros } from '../lib/clock.ts';
import type { StoredVaultKey, VaultKey } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { formatKeyId, type MasterKey, type MasterKeys } from './key-ring.ts';
import { createKeyFile, readKeyFile, syncKeyFile } from './master-key-file.ts';
import { fingerprintKeyAad, Vault } from './vault.ts';

/** The key file in use, and whether this process created it; null if the keys are configured. */
export type KeyFile = Readonly<{ path: string; isNew: boolean }> | null;

/**
 * Reads the primary key from the settings, or from the current content of the key file. Throws `SetupError` if a key in
 * use is missing or damaged. A new key is synced to disk before it is returned.
 */
export type ReadPrimaryKey = () => Promise<MasterKey>;

/**
 * Opens the vault with the configured keys or the key file, which is created for a new database. The active key is the
 * one the database lists as current, even if another is primary by now. Throws `SetupError` if a key in use is missing,
 * damaged or wrong, so that new records never mix with records of a lost key.
 */
export async function unlockVault(
  keyStore: Pick<Store['vaultKeys'], 'list' | 'addFirst'>,
  { configuredKeys, keyFile, now }: Readonly<{ configuredKeys: MasterKeys | null; keyFile: string; now: Micros }>,
): Promise<Readonly<{ vault: Vault; keyFile: KeyFile; readPrimaryKey: ReadPrimaryKey }>> {
  const source = configuredKeys ? 'ENCRYPTION_KEY_FILE or ENCRYPTION_KEY' : keyFile;
  const readKeys = () => configuredKeys ?? readKeyFile(keyFile);
  // Read the database before the key file: a rotation writes the file first.
  const initialKeys = await keyStore.list();
  const existingKeys = readKeys();
  if (!existingKeys && initialKeys.length > 0) throw missingKeyError(keyFile);
  const keys = existingKeys ?? createKeyFile(keyFile);
  const storedKeys = initialKeys.length > 0 ? initialKeys : await keyStore.addFirst(keys[0], now);
  requireKeys(storedKeys, keys, source);
  return {
    vault: openVault(storedKeys, keys, readKeys),
    keyFile: configuredKeys ? null : { path: keyFile, isNew: existingKeys === null },
    readPrimaryKey: async () => {
      const stored = await keyStore.list();
      const present = readKeys();
      if (!present) throw missingKeyError(keyFile);
      requireKeys(stored, present, source);
      const [primary] = present;
      if (!configuredKeys && !stored.some((one) => isSameKey(one, primary))) syncKeyFile(keyFile);
      return primary;
    },
  };
}

/** Returns the notice about the key file that is printed when it is created. */
export function keyFileNotice(path: string): string {
  return `The encryption key is in ${path}. Keep a copy elsewhere: without the key, submissions cannot be read.\n`;
}

const isSameKey = (stored: VaultKey, { id, check }: MasterKey): boolean => stored.id === id && stored.check === check;

function requireKeys(storedKeys: readonly StoredVaultKey[], keys: MasterKeys, source: string): void {
  const isPresent = (stored: VaultKey) => keys.some((key) => isSameKey(stored, key));
  const missingKey = storedKeys.find((stored) => stored.state !== 'unused' && !isPresent(stored));
  if (!missingKey) return;
  if (!storedKeys.some(isPresent)) {
    throw new SetupError(`The key in ${source} does not match this database. Restore the original key.`);
  }
  throw new SetupError(
    `${source} lacks the key ${formatKeyId(missingKey.id)}, which existing records need. ` +
      'Add it from your copy after the other key.',
  );
}

function openVault(storedKeys: readonly StoredVaultKey[], keys: MasterKeys, readKeys: () => MasterKeys | null): Vault {
  const stored = storedKeys.find(({ state }) => state === 'current');
  const current = stored && keys.find((key) => isSameKey(stored, key));
  if (!current) throw new SetupError('The database lists no current key. Restore a backup.');
  const findKey = (id: number) => {
    const findIn = (ring: MasterKeys | null) => ring?.find((key) => key.id === id) ?? null;
    try {
      return findIn(keys) ?? findIn(readKeys());
    } catch {
      // The key file is unreadable at the moment. Callers then report the record as sealed under an unknown key.
      return null;
    }
  };
  if (stored.fingerprintKey === null) return new Vault(current, { findKey });
  try {
    const fingerprintKey = new Vault(current).open(stored.fingerprintKey, fingerprintKeyAad(current.id));
    return new Vault(current, { fingerprintKey, findKey });
  } catch (cause) {
    const message = `The database entry of key ${formatKeyId(current.id)} is damaged. Restore a backup.`;
    throw new SetupError(message, { cause });
  }
}

function missingKeyError(keyFile: string): SetupError {
  return new SetupError(
    `The encryption key of this database is missing. Restore your copy to ${keyFile}, or set ENCRYPTION_KEY.`,
  );
}
