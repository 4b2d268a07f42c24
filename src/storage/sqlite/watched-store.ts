import { AppError } from '../../domain/errors.ts';
import type { DiskWatch } from '../disk-watch.ts';
import type { Store } from '../store.ts';
import { failedSyncOf } from './database.ts';

type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * The same store, which tells `disk` of a sync that failed and from then on refuses everything. It looks again after each
 * unit of work: one that was done between a failure and its report is not believed either.
 */
export function watchedStore(store: Store, disk: DiskWatch): Store {
  const watch =
    (method: Method): Method =>
    async (...args) => {
      disk.requireTrust();
      try {
        const result = await method(...args);
        disk.requireTrust();
        return result;
      } catch (error) {
        const code = failedSyncOf(error instanceof AppError ? error.cause : error);
        if (code !== null) disk.syncFailed('database', code);
        throw error;
      }
    };
  const methods = Object.entries(store).map(([name, method]) => [name, watch(method as Method)]);
  return Object.fromEntries(methods) as Store;
}
