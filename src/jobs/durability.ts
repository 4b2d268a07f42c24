import type { Logger } from '../lib/log.ts';
import type { DurabilityReport } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import type { Job } from './loop.ts';

type Deps = Readonly<{ store: Pick<Store, 'upkeep'>; log: Logger }>;

/**
 * Creates the job that logs each change of what an acknowledged submission survives, such as after a failover to another
 * server. The start logs the first state.
 */
export function durabilityJob({ store, log }: Deps): Job {
  let last: DurabilityReport | null = null;
  return {
    name: 'durability check',
    everyMs: 5_000,
    step: async () => {
      const report = await store.upkeep.readDurability();
      const isChanged = last !== null && !Bun.deepEquals(report, last);
      const isWorse = report.machines < (last?.machines ?? 0) || report.faults.length > (last?.faults.length ?? 0);
      last = report;
      if (!isChanged) return;
      const details = { machines: report.machines, faults: report.faults.join(' ') || undefined };
      if (report.isRefusing)
        log.error('submissions are refused, because a crash of the database could lose them', details);
      else if (isWorse) log.warn(`the database has changed: ${report.message}`, details);
      else log.info(`the database has changed: ${report.message}`, details);
    },
  };
}
