import { AppError } from '../../domain/errors.ts';
import type { DiskWatch } from '../disk-watch.ts';
import type { Store } from '../store.ts';
import { syncErrorCode } from './database.ts';

type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * Wraps a store to report failed syncs to `disk` and to refuse every method after one. The check is repeated after each
 * unit of work, because one that ran between the failure and its report may not be durable either.
 */
export function watchedStore(store: Store, disk: DiskWatch): Store {
  const watch =
    (method: Method): Method =>
    async (...args) => {
      disk.requireHealthy();
      try {
        const result = await method(...args);
        disk.requireHealthy();
        return result;
      } catch (error) {
        const code = syncErrorCode(error instanceof AppError ? error.cause : error);
        if (code !== null) disk.reportSyncFailure('database', code);
        throw error;
      }
    };
  const methods = Object.entries(store).map(([name, method]) => [name, watch(method as Method)]);
  return Object.fromEntries(methods) as Store;
}
