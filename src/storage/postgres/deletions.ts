import { inArray, sql } from 'drizzle-orm';
import type { Micros } from '../../lib/clock.ts';
import type { Db } from '../database.ts';
import type { DeletionResult } from '../records.ts';
import { files, outbox, submissions } from '../schema.ts';
import { queueDeletionEvents } from '../stores/delivery-writers.ts';

/** A submission that the transaction has locked. */
export type Locked = Readonly<{ createdAt: Micros; id: string; formId: string }>;

type OutboxCounts = Pick<DeletionResult, 'mails' | 'mailsInFlight' | 'deliveries' | 'deliveriesInFlight'>;

export const NOTHING: DeletionResult = {
  ...{ submissions: 0, blobs: [] },
  ...{ mails: 0, mailsInFlight: 0, deliveries: 0, deliveriesInFlight: 0 },
};

/** Deletes submissions that the transaction has locked, with their files, messages, mails and deliveries. */
export async function deleteLocked(
  tx: Db,
  locked: readonly Locked[],
  now: Micros,
  announce = queueDeletionEvents,
): Promise<DeletionResult> {
  if (locked.length === 0) return NOTHING;
  const ids = locked.map(({ id }) => id);
  const isInFlight = sql`state IN ('queued', 'retrying') AND leased_until > ${now}`;
  const rows = await tx.rows<OutboxCounts>(sql`
    SELECT count(*) FILTER (WHERE webhook_id IS NULL) AS mails,
      count(*) FILTER (WHERE webhook_id IS NULL AND ${isInFlight}) AS "mailsInFlight",
      count(*) FILTER (WHERE webhook_id IS NOT NULL) AS deliveries,
      count(*) FILTER (WHERE webhook_id IS NOT NULL AND ${isInFlight}) AS "deliveriesInFlight"
    FROM outbox WHERE ${inArray(outbox.submissionId, ids)}`);
  const blobs = await tx.select({ blob: files.blob }).from(files).where(inArray(files.submissionId, ids));
  await announce(tx, locked, now);
  const times = locked.map(({ createdAt }) => createdAt);
  await tx.delete(submissions).where(inArray(submissions.createdAt, times));
  return { ...NOTHING, ...rows[0], submissions: ids.length, blobs: blobs.map(({ blob }) => blob) };
}
