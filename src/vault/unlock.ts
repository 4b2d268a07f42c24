import { SetupError } from '../domain/errors.ts';
import type { Micros } from '../lib/clock.ts';
import type { Store, StoredVaultKey, VaultKey } from '../storage/store.ts';
import { createKeyFile, readKeyFile, syncKeyFile } from './key-file.ts';
import { formatKeyId, type MasterKey, type MasterKeys } from './key-ring.ts';
import { fingerprintKeyAad, Vault } from './vault.ts';

/** The key file that the keys came from, and whether it was made just now; null where the keys were configured. */
export type KeyFile = Readonly<{ path: string; isNew: boolean }> | null;

/**
 * The key to seal under by the settings or the key file as they are now. Throws `SetupError` if a key is missing or damaged
 * under which something is sealed. A key that is new is on the disk when it is given out.
 */
export type ReadPrimaryKey = () => Promise<MasterKey>;

type Options = Readonly<{ configuredKeys: MasterKeys | null; keyFile: string; now: Micros }>;

/**
 * Opens the vault with the configured keys, else with those of the key file, which is made where the database is new. It seals
 * under the key that the database has as the current one, also where another stands first by now. Throws `SetupError` if a key
 * under which something is sealed is missing, damaged or another: nothing is ever written under a fresh key beside records of
 * another.
 */
export async function unlockVault(
  store: Store,
  { configuredKeys, keyFile, now }: Options,
): Promise<Readonly<{ vault: Vault; keyFile: KeyFile; readPrimaryKey: ReadPrimaryKey }>> {
  const source = configuredKeys ? 'ENCRYPTION_KEY_FILE or ENCRYPTION_KEY' : keyFile;
  const readKeys = () => configuredKeys ?? readKeyFile(keyFile);
  // Before the file is read: a rotation writes the file first.
  const before = await store.listVaultKeys();
  const existingKeys = readKeys();
  if (!existingKeys && before.length > 0) throw missingKeyError(keyFile);
  const keys = existingKeys ?? createKeyFile(keyFile);
  const known = before.length > 0 ? before : await store.addFirstVaultKey(keys[0], now);
  requireKeys(known, keys, source);
  return {
    vault: openVault(known, keys, readKeys),
    keyFile: configuredKeys ? null : { path: keyFile, isNew: existingKeys === null },
    readPrimaryKey: async () => {
      const stored = await store.listVaultKeys();
      const present = readKeys();
      if (!present) throw missingKeyError(keyFile);
      requireKeys(stored, present, source);
      const [primary] = present;
      if (!configuredKeys && !stored.some((one) => isSameKey(one, primary))) syncKeyFile(keyFile);
      return primary;
    },
  };
}

/** What the owner must know of the key file. */
export function keyFileNotice(path: string): string {
  return `The encryption key lies in ${path}. Keep a copy elsewhere: without it nothing can be read.\n`;
}

function isSameKey(stored: VaultKey, { id, check }: MasterKey): boolean {
  return stored.id === id && stored.check === check;
}

function requireKeys(known: readonly StoredVaultKey[], keys: MasterKeys, source: string): void {
  const isPresent = (stored: VaultKey) => keys.some((key) => isSameKey(stored, key));
  const missingKey = known.find((stored) => stored.state !== 'unused' && !isPresent(stored));
  if (!missingKey) return;
  if (!known.some(isPresent)) {
    throw new SetupError(`the key in ${source} is not the one this database was sealed with; use that one.`);
  }
  throw new SetupError(
    `${source} lacks the key ${formatKeyId(missingKey.id)}, under which records are sealed; put your copy of it back beside the other.`,
  );
}

function openVault(known: readonly StoredVaultKey[], keys: MasterKeys, readKeys: () => MasterKeys | null): Vault {
  const stored = known.find(({ state }) => state === 'current');
  const current = stored && keys.find((key) => isSameKey(stored, key));
  if (!current) throw new SetupError('the database names no current key; restore a backup.');
  const findKey = (id: number) => {
    const among = (ring: MasterKeys | null) => ring?.find((key) => key.id === id) ?? null;
    try {
      return among(keys) ?? among(readKeys());
    } catch {
      // The key file cannot be read just now, which those who need it say: what is sealed under a key of it does not open.
      return null;
    }
  };
  if (stored.fingerprintKey === null) return new Vault(current, { findKey });
  try {
    const fingerprintKey = new Vault(current).open(stored.fingerprintKey, fingerprintKeyAad(current.id));
    return new Vault(current, { fingerprintKey, findKey });
  } catch (cause) {
    const message = `what the database notes of the key ${formatKeyId(current.id)} is damaged; restore a backup.`;
    throw new SetupError(message, { cause });
  }
}

function missingKeyError(keyFile: string): SetupError {
  return new SetupError(
    `the key of this database is missing: put your copy back at ${keyFile}, or set ENCRYPTION_KEY to it.`,
  );
}
