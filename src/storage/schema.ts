import { sql } from 'drizzle-orm';
import {
  type AnySQLiteColumn,
  blob,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { Scope } from '../domain/api-key.ts';
import type { ActorKind, AuditAction, AuditDetails } from '../domain/audit.ts';
import type { FormField } from '../domain/fields/field-type.ts';
import type { ChallengeKind } from '../domain/forms/challenge.ts';
import type { RecipientConditions, When } from '../domain/forms/condition.ts';
import type { PageProblem } from '../domain/forms/form-check.ts';
import type { DigestInterval, FormLanguage } from '../domain/forms/form-settings.ts';
import type { Milestone } from '../domain/instance/milestone.ts';
import type { MailKind, SendState } from '../domain/mail/mail.ts';
import type { MaybeSpamAction } from '../domain/spam/spam.ts';
import type { InboxLayout } from '../domain/submissions/inbox.ts';
import type { MessageKind } from '../domain/submissions/message.ts';
import type { Role } from '../domain/teams/roles.ts';
import type { SignInMethod, Theme } from '../domain/users/user.ts';
import type {
  BodyStyle,
  DeletedSubmission,
  DeliveryEvent,
  DisabledReason,
  WebhookEvent,
  WebhookRoute,
} from '../domain/webhooks/webhook.ts';
import type { VaultKeyState } from './records.ts';

// Times are integers: microseconds since the Unix epoch.

/** A required reference. */
const refersTo = <Name extends string>(name: Name, target: () => AnySQLiteColumn) =>
  text(name).notNull().references(target);

/** A required reference to a row with which this one is deleted. */
const partOf = <Name extends string>(name: Name, target: () => AnySQLiteColumn) =>
  text(name).notNull().references(target, { onDelete: 'cascade' });

/** A switch that is off by default. */
const flag = <Name extends string>(name: Name) => integer(name, { mode: 'boolean' }).notNull().default(false);

export const teams = sqliteTable('teams', {
  id: text().primaryKey(),
  name: text().notNull(),
  plan: text().notNull(),
  requiresSecondFactor: flag('requires_second_factor'),
  learnsSpam: integer('learns_spam', { mode: 'boolean' }).notNull().default(true),
  /** The time at which the team's checklist was finished or dismissed. */
  setUpAt: integer('set_up_at'),
  createdAt: integer('created_at').notNull(),
});

export const workspaces = sqliteTable(
  'workspaces',
  {
    id: text().primaryKey(),
    teamId: refersTo('team_id', () => teams.id),
    name: text().notNull(),
    /** Place in the list of the team; equal places are ordered by age. */
    position: integer().notNull().default(0),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('workspaces_of_team').on(table.teamId)],
);

export const forms = sqliteTable(
  'forms',
  {
    /** Refers to the form in `submissions`, where each byte counts. It is known to the storage only. */
    key: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    shortId: text('short_id').notNull().unique(),
    workspaceId: refersTo('workspace_id', () => workspaces.id),
    name: text().notNull(),
    isActive: integer('is_active', { mode: 'boolean' }).notNull(),
    redirectUrl: text('redirect_url'),
    fields: text({ mode: 'json' }).$type<readonly FormField[]>().notNull(),
    enforcesRules: flag('enforces_rules'),
    allowedOrigins: text('allowed_origins', { mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    allowedFileTypes: text('allowed_file_types', { mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    acceptsFiles: integer('accepts_files', { mode: 'boolean' }).notNull().default(true),
    opensAt: text('opens_at'),
    closesAt: text('closes_at'),
    maxSubmissions: integer('max_submissions'),
    oncePerAddress: flag('once_per_address'),
    confirmAddress: flag('confirm_address'),
    closedMessage: text('closed_message'),
    consentText: text('consent_text'),
    thanksTitle: text('thanks_title'),
    successMessage: text('success_message'),
    language: text().$type<FormLanguage>().notNull().default('visitor'),
    intro: text(),
    buttonLabel: text('button_label'),
    challenge: text().$type<ChallengeKind>(),
    challengeVerifyUrl: text('challenge_verify_url'),
    challengeSecret: blob('challenge_secret', { mode: 'buffer' }).$type<Uint8Array>(),
    blockedWords: text('blocked_words', { mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    maybeSpamAction: text('maybe_spam_action').$type<MaybeSpamAction>().notNull().default('deliver'),
    notify: text({ mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    notifyWhen: text('notify_when', { mode: 'json' }).$type<RecipientConditions>().notNull().default({}),
    attachFiles: flag('attach_files'),
    threadMails: flag('thread_mails'),
    autoReplySubject: text('auto_reply_subject'),
    autoReplyText: text('auto_reply_text'),
    autoReplyDailyLimit: integer('auto_reply_daily_limit').notNull().default(100),
    watchPage: text('watch_page'),
    silenceAlarm: integer('silence_alarm', { mode: 'boolean' }).notNull().default(true),
    digest: text().$type<DigestInterval>(),
    timeZone: text('time_zone').notNull().default('UTC'),
    digestedUntil: integer('digested_until'),
    heldBackUntil: integer('held_back_until'),
    retentionDays: integer('retention_days'),
    publicName: text('public_name'),
    accentColor: text('accent_color'),
    hasHostedPage: flag('has_hosted_page'),
    senderName: text('sender_name'),
    replyTo: text('reply_to'),
    keepsSource: flag('keeps_source'),
    archivedAt: integer('archived_at'),
    trashedAt: integer('trashed_at'),
    /** The routes of the form's webhooks, kept by the transactions that change these. */
    webhookRoutes: text('webhook_routes', { mode: 'json' }).$type<readonly WebhookRoute[]>().notNull().default([]),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('forms_of_workspace').on(table.workspaceId)],
);

/** State of the checks of forms: of the watched page, of silence, and of the limit of auto-replies. */
export const formChecks = sqliteTable('form_checks', {
  formId: text('form_id')
    .primaryKey()
    .references(() => forms.id, { onDelete: 'cascade' }),
  pageCheckedAt: integer('page_checked_at'),
  /** The last time at which the page had the form. */
  pageSeenAt: integer('page_seen_at'),
  /** Checks in a row that failed. */
  pageFailures: integer('page_failures').notNull().default(0),
  pageProblem: text('page_problem').$type<PageProblem>(),
  /** The last time at which the form did not accept submissions: silence begins there at the earliest. */
  closedUntil: integer('closed_until'),
  /** The times of the last mails about silence and about the limit of auto-replies. */
  silentAt: integer('silent_at'),
  limitedAt: integer('limited_at'),
  /** The time of the last mail about confirmation mails that were not sent. */
  unsentAt: integer('unsent_at'),
});

/** Logos on the visitor pages of forms. */
export const formLogos = sqliteTable('form_logos', {
  formId: text('form_id')
    .primaryKey()
    .references(() => forms.id, { onDelete: 'cascade' }),
  /** `image/png`, `image/jpeg` or `image/webp`. */
  type: text().notNull(),
  /** In base64. Not sealed, because visitors see it. */
  image: text().notNull(),
});

/** Versions of consent texts that visitors agreed to, each once for its form. The id is a keyed hash of both. */
export const consents = sqliteTable(
  'consents',
  { id: text().primaryKey(), formId: partOf('form_id', () => forms.id), text: blob({ mode: 'buffer' }).notNull() },
  (table) => [index('consents_of_form').on(table.formId)],
);

/** The folder of a submission: 0 unread, 1 read, 2 spam. A query uses the index only with exactly this expression. */
export const FOLDER =
  '(CASE WHEN confirm_hash IS NOT NULL AND confirmed_at IS NULL THEN 3 WHEN is_spam THEN 2 WHEN read_at IS NULL THEN 0 ELSE 1 END)';

/**
 * Accepted submissions. In SQLite `created_at` is the rowid, so rows are stored in order of arrival and an index on `form_key`
 * is also ordered by time; PostgreSQL's indexes end with it.
 */
export const submissions = sqliteTable(
  'submissions',
  {
    createdAt: integer('created_at').primaryKey(),
    /** Has `created_at` as its time, by which it is found: it needs no index. */
    id: text().notNull(),
    formKey: integer('form_key')
      .notNull()
      .references(() => forms.key),
    isSpam: integer('is_spam', { mode: 'boolean' }).notNull(),
    /** True between the two thresholds of the spam score, until somebody marks the submission. */
    isMaybeSpam: flag('is_maybe_spam'),
    payload: blob({ mode: 'buffer' }).notNull(),
    files: blob({ mode: 'buffer' }),
    /** Size of the uploaded files. */
    fileBytes: integer('file_bytes').notNull().default(0),
    spamReasons: blob('spam_reasons', { mode: 'buffer' }),
    readAt: integer('read_at'),
    isStarred: flag('is_starred'),
    assignedTo: text('assigned_to').references(() => users.id, { onDelete: 'set null' }),
    trashedAt: integer('trashed_at'),
    /** The sealed source page and browser, if the form keeps them. */
    source: blob({ mode: 'buffer' }),
    /** Keyed hash of the visitor's address, if the form accepts each address once. */
    address: text(),
    /** Keyed hash of the address that must be confirmed, and the times of the mail and of the confirmation: the proof. */
    confirmHash: text('confirm_hash'),
    confirmMailedAt: integer('confirm_mailed_at'),
    confirmedAt: integer('confirmed_at'),
    /** The version of the consent text that the visitor agreed to. Without a foreign key: versions last as long as their form. */
    consent: text(),
  },
  (table) => [
    // Lists the parts of an inbox, each ordered by time: see `live-submissions.ts`. In the trash it orders by `trashed_at`.
    // Not partial, for the foreign key.
    index('submissions_of_form').on(table.formKey, table.trashedAt, sql.raw(FOLDER)),
    index('maybe_spam_of_form').on(table.formKey).where(sql`is_maybe_spam AND trashed_at IS NULL`),
    index('trash_of_form').on(table.formKey).where(sql`trashed_at IS NOT NULL`),
    index('addresses_of_form').on(table.formKey, table.address).where(sql`address IS NOT NULL AND trashed_at IS NULL`),
    index('starred_of_form').on(table.formKey).where(sql`is_starred AND trashed_at IS NULL`),
    index('assigned_submissions').on(table.assignedTo, table.formKey).where(sql`assigned_to IS NOT NULL`),
    // Sums the bytes of files in a span of time without reading rows.
    index('file_bytes_of_form').on(table.formKey, table.createdAt, table.fileBytes).where(sql`file_bytes > 0`),
  ],
);

/** Tables of weights that spam filters learned from the marks of their teams; one sealed table for each team. */
export const spamModels = sqliteTable('spam_models', {
  /** The id of the team. */
  id: text()
    .primaryKey()
    .references(() => teams.id, { onDelete: 'cascade' }),
  weights: blob({ mode: 'buffer' }).notNull(),
  /** Added to the threshold, so that no message that was genuine before is flagged. */
  raisedBy: integer('raised_by').notNull().default(0),
  /** The time of the last halving of all weights. */
  halvedAt: integer('halved_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

/** Changes of a team's table by one message, sealed, so that they can be subtracted again. */
export const spamLessons = sqliteTable(
  'spam_lessons',
  {
    id: text().primaryKey(),
    teamId: partOf('team_id', () => teams.id),
    /** Without a foreign key, since the changes must be subtracted when the submission is deleted. */
    submissionId: text('submission_id').notNull(),
    isSpam: integer('is_spam', { mode: 'boolean' }).notNull(),
    /** The lesson of a mark that this unmarked message balances; null for a mark. */
    balances: text(),
    changes: blob({ mode: 'buffer' }).notNull(),
    /**
     * True while the learning job has work with the lesson: a new mark, whose `changes` are empty, is to be learned, and
     * the changes of a withdrawn mark are to be subtracted. A trigger sets it when the submission is deleted.
     */
    isForgotten: flag('is_forgotten'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('spam_lessons_of_team').on(table.teamId, table.createdAt),
    index('spam_lessons_of_submission').on(table.submissionId),
    index('forgotten_spam_lessons').on(table.teamId).where(sql`is_forgotten`),
  ],
);

/** Notes of members on a submission, and their replies to the visitor. */
export const messages = sqliteTable(
  'messages',
  {
    id: text().primaryKey(),
    /** A trigger on `submissions` deletes the rows of a deleted one here, in `files` and in `outbox`. */
    submissionId: text('submission_id').notNull(),
    formId: text('form_id').notNull(),
    kind: text().$type<MessageKind>().notNull(),
    /** The user who wrote it. The account may have been deleted since. */
    authorId: text('author_id').notNull(),
    /** The sealed text and the name of the author; of a reply its subject too. */
    body: blob({ mode: 'buffer' }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('messages_of_submission').on(table.submissionId)],
);

/** Saved views of the inbox. `view` is the sealed name and query: queries contain names of visitors. */
export const inboxViews = sqliteTable(
  'inbox_views',
  {
    id: text().primaryKey(),
    userId: partOf('user_id', () => users.id),
    teamId: refersTo('team_id', () => teams.id),
    view: blob({ mode: 'buffer' }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('inbox_views_of_user').on(table.userId, table.teamId)],
);

/** Layouts that users chose for the submissions of a form: list or table, and columns. */
export const inboxLayouts = sqliteTable(
  'inbox_layouts',
  {
    userId: partOf('user_id', () => users.id),
    formId: partOf('form_id', () => forms.id),
    layout: text().$type<InboxLayout>().notNull(),
    /** Names of fields; empty for the default columns. */
    columns: text({ mode: 'json' }).$type<readonly string[]>().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.userId, table.formId] }), index('inbox_layouts_of_form').on(table.formId)],
);

/**
 * Counts of the time that ends at `until`, which lie side by side for the present: submissions of a form in a UTC day,
 * without those in the trash (`amount` of genuine ones, and `spam`); submissions accepted from a team in a month, which
 * deletions do not change; and without an end (see `counters.ts`) the stored bytes of a team (payloads, lists of files,
 * uploaded files) and the latest `created_at` ever assigned. Triggers on `submissions` follow spam marks, the trash and
 * deletions; a migration that rebuilds that table must create them again.
 */
export const counters = sqliteTable(
  'counters',
  {
    until: integer().notNull(),
    /** The id of the form or team, or `clock`. */
    owner: text().notNull(),
    amount: integer().notNull(),
    spam: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.until, table.owner] }),
    index('counters_of_owner').on(table.owner, table.until),
  ],
);

/** The blobs of each submission. Their metadata and keys are sealed in `submissions.files`. */
export const files = sqliteTable(
  'files',
  { blob: text().primaryKey(), submissionId: text('submission_id').notNull() },
  (table) => [index('files_of_submission').on(table.submissionId)],
);

/** Idempotency keys of accepted submissions and digests of their content, both as keyed hashes. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    formId: refersTo('form_id', () => forms.id),
    key: text().notNull(),
    content: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.formId, table.key] }),
    index('idempotency_keys_by_time').on(table.createdAt),
  ],
);

/** Runs of `formstead import`. `added` counts stored rows; an interrupted run has no `finished_at`. */
export const imports = sqliteTable(
  'imports',
  {
    id: text().primaryKey(),
    formId: partOf('form_id', () => forms.id),
    /** The service that wrote the export. */
    source: text().notNull(),
    added: integer().notNull().default(0),
    createdAt: integer('created_at').notNull(),
    finishedAt: integer('finished_at'),
    undoneAt: integer('undone_at'),
  },
  (table) => [index('imports_of_form').on(table.formId)],
);

/**
 * Imported rows, so that a second import adds nothing. `hash` is a keyed hash of the form and of the row or its id. A
 * row remains when its submission is deleted, so that an import does not bring back erased people; `submission_id` is
 * no reference for that reason.
 */
export const importRows = sqliteTable(
  'import_rows',
  {
    hash: text().primaryKey(),
    importId: partOf('import_id', () => imports.id),
    submissionId: text('submission_id').notNull(),
  },
  (table) => [index('import_rows_of_import').on(table.importId)],
);

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    teamId: refersTo('team_id', () => teams.id),
    name: text().notNull(),
    scope: text().$type<Scope>().notNull(),
    /** The ids of the forms that the key is limited to; null for all forms of the team. */
    formIds: text('form_ids', { mode: 'json' }).$type<readonly string[]>(),
    hash: text().notNull().unique(),
    /** The user who created the key; null for commands. The account may have been deleted since. */
    createdBy: text('created_by'),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
    revokedAt: integer('revoked_at'),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [index('api_keys_of_team').on(table.teamId)],
);

/**
 * Requests to the management API with an Idempotency-Key, and their responses. `id` is a keyed hash of the API key and the
 * Idempotency-Key, `content` of the request.
 */
export const apiRequests = sqliteTable(
  'api_requests',
  {
    id: text().primaryKey(),
    content: text().notNull(),
    /** Null until the request is answered, like `response`. */
    status: integer(),
    /** The sealed body. */
    response: blob({ mode: 'buffer' }),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('api_requests_by_time').on(table.createdAt)],
);

/** User accounts. `email` is in lower case; `language` and `time_zone` are null to use those of the browser. */
export const users = sqliteTable('users', {
  id: text().primaryKey(),
  email: text().notNull().unique(),
  /** Argon2id hash in PHC string format; null for an account without a password. */
  passwordHash: text('password_hash'),
  name: text(),
  /** Null for the theme of the browser. */
  theme: text().$type<Theme>(),
  language: text(),
  timeZone: text('time_zone'),
  /** The sealed TOTP secret; null without a second factor. */
  totpSecret: blob('totp_secret', { mode: 'buffer' }),
  /** The time step of the last accepted code. Codes of this and earlier steps are refused. */
  totpStep: integer('totp_step'),
  /** May change settings of the whole instance. The first account is an operator. */
  isOperator: flag('is_operator'),
  createdAt: integer('created_at').notNull(),
});

/** Keyed hashes of unused recovery codes, each of which replaces a lost second factor once. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  { userId: partOf('user_id', () => users.id), hash: text().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** Accounts at OIDC providers that sign a user in, one for each user and provider. */
export const identities = sqliteTable(
  'identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: partOf('user_id', () => users.id),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    uniqueIndex('identities_of_user').on(table.userId, table.issuer),
  ],
);

/** Passkeys. `public_key` is in COSE format and base64url; nothing in a row lets anybody sign in. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: text().primaryKey(),
    userId: partOf('user_id', () => users.id),
    credentialId: text('credential_id').notNull().unique(),
    publicKey: text('public_key').notNull(),
    counter: integer().notNull(),
    name: text().notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at').notNull(),
  },
  (table) => [index('passkeys_of_user').on(table.userId)],
);

/** Team members and their roles. */
export const members = sqliteTable(
  'members',
  {
    userId: partOf('user_id', () => users.id),
    teamId: refersTo('team_id', () => teams.id),
    role: text().$type<Role>().notNull().default('owner'),
    /** The ids of the workspaces that the member sees; null for all. A deleted workspace may be among them. */
    workspaceIds: text('workspace_ids', { mode: 'json' }).$type<readonly string[]>(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.teamId] }), index('members_of_team').on(table.teamId)],
);

/** Dashboard sessions by the hash of their cookie's secret. `id` identifies a session on pages. */
export const sessions = sqliteTable(
  'sessions',
  {
    hash: text().primaryKey(),
    id: text().notNull().unique(),
    userId: partOf('user_id', () => users.id),
    /** The selected team; null for the user's first team. */
    teamId: text('team_id').references(() => teams.id),
    /** True while the second factor is still required after the password. */
    isPending: flag('is_pending'),
    method: text().$type<SignInMethod>().notNull().default('password'),
    isMultiFactor: flag('is_multi_factor'),
    /** The time of the last password check in this session. */
    passwordAt: integer('password_at').notNull().default(0),
    /** The truncated IP address at sign-in. */
    address: text().notNull(),
    browser: text().notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('sessions_of_user').on(table.userId), index('sessions_by_expiry').on(table.expiresAt)],
);

/** Invitations to a team (`team_id`, `role`) and password reset links (`user_id`), by the hash of their secret. */
export const oneTimeLinks = sqliteTable(
  'one_time_links',
  {
    hash: text().primaryKey(),
    teamId: text('team_id').references(() => teams.id),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    role: text().$type<Role>(),
    /** The workspaces that an invited member will see; null for all. */
    workspaceIds: text('workspace_ids', { mode: 'json' }).$type<readonly string[]>(),
    /** The recipient of an emailed link; null if the link was only displayed. */
    email: text(),
    /** The new address of the user `user_id`, confirmed by opening the link; null for other links. */
    newEmail: text('new_email'),
    /** The member who made an invitation; null for links from commands and from the first start. */
    createdBy: text('created_by').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('one_time_links_by_expiry').on(table.expiresAt)],
);

/** The audit log. It never contains content of submissions. */
export const audit = sqliteTable(
  'audit',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    /** Null for entries of the instance. */
    teamId: text('team_id').references(() => teams.id),
    actor: text().$type<ActorKind>().notNull(),
    /** The id of a user or API key; for other actors the same as `actor`. */
    actorId: text('actor_id').notNull(),
    actorName: text('actor_name'),
    /** The truncated IP address; null for commands and the system. */
    address: text(),
    action: text().$type<AuditAction>().notNull(),
    /** The ids of the affected objects, and counts. */
    details: text({ mode: 'json' }).$type<AuditDetails>().notNull(),
  },
  // Each index ends with the rowid, so its entries are ordered by age.
  (table) => [
    index('audit_of_team').on(table.teamId),
    index('audit_of_actor').on(table.teamId, table.actorId),
    index('audit_of_action').on(table.teamId, table.action),
    index('audit_of_actor_and_action').on(table.teamId, table.actorId, table.action),
  ],
);

/** A single row: the last recorded time, and the time since which the clock has run without a jump. */
export const steadyClock = sqliteTable('steady_clock', {
  id: integer().primaryKey(),
  seenAt: integer('seen_at').notNull(),
  steadySince: integer('steady_since').notNull(),
});

/**
 * A single row: how many purges were requested, and how many of these requests the last purge covered (`cleared`), at
 * `attempted_at`. `rewritten` counts the steps that ended in the database.
 */
export const rewrites = sqliteTable('rewrites', {
  id: integer().primaryKey(),
  requested: integer().notNull(),
  rewritten: integer().notNull(),
  cleared: integer().notNull(),
  attemptedAt: integer('attempted_at').notNull(),
});

/** Steps of setting up the instance that people have confirmed, such as a copied master key. */
export const milestones = sqliteTable('milestones', {
  name: text().$type<Milestone>().primaryKey(),
  reachedAt: integer('reached_at').notNull(),
});

/** The mail server that was set up in the dashboard, in at most one row. */
export const mailServers = sqliteTable('mail_servers', {
  id: text().primaryKey(),
  settings: blob({ mode: 'buffer' }).notNull(),
});

/** Failed sign-ins of all processes, under keyed hashes of addresses, accounts and browsers. */
export const signInAttempts = sqliteTable(
  'sign_in_attempts',
  { id: text().primaryKey(), name: text().notNull(), expiresAt: integer('expires_at').notNull() },
  (table) => [
    index('sign_in_attempts_by_name').on(table.name, table.expiresAt),
    index('sign_in_attempts_by_time').on(table.expiresAt),
  ],
);

/** Hashes of challenges that were solved and accepted, of forms and of passkeys. */
export const spentChallenges = sqliteTable(
  'spent_challenges',
  { id: text().primaryKey(), expiresAt: integer('expires_at').notNull() },
  (table) => [index('spent_challenges_by_time').on(table.expiresAt)],
);

/** Webhooks and other targets of forms. `settings` is sealed: URLs and headers are secrets. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text().primaryKey(),
    formId: refersTo('form_id', () => forms.id),
    kind: text().notNull(),
    events: text({ mode: 'json' }).$type<readonly WebhookEvent[]>().notNull(),
    body: text().$type<BodyStyle>().notNull(),
    includeSpam: integer('include_spam', { mode: 'boolean' }).notNull(),
    when: text({ mode: 'json' }).$type<When>().notNull(),
    isActive: integer('is_active', { mode: 'boolean' }).notNull(),
    disabledReason: text('disabled_reason').$type<DisabledReason>(),
    settings: blob({ mode: 'buffer' }).$type<Uint8Array>().notNull(),
    failures: integer().notNull().default(0),
    failingSince: integer('failing_since'),
    restUntil: integer('rest_until'),
    /** True if the last attempt took longer than `SLOW_MS`. Such endpoints share a part of the lanes. */
    isSlow: flag('is_slow'),
    createdAt: integer('created_at').notNull(),
    createdBy: text('created_by'),
    /** Deleted webhooks are kept until their deliveries expire. */
    deletedAt: integer('deleted_at'),
  },
  (table) => [index('webhooks_of_form').on(table.formId)],
);

/**
 * Queued, sent and dead mails. Rows hold references only: the content and the visitor's address are read from the
 * submission at delivery. Each claim sets a lease and increments `fence`, so that a worker whose lease has expired
 * cannot record a result. `reason` is sealed, because mail servers quote message content in their replies.
 */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text().primaryKey(),
    kind: text().$type<MailKind>().notNull(),
    /** Null for mails to a team member that concern no form. */
    formId: text('form_id').references(() => forms.id),
    /** Null for summaries, which cover the submissions from `covers_from` until before `covers_until`. */
    submissionId: text('submission_id'),
    teamId: text('team_id').references(() => teams.id),
    /** Set for replies to the visitor. */
    replyId: text('reply_id').references(() => messages.id, { onDelete: 'cascade' }),
    /** Set for deliveries to a webhook, which leave `form_id` and `team_id` empty. */
    webhookId: text('webhook_id').references(() => webhooks.id, { onDelete: 'cascade' }),
    /** The event of a delivery to a webhook. */
    event: text().$type<DeliveryEvent>(),
    /** The deleted submission of `submission.deleted`. */
    deleted: text({ mode: 'json' }).$type<DeletedSubmission>(),
    coversFrom: integer('covers_from'),
    coversUntil: integer('covers_until'),
    /** The threshold of a cap warning, in percent of the plan's limit. */
    percent: integer(),
    recipient: text(),
    /** The keyed hash of a visitor's email address. */
    addressee: text(),
    /** The language of a mail to the visitor. */
    language: text(),
    messageId: text('message_id').notNull(),
    state: text().$type<SendState>().notNull(),
    failures: integer().notNull(),
    dueAt: integer('due_at').notNull(),
    leasedUntil: integer('leased_until'),
    /** The instance that claimed the row last. Not a foreign key, because instances are deleted when they end. */
    claimedBy: text('claimed_by'),
    fence: integer().notNull(),
    createdAt: integer('created_at').notNull(),
    settledAt: integer('settled_at'),
    reason: blob({ mode: 'buffer' }),
    /** Duration of the last attempt of a delivery to a webhook, in milliseconds. */
    durationMs: integer('duration_ms'),
    /** HTTP status of the last answer of a webhook. */
    lastStatus: integer('last_status'),
  },
  (table) => [
    index('mails_to_send').on(table.dueAt).where(sql`state IN ('queued', 'retrying') AND webhook_id IS NULL`),
    index('mails_due_of_form')
      .on(table.formId, table.dueAt)
      .where(sql`state IN ('queued', 'retrying') AND webhook_id IS NULL`),
    index('deliveries_to_send')
      .on(table.webhookId, table.dueAt)
      .where(sql`state IN ('queued', 'retrying') AND webhook_id IS NOT NULL`),
    index('deliveries_leased')
      .on(table.webhookId, table.leasedUntil)
      .where(sql`leased_until IS NOT NULL AND webhook_id IS NOT NULL`),
    index('deliveries_of_webhook').on(table.webhookId, table.id).where(sql`webhook_id IS NOT NULL`),
    index('outbox_settled').on(table.settledAt).where(sql`state IN ('sent', 'dead', 'canceled')`),
    index('mails_failed').on(table.formId).where(sql`state = 'dead' AND kind NOT IN ('auto_reply', 'confirmation')`),
    index('mails_of_submission').on(table.submissionId),
    index('mails_of_reply').on(table.replyId).where(sql`reply_id IS NOT NULL`),
    index('mails_of_form').on(table.formId, table.state, table.id),
    index('mails_of_team').on(table.teamId, table.state, table.id).where(sql`team_id IS NOT NULL`),
    index('auto_replies').on(table.formId, table.createdAt).where(sql`kind = 'auto_reply'`),
  ],
);

/** Processes that serve this database: one with SQLite. */
export const instances = sqliteTable('instances', {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  version: text().notNull(),
  /** Id of the master key that the process seals with. */
  keyId: integer('key_id').notNull(),
  startedAt: integer('started_at').notNull(),
  seenAt: integer('seen_at').notNull(),
});

/** Rows that processes of a PostgreSQL database hold: `leader` by its lease, the others by a lock. Accepting locks `clock`. */
export const leases = sqliteTable('leases', {
  name: text().primaryKey(),
  /** The instance that had the lease last; null if it gave it up. */
  holder: text(),
  until: integer(),
});

/**
 * Check values and states of the master keys of this database. `fingerprint_key` is the key of all keyed hashes, sealed
 * under this master key; null if it is derived from it.
 */
export const vaultKeys = sqliteTable('vault_keys', {
  id: integer().primaryKey(),
  checkValue: text('check_value').notNull(),
  state: text().$type<VaultKeyState>().notNull().default('current'),
  fingerprintKey: blob('fingerprint_key', { mode: 'buffer' }),
  createdAt: integer('created_at').notNull(),
});
