import type { SealedCursor } from './records.ts';

export type SealedTable = Readonly<{
  table: string;
  /** The unique column that orders a scan. */
  pointer: string;
  /** A value below every value of `pointer`. */
  start: string | number;
  /** The SQL expression of the form id in the AAD. */
  form: string;
  columns: readonly string[];
}>;

/** All columns with sealed records, except in `vault_keys`, where each row is sealed under its own key. */
export const SEALED_TABLES: readonly SealedTable[] = [
  {
    table: 'submissions',
    pointer: 'created_at',
    start: 0,
    form: '(SELECT f.id FROM forms f WHERE f.key = form_key)',
    columns: ['payload', 'files', 'spam_reasons', 'source'],
  },
  { table: 'forms', pointer: 'id', start: '', form: 'id', columns: ['challenge_secret'] },
  { table: 'consents', pointer: 'id', start: '', form: "''", columns: ['text'] },
  { table: 'mail_servers', pointer: 'id', start: '', form: "''", columns: ['settings'] },
  { table: 'messages', pointer: 'id', start: '', form: 'form_id', columns: ['body'] },
  { table: 'inbox_views', pointer: 'id', start: '', form: "''", columns: ['view'] },
  { table: 'api_requests', pointer: 'id', start: '', form: "''", columns: ['response'] },
  { table: 'spam_models', pointer: 'id', start: '', form: "''", columns: ['weights'] },
  { table: 'spam_lessons', pointer: 'id', start: '', form: "''", columns: ['changes'] },
  { table: 'users', pointer: 'id', start: '', form: "''", columns: ['totp_secret'] },
  { table: 'webhooks', pointer: 'id', start: '', form: 'form_id', columns: ['settings'] },
  { table: 'outbox', pointer: 'id', start: '', form: "coalesce(form_id, '')", columns: ['reason'] },
];

/** The position of the key id in a record, after the version byte. SQL counts from 1. */
export const KEY_ID = { first: 2, bytes: 4 };

/** Returns the position before a table's first record; null after the last table. */
export function getStart(table: number): SealedCursor | null {
  const next = SEALED_TABLES[table];
  return next ? { table, after: next.start } : null;
}
