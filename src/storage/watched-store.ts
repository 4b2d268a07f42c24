import { AppError } from '../domain/errors.ts';
import { describeFailure, isDamage } from '../domain/instance/system-fault.ts';
import type { DiskWatch } from './disk-watch.ts';
import { mapMethods } from './map-methods.ts';
import { syncErrorCode } from './sqlite/database.ts';
import type { Store } from './store.ts';

/**
 * Wraps a store to report failed syncs, damage and submissions that could not be stored to `disk`, and to refuse every
 * method after a failed sync. The check is repeated after each unit of work, because one that ran between the failure and
 * its report may not be durable either.
 */
export function watchedStore(store: Store, disk: DiskWatch): Store {
  const watch = async (method: (...args: unknown[]) => unknown, args: unknown[], isAccepting: boolean) => {
    try {
      disk.requireHealthy();
      const result = await method(...args);
      disk.requireHealthy();
      if (isAccepting) disk.isRefusing = false;
      return result;
    } catch (error) {
      const cause = error instanceof AppError ? error.cause : error;
      const code = syncErrorCode(cause);
      if (code !== null) disk.reportSyncFailure('database', code);
      if (isDamage(cause)) disk.reportDamage(describeFailure(cause));
      if (isAccepting) disk.isRefusing = true;
      throw error;
    }
  };
  const { close, within, ...stores } = store;
  const watched = mapMethods<typeof stores>(
    stores,
    (method, noun, name) =>
      (...args) =>
        watch(method, args, noun === 'queue' && name === 'accept'),
  );
  return {
    ...watched,
    within: (workspaceIds) => watchedStore(within(workspaceIds), disk),
    close: () => watch(close, [], false).then(() => {}),
  };
}
