import { SetupError } from '../domain/errors.ts';
import { recordAction, SYSTEM } from '../services/audit/audit.ts';
import { adoptKey, newResealProgress, resealAll } from '../services/instance/rotation.ts';
import type { Services } from '../services/services.ts';
import type { StoredVaultKey } from '../storage/records.ts';
import { formatKeyId, type MasterKey } from '../vault/key-ring.ts';
import type { KeyFile, ReadPrimaryKey } from '../vault/unlock.ts';
import type { Job } from './loop.ts';

/** The pause after each batch, as a multiple of its duration, in which submissions have the database to themselves. */
const PAUSE_FACTOR = 2;
const MIN_PAUSE_MS = 1;

type Deps = Pick<Services, 'store' | 'vault' | 'clock' | 'log'> &
  Readonly<{ keyFile: KeyFile; readPrimaryKey: ReadPrimaryKey }>;

/**
 * Creates the job that activates a new encryption key from the settings or the key file and reseals all records under
 * it. A process that is not the leader activates the key of the leader.
 */
export function rotationJob(deps: Deps): Job {
  const { store, vault, log } = deps;
  let lastError = '';

  /** Logs an error, a repeated one once. */
  const logOnce = (error: string) => {
    if (error !== lastError) log.error('cannot load the encryption keys', { error });
    lastError = error;
  };

  const readWantedKey = async (): Promise<MasterKey | null> => {
    try {
      const key = await deps.readPrimaryKey();
      lastError = '';
      return key;
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      logOnce(error.message);
      return null;
    }
  };

  /** Activates the current key of the database if another process has changed it. */
  const follow = (keys: readonly StoredVaultKey[]) => {
    const current = keys.find(({ state }) => state === 'current');
    if (!current || current.id === vault.keyId || vault.activate(current.id)) return;
    logOnce(`The keys lack the current one, ${formatKeyId(current.id)}. Add it to ENCRYPTION_KEY of this process.`);
  };

  const step = async (signal: AbortSignal) => {
    const keys = await store.vaultKeys.list();
    follow(keys);
    if (!(await store.instances.lead())) return;
    const target = await readWantedKey();
    if (target && target.id !== vault.keyId) {
      await adoptKey(deps, target);
      const key = formatKeyId(target.id);
      log.info('new encryption key active', { key });
      // For a key file, the command that created the key has recorded the rotation.
      if (!deps.keyFile) {
        await recordAction(deps, { teamIds: [], actor: SYSTEM, action: 'vault.rotated', details: { key } });
      }
      // Reseal in the next step, when records just sealed under the old key have been committed.
      return;
    }
    if (!keys.some(({ state }) => state === 'retiring')) return;
    // Processes that have not noticed the new key still seal under the previous one.
    if (!(await store.instances.allSealWith(vault.keyId))) return;
    const progress = newResealProgress();
    const rest = (elapsed: number) => Bun.sleep(Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * elapsed));
    if (await resealAll(deps, progress, { rest, signal })) {
      const { resealed, damaged } = progress;
      log.info('encryption key rotation complete', { key: formatKeyId(vault.keyId), resealed, damaged });
    }
  };
  return { name: 'key rotation', everyMs: 1_000, step };
}
