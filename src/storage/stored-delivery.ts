import type { DeliveryState, StoredDelivery } from './records.ts';

const SEEN_AS = {
  queued: 'queued',
  retrying: 'retrying',
  sent: 'delivered',
  dead: 'failed',
  canceled: 'canceled',
} as const;

/** A row of the outbox; mails have no webhook and no event. */
type Row = Omit<StoredDelivery, 'webhookId' | 'event' | 'state' | 'attempts'> &
  Readonly<{
    webhookId: string | null;
    event: StoredDelivery['event'] | null;
    state: keyof typeof SEEN_AS;
    failures: number;
  }>;

/** Returns the delivery of a row, as people see it in the log. */
export function toStored(row: Row): StoredDelivery {
  const state: DeliveryState = SEEN_AS[row.state];
  const isPending = state === 'queued' || state === 'retrying';
  return {
    id: row.id,
    webhookId: row.webhookId ?? '',
    event: row.event ?? 'webhook.test',
    submissionId: row.submissionId,
    deleted: row.deleted,
    state,
    attempts: row.failures + (state === 'delivered' ? 1 : 0),
    lastStatus: row.lastStatus,
    durationMs: row.durationMs,
    reason: row.reason,
    dueAt: isPending ? row.dueAt : null,
    createdAt: row.createdAt,
    settledAt: row.settledAt,
  };
}
