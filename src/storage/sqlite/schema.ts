import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Scope } from '../../domain/api-key.ts';
import type { ActorKind, AuditAction, AuditDetails } from '../../domain/audit.ts';
import type { ChallengeKind } from '../../domain/challenge.ts';
import type { DigestInterval, FormField } from '../../domain/form.ts';
import type { MailKind, MailState } from '../../domain/mail.ts';
import type { Role } from '../../domain/roles';
import type { VaultKeyState } from '../store.ts';

// Times are whole microseconds since 1970, in UTC.

export const teams = sqliteTable('teams', {
  id: text().primaryKey(),
  name: text().notNull(),
  plan: text().notNull(),
  requiresSecondFactor: integer('requires_second_factor', { mode: 'boolean' }).notNull().default(false),
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
    digest: text().$type<DigestInterval>(),
    timeZone: text('time_zone').notNull().default('UTC'),
    digestedUntil: integer('digested_until'),
    heldBackUntil: integer('held_back_until'),
    retentionDays: integer('retention_days'),
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
    readAt: integer('read_at'),
  },
  (table) => [
    index('submissions_of_form').on(table.formId),
    index('genuine_of_form').on(table.formId).where(sql`is_spam = 0`),
    index('spam_of_form').on(table.formId).where(sql`is_spam = 1`),
    index('unread_of_form').on(table.formId).where(sql`is_spam = 0 AND read_at IS NULL`),
  ],
);

/** Accepted submissions of a form on the UTC day that is so many days after 1970. Deleting one does not lower it. */
export const formDays = sqliteTable(
  'form_days',
  {
    formId: text('form_id')
      .notNull()
      .references(() => forms.id),
    day: integer().notNull(),
    received: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.formId, table.day] })],
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

/** People who sign in. `email` is in small letters; `language` and `time_zone` are null where the browser's are taken. */
export const users = sqliteTable('users', {
  id: text().primaryKey(),
  email: text().notNull().unique(),
  /** Argon2id, in its own encoding. */
  passwordHash: text('password_hash').notNull(),
  language: text(),
  timeZone: text('time_zone'),
  /** The secret of the second factor, sealed; null for those who have none. */
  totpSecret: blob('totp_secret', { mode: 'buffer' }),
  /** The last step of time whose code was used: none is taken twice. */
  totpStep: integer('totp_step'),
  createdAt: integer('created_at').notNull(),
});

/** Codes that stand in for a lost second factor, once each, by their keyed hash. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** Who belongs to which team, and what they may do there. */
export const members = sqliteTable(
  'members',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    role: text().$type<Role>().notNull().default('owner'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.teamId] }), index('members_of_team').on(table.teamId)],
);

/** Sign-ins that hold, by the hash of their cookie's secret. `id` names one to its owner. */
export const sessions = sqliteTable(
  'sessions',
  {
    hash: text().primaryKey(),
    id: text().notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The team whose things are shown; null for the first. */
    teamId: text('team_id').references(() => teams.id),
    /** Whether the password was right and the second factor is still asked for. */
    isPending: integer('is_pending', { mode: 'boolean' }).notNull().default(false),
    /** Where from, shortened, and with which browser. */
    address: text().notNull(),
    browser: text().notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('sessions_of_user').on(table.userId), index('sessions_by_expiry').on(table.expiresAt)],
);

/** Links that work once, by the hash of their secret: to join a team under a role, or to set a user's password anew. */
export const oneTimeLinks = sqliteTable(
  'one_time_links',
  {
    hash: text().primaryKey(),
    teamId: text('team_id').references(() => teams.id),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    role: text().$type<Role>(),
    /** Whom it was sent to; null where it was only shown. */
    email: text(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('one_time_links_by_expiry').on(table.expiresAt)],
);

/** Who did what, when, from where; never what anybody wrote. */
export const audit = sqliteTable(
  'audit',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    /** Null for what concerns no team. */
    teamId: text('team_id').references(() => teams.id),
    actor: text().$type<ActorKind>().notNull(),
    /** Of a user or a key; the kind itself for the others. */
    actorId: text('actor_id').notNull(),
    actorName: text('actor_name'),
    /** Shortened; null for commands and the system. */
    address: text(),
    action: text().$type<AuditAction>().notNull(),
    /** Ids of what it was done to, and counts. */
    details: text({ mode: 'json' }).$type<AuditDetails>().notNull(),
  },
  // Each ends in the id, the rowid: within it rows lie in the order in which they were made.
  (table) => [
    index('audit_of_team').on(table.teamId),
    index('audit_of_actor').on(table.teamId, table.actorId),
    index('audit_of_action').on(table.teamId, table.action),
    index('audit_of_actor_and_action').on(table.teamId, table.actorId, table.action),
  ],
);

/** One row: the time that was noted last, and since when times have come without a leap. */
export const steadyClock = sqliteTable('steady_clock', {
  id: integer().primaryKey(),
  seenAt: integer('seen_at').notNull(),
  steadySince: integer('steady_since').notNull(),
});

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
    /** Null for what is sent to a person of a team rather than for a form. */
    formId: text('form_id').references(() => forms.id),
    /** Null for what sums up several, from `covers_from` up to, not including, `covers_until`. */
    submissionId: text('submission_id').references(() => submissions.id, { onDelete: 'cascade' }),
    teamId: text('team_id').references(() => teams.id),
    coversFrom: integer('covers_from'),
    coversUntil: integer('covers_until'),
    /** How much of the plan's limit was reached. */
    percent: integer(),
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
    index('mails_of_form').on(table.formId, table.state, table.id),
    index('mails_of_team').on(table.teamId, table.state, table.id).where(sql`team_id IS NOT NULL`),
    index('auto_replies').on(table.formId, table.createdAt).where(sql`kind = 'auto_reply'`),
  ],
);

/**
 * The keys that sealed what is in this database, by their check values. `fingerprint_key` is what keyed hashes are made with,
 * sealed under this key; null where it is derived from it.
 */
export const vaultKeys = sqliteTable('vault_keys', {
  id: integer().primaryKey(),
  checkValue: text('check_value').notNull(),
  state: text().$type<VaultKeyState>().notNull().default('current'),
  fingerprintKey: blob('fingerprint_key', { mode: 'buffer' }),
  createdAt: integer('created_at').notNull(),
});
