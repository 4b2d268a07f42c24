import { getTableColumns } from 'drizzle-orm';
import { outbox, webhooks } from '../schema.ts';

const { isSlow: _, deletedAt: __, ...columns } = getTableColumns(webhooks);

/** The columns of `Webhook`. */
export const webhookColumns = columns;

const { id, event, submissionId, deleted, failures, fence, createdAt } = outbox;

/** The columns of a delivery that was claimed. */
export const claimedColumns = { id, event, submissionId, deleted, failures, fence, createdAt };
