import { getTableColumns } from 'drizzle-orm';
import { webhooks } from '../schema.ts';

const { isSlow: _, deletedAt: __, ...columns } = getTableColumns(webhooks);

/** The columns of `Webhook`. */
export const webhookColumns = columns;
