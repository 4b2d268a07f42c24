import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Scope } from '../../domain/api-key.ts';
import type { ChallengeKind } from '../../domain/challenge.ts';
import type { FormField } from '../../domain/form.ts';
import type { MailKind, MailState } from '../../domain/mail.ts';

// Times are whole microseconds since 1970, in UTC.

export const teams = sqliteTable('teams', {
  id: text().primaryKey(),
  name: text().notNull(),
  plan: text().notNull(),
  createdAt: integer('created_at').notNull(),
});

export const workspaces = sqliteTable(
  'workspaces',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    name: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('workspaces_of_team').on(table.teamId)],
);

export const forms = sqliteTable(
  'forms',
  {
    id: text().primaryKey(),
    shortId: text('short_id').notNull().unique(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text().notNull(),
    isActive: integer('is_active', { mode: 'boolean' }).notNull(),
    redirectUrl: text('redirect_url'),
    fields: text({ mode: 'json' }).$type<readonly FormField[]>().notNull(),
    enforcesRules: integer('enforces_rules', { mode: 'boolean' }).notNull().default(false),
    allowedOrigins: text('allowed_origins', { mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    allowedFileTypes: text('allowed_file_types', { mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    thanksTitle: text('thanks_title'),
    thanksText: text('thanks_text'),
    challenge: text().$type<ChallengeKind>(),
    challengeVerifyUrl: text('challenge_verify_url'),
    challengeSecret: blob('challenge_secret', { mode: 'buffer' }).$type<Uint8Array>(),
    blockedWords: text('blocked_words', { mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    notify: text({ mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    attachFiles: integer('attach_files', { mode: 'boolean' }).notNull().default(false),
    threadMails: integer('thread_mails', { mode: 'boolean' }).notNull().default(false),
    autoReplySubject: text('auto_reply_subject'),
    autoReplyText: text('auto_reply_text'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('forms_of_workspace').on(table.workspaceId)],
);

/**
 * `created_at` is the rowid: rows lie in the order they came in, and an index on the form alone is a keyset of that
 * form by time. AUTOINCREMENT keeps the highest one ever given out, so that none comes twice even if its row is
 * deleted.
 */
export const submissions = sqliteTable(
  'submissions',
  {
    createdAt: integer('created_at').primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    formId: text('form_id')
      .notNull()
      .references(() => forms.id),
    isSpam: integer('is_spam', { mode: 'boolean' }).notNull(),
    payload: blob({ mode: 'buffer' }).notNull(),
    files: blob({ mode: 'buffer' }),
    spamReasons: blob('spam_reasons', { mode: 'buffer' }),
  },
  (table) => [
    index('submissions_of_form').on(table.formId),
    index('spam_of_form').on(table.formId).where(sql`is_spam = 1`),
  ],
);

/** Which blob belongs to which submission; what is in it and its key lie sealed in `submissions.files`. */
export const files = sqliteTable(
  'files',
  {
    blob: text().primaryKey(),
    submissionId: text('submission_id')
      .notNull()
      .references(() => submissions.id, { onDelete: 'cascade' }),
  },
  (table) => [index('files_of_submission').on(table.submissionId)],
);

/** What was sent under an Idempotency-Key; both are keyed hashes. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    formId: text('form_id')
      .notNull()
      .references(() => forms.id),
    key: text().notNull(),
    content: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.formId, table.key] }),
    index('idempotency_keys_by_time').on(table.createdAt),
  ],
);

/** Accepted submissions of a team in the month that starts at `period_start`. Deleting one does not lower it. */
export const usage = sqliteTable(
  'usage',
  {
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    periodStart: integer('period_start').notNull(),
    used: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.periodStart] })],
);

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    name: text().notNull(),
    scope: text().$type<Scope>().notNull(),
    hash: text().notNull().unique(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
    revokedAt: integer('revoked_at'),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [index('api_keys_of_team').on(table.teamId)],
);

/** Challenges that were solved and used up, by their keyed hash. */
export const spentChallenges = sqliteTable(
  'spent_challenges',
  {
    id: text().primaryKey(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('spent_challenges_by_time').on(table.expiresAt)],
);

/**
 * Mails to be sent, that were sent, and that were given up. They hold references alone: what a visitor sent, their address
 * included, is read from the submission when the mail is made, and a deleted submission takes its mails along. A mail is
 * claimed by a lease; `fence` goes up with each claim, so that a claim that was outrun settles nothing. `reason` is sealed:
 * servers quote what they refuse.
 */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text().primaryKey(),
    kind: text().$type<MailKind>().notNull(),
    formId: text('form_id')
      .notNull()
      .references(() => forms.id),
    submissionId: text('submission_id')
      .notNull()
      .references(() => submissions.id, { onDelete: 'cascade' }),
    recipient: text(),
    /** The keyed hash of a visitor's address. */
    addressee: text(),
    messageId: text('message_id').notNull(),
    state: text().$type<MailState>().notNull(),
    failures: integer().notNull(),
    dueAt: integer('due_at').notNull(),
    leasedUntil: integer('leased_until'),
    fence: integer().notNull(),
    createdAt: integer('created_at').notNull(),
    settledAt: integer('settled_at'),
    reason: blob({ mode: 'buffer' }),
  },
  (table) => [
    index('mails_to_send').on(table.dueAt).where(sql`state IN ('queued', 'retrying')`),
    index('mails_settled').on(table.settledAt).where(sql`state IN ('sent', 'dead')`),
    index('mails_of_submission').on(table.submissionId),
    index('auto_replies').on(table.formId, table.createdAt).where(sql`kind = 'auto_reply'`),
  ],
);

/** The keys that sealed what is in this database, by their check values. */
export const vaultKeys = sqliteTable('vault_keys', {
  id: integer().primaryKey(),
  checkValue: text('check_value').notNull(),
  createdAt: integer('created_at').notNull(),
});
