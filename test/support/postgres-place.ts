import { join } from 'node:path';
import { DEFAULT_SETTINGS } from '../../src/domain/forms/form.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { postgresStore } from '../../src/storage/postgres/postgres-store.ts';

/** Creates the form `frm` of a team on a plan. */
export async function createPlace(store: ReturnType<typeof postgresStore>, plan: string): Promise<void> {
  const now = systemClock();
  const rules = { requiresSecondFactor: false, learnsSpam: true, setUpAt: null };
  await store.teams.create({ id: 'team', name: 'T', plan, ...rules, createdAt: now });
  await store.workspaces.create({ id: 'wsp', teamId: 'team', name: 'W', position: 0, createdAt: now });
  await store.forms.create({
    ...{ ...DEFAULT_SETTINGS, id: 'frm', shortId: 'f', workspaceId: 'wsp', name: 'F', createdAt: now },
    ...{ isActive: true, webhookRoutes: [], archivedAt: null, trashedAt: null },
  });
}

/** Starts a process of `postgres-worker.ts` that works on a database. */
export function startWorker(url: string, role: string, number = 0) {
  const script = join(import.meta.dir, 'postgres-worker.ts');
  return Bun.spawn([process.execPath, script, url, role, String(number)], { stdout: 'pipe', stderr: 'inherit' });
}
