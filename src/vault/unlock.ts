import { SetupError } from '../domain/errors.ts';
import type { Micros } from '../lib/clock.ts';
import type { Store } from '../storage/store.ts';
import { readKeyFile, writeKeyFile } from './key-file.ts';
import { type MasterKey, newMasterKeyText, parseMasterKey } from './key-ring.ts';
import { Vault } from './vault.ts';

/** The key file that the key came from, and whether it was made just now; null where the key was configured. */
export type KeyFile = Readonly<{ path: string; isNew: boolean }> | null;

type Options = Readonly<{ configuredKey: MasterKey | null; keyFile: string; now: Micros }>;

/**
 * Opens the vault with the configured key, else with that of the key file, which is made where the database is new.
 * Throws `SetupError` if the key is missing, damaged or not the one that sealed this database: nothing is ever written
 * under a fresh key beside records of another.
 */
export async function unlockVault(
  store: Store,
  { configuredKey, keyFile, now }: Options,
): Promise<Readonly<{ vault: Vault; keyFile: KeyFile }>> {
  const databaseIsNew = (await store.listVaultKeys()).length === 0;
  const found = configuredKey ?? keyFromFile(keyFile);
  if (!found && !databaseIsNew) {
    throw new SetupError(
      `the key of this database is missing: put your copy back at ${keyFile}, or set ENCRYPTION_KEY to it.`,
    );
  }
  const key = found ?? keyFromText(writeKeyFile(keyFile, newMasterKeyText()), keyFile);
  const known = await store.addFirstVaultKey(key, now);
  if (!known.some(({ id, check }) => id === key.id && check === key.check)) {
    const source = configuredKey ? 'ENCRYPTION_KEY_FILE or ENCRYPTION_KEY' : keyFile;
    throw new SetupError(`the key in ${source} is not the one this database was sealed with; use that one.`);
  }
  return { vault: new Vault(key), keyFile: configuredKey ? null : { path: keyFile, isNew: found === null } };
}

/** What the owner must know of the key file. */
export function keyFileNotice(path: string): string {
  return `The encryption key lies in ${path}. Keep a copy elsewhere: without it nothing can be read.\n`;
}

function keyFromFile(path: string): MasterKey | null {
  const text = readKeyFile(path);
  return text === null ? null : keyFromText(text, path);
}

function keyFromText(text: string, path: string): MasterKey {
  const key = parseMasterKey(text);
  if (!key) throw new SetupError(`the key file ${path} is damaged; put back your copy of it.`);
  return key;
}
