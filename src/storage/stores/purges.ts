import { sql } from 'drizzle-orm';
import type { Db } from '../database.ts';
import type { PurgeProgress } from '../records.ts';
import { rewrites } from '../schema.ts';

/** Requests a purge, also within another transaction. */
export async function requestPurge(tx: Db): Promise<void> {
  await tx
    .insert(rewrites)
    .values({ id: 1, requested: 1, rewritten: 0, cleared: 0, attemptedAt: 0 })
    .onConflictDoUpdate({ target: rewrites.id, set: { requested: sql`${rewrites.requested} + 1` } });
}

/** Returns the progress of purges. `lasting` says what they leave behind. */
export async function readPurges(db: Db, lasting: string | null): Promise<PurgeProgress> {
  const { requested, cleared: purged, attemptedAt: purgedAt } = rewrites;
  const [progress] = await db.select({ requested, purged, purgedAt }).from(rewrites);
  return { ...(progress ?? { requested: 0, purged: 0, purgedAt: 0 }), lasting };
}

/** Records that all requests up to `requested` were carried out. */
export async function recordPurge(db: Db, requested: number, attemptedAt: number): Promise<void> {
  const done = { cleared: requested, attemptedAt };
  await db
    .insert(rewrites)
    .values({ id: 1, requested, rewritten: 0, ...done })
    .onConflictDoUpdate({ target: rewrites.id, set: done });
}
