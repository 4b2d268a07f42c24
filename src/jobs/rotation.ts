import { SetupError } from '../domain/errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { recordAction, SYSTEM } from '../services/audit.ts';
import { adoptKey, newResealProgress, resealAll } from '../services/rotation.ts';
import type { Store } from '../storage/store.ts';
import { keyName, type MasterKey } from '../vault/key-ring.ts';
import type { KeyFile, WantedKey } from '../vault/unlock.ts';
import type { Vault } from '../vault/vault.ts';
import type { Job } from './loop.ts';

/** After each batch posts have the machine to themselves for so many times as long as it took, at least a millisecond. */
const REST = 2;
const LEAST_REST_MS = 1;

type Deps = Readonly<{
  store: Store;
  vault: Vault;
  clock: Clock;
  log: Logger;
  keyFile: KeyFile;
  wantedKey: WantedKey;
}>;

/** Takes up a new key as soon as the settings or the key file have one, and seals everything anew under it. */
export function rotationJob(deps: Deps): Job {
  const { store, vault, log } = deps;
  let complaint = '';

  const wantedKey = async (): Promise<MasterKey | null> => {
    try {
      const key = await deps.wantedKey();
      complaint = '';
      return key;
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      // Once, not with every look.
      if (error.message !== complaint) log.error('the encryption keys are not in order', { error: error.message });
      complaint = error.message;
      return null;
    }
  };

  const step = async (signal: AbortSignal) => {
    const wanted = await wantedKey();
    if (wanted && wanted.id !== vault.keyId) {
      await adoptKey(deps, wanted);
      const key = keyName(wanted.id);
      log.info('a new encryption key is in use', { key });
      // Where it is in the key file, the command that made it has recorded that.
      if (!deps.keyFile) {
        await recordAction(deps, { teamIds: [], actor: SYSTEM, action: 'vault.rotated', details: { key } });
      }
      // The rest is for the next step: until then what was just being sealed is committed.
      return;
    }
    const keys = await store.listVaultKeys();
    if (!keys.some(({ state }) => state === 'retiring')) return;
    const progress = newResealProgress();
    const rest = (took: number) => Bun.sleep(Math.max(LEAST_REST_MS, REST * took));
    if (await resealAll(deps, progress, { rest, signal })) {
      const { resealed, damaged } = progress;
      log.info('everything is sealed under the new encryption key', { key: keyName(vault.keyId), resealed, damaged });
    }
  };
  return { name: 'rotation', everyMs: 1_000, step };
}
