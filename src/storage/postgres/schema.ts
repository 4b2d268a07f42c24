import { sql } from 'drizzle-orm';
import { bigint, boolean, customType, index, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Scope } from '../../domain/api-key.ts';
import type { ActorKind, AuditAction, AuditDetails } from '../../domain/audit.ts';
import type { ChallengeKind } from '../../domain/challenge.ts';
import type { RecipientConditions, When } from '../../domain/condition.ts';
import type { DigestInterval, FormField } from '../../domain/form.ts';
import type { InboxLayout } from '../../domain/inbox.ts';
import type { MailKind, MailState } from '../../domain/mail.ts';
import type { MessageKind } from '../../domain/message.ts';
import type { Milestone } from '../../domain/milestone.ts';
import type { Role } from '../../domain/roles.ts';
import type { MaybeSpamAction } from '../../domain/spam.ts';
import type { Theme } from '../../domain/user.ts';
import type {
  BodyStyle,
  DeletedSubmission,
  DeliveryEvent,
  DisabledReason,
  WebhookEvent,
  WebhookKind,
  WebhookRoute,
} from '../../domain/webhook.ts';
import type { VaultKeyState } from '../store.ts';

// The tables and columns of `sqlite/schema.ts` in the types of PostgreSQL; a test compares them. Times are integers:
// microseconds since the Unix epoch. Texts get the collation "C" from `bun run migration`, so they sort bytewise.

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

export const teams = pgTable('teams', {
  id: text().primaryKey(),
  name: text().notNull(),
  plan: text().notNull(),
  requiresSecondFactor: boolean('requires_second_factor').notNull().default(false),
  learnsSpam: boolean('learns_spam').notNull().default(true),
  /** The time at which the team's checklist was finished or dismissed. */
  setUpAt: bigint('set_up_at', { mode: 'number' }),
  createdAt: bigint('created_at', { mode: 'number' }).notNull(),
});

export const workspaces = pgTable(
  'workspaces',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    name: text().notNull(),
    /** Place in the list of the team; equal places are ordered by age. */
    position: bigint({ mode: 'number' }).notNull().default(0),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  },
  (table) => [index('workspaces_of_team').on(table.teamId)],
);

export const forms = pgTable(
  'forms',
  {
    id: text().primaryKey(),
    shortId: text('short_id').notNull().unique(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text().notNull(),
    isActive: boolean('is_active').notNull(),
    redirectUrl: text('redirect_url'),
    fields: json().$type<readonly FormField[]>().notNull(),
    enforcesRules: boolean('enforces_rules').notNull().default(false),
    allowedOrigins: json('allowed_origins').$type<readonly string[]>().notNull().default([]),
    allowedFileTypes: json('allowed_file_types').$type<readonly string[]>().notNull().default([]),
    acceptsFiles: boolean('accepts_files').notNull().default(true),
    thanksTitle: text('thanks_title'),
    thanksText: text('thanks_text'),
    challenge: text().$type<ChallengeKind>(),
    challengeVerifyUrl: text('challenge_verify_url'),
    challengeSecret: bytea('challenge_secret').$type<Uint8Array>(),
    blockedWords: json('blocked_words').$type<readonly string[]>().notNull().default([]),
    maybeSpamAction: text('maybe_spam_action').$type<MaybeSpamAction>().notNull().default('deliver'),
    akismetKey: bytea('akismet_key').$type<Uint8Array>(),
    notify: json().$type<readonly string[]>().notNull().default([]),
    notifyWhen: json('notify_when').$type<RecipientConditions>().notNull().default({}),
    attachFiles: boolean('attach_files').notNull().default(false),
    threadMails: boolean('thread_mails').notNull().default(false),
    autoReplySubject: text('auto_reply_subject'),
    autoReplyText: text('auto_reply_text'),
    digest: text().$type<DigestInterval>(),
    timeZone: text('time_zone').notNull().default('UTC'),
    digestedUntil: bigint('digested_until', { mode: 'number' }),
    heldBackUntil: bigint('held_back_until', { mode: 'number' }),
    retentionDays: bigint('retention_days', { mode: 'number' }),
    publicName: text('public_name'),
    accentColor: text('accent_color'),
    hasHostedPage: boolean('has_hosted_page').notNull().default(false),
    closedText: text('closed_text'),
    senderName: text('sender_name'),
    replyTo: text('reply_to'),
    keepsSource: boolean('keeps_source').notNull().default(false),
    archivedAt: bigint('archived_at', { mode: 'number' }),
    trashedAt: bigint('trashed_at', { mode: 'number' }),
    /** The routes of the form's webhooks, kept by the transactions that change these. */
    webhookRoutes: json('webhook_routes').$type<readonly WebhookRoute[]>().notNull().default([]),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  },
  (table) => [index('forms_of_workspace').on(table.workspaceId)],
);

/** Logos on the visitor pages of forms. */
export const formLogos = pgTable('form_logos', {
  formId: text('form_id')
    .primaryKey()
    .references(() => forms.id, { onDelete: 'cascade' }),
  /** `image/png`, `image/jpeg` or `image/webp`. */
  type: text().notNull(),
  /** In base64. Not sealed, because visitors see it. */
  image: text().notNull(),
});

/**
 * The latest `created_at` ever assigned to a submission, in a single row. Each transaction that assigns one locks this
 * row first, so times increase in the order of commits in all processes.
 */
export const submissionClock = pgTable('submission_clock', {
  id: bigint({ mode: 'number' }).primaryKey(),
  lastCreatedAt: bigint('last_created_at', { mode: 'number' }).notNull(),
});

/**
 * The folder of a submission: 0 for unread, 1 for read, 2 for spam. A query uses the index only with exactly this
 * expression.
 */
export const FOLDER = '(CASE WHEN is_spam THEN 2 ELSE (read_at IS NOT NULL)::int END)';

/** Accepted submissions. */
export const submissions = pgTable(
  'submissions',
  {
    createdAt: bigint('created_at', { mode: 'number' }).primaryKey(),
    id: text().notNull().unique(),
    formId: text('form_id')
      .notNull()
      .references(() => forms.id),
    isSpam: boolean('is_spam').notNull(),
    /** True between the two thresholds of the spam score, until somebody marks the submission. */
    isMaybeSpam: boolean('is_maybe_spam').notNull().default(false),
    payload: bytea().notNull(),
    files: bytea(),
    /** Size of the uploaded files. */
    fileBytes: bigint('file_bytes', { mode: 'number' }).notNull().default(0),
    spamReasons: bytea('spam_reasons'),
    readAt: bigint('read_at', { mode: 'number' }),
    isStarred: boolean('is_starred').notNull().default(false),
    assignedTo: text('assigned_to').references(() => users.id, { onDelete: 'set null' }),
    trashedAt: bigint('trashed_at', { mode: 'number' }),
    /** The sealed source page and browser, if the form keeps them. */
    source: bytea(),
  },
  (table) => [
    // Lists the parts of an inbox, each ordered by time, with `ORDER BY trashed_at, created_at`: a null is no constant to the
    // planner. In the trash it orders by `trashed_at`. Not partial, for the foreign key.
    index('submissions_of_form').on(table.formId, table.trashedAt, sql.raw(FOLDER), table.createdAt),
    index('maybe_spam_of_form').on(table.formId, table.createdAt).where(sql`is_maybe_spam AND trashed_at IS NULL`),
    index('trash_of_form').on(table.formId, table.createdAt).where(sql`trashed_at IS NOT NULL`),
    index('starred_of_form').on(table.formId, table.createdAt).where(sql`is_starred AND trashed_at IS NULL`),
    index('assigned_submissions')
      .on(table.assignedTo, table.formId, table.createdAt)
      .where(sql`assigned_to IS NOT NULL`),
  ],
);

/** Tables of weights that spam filters learned from the marks of their teams; one sealed table for each team. */
export const spamModels = pgTable('spam_models', {
  /** The id of the team. */
  id: text()
    .primaryKey()
    .references(() => teams.id, { onDelete: 'cascade' }),
  weights: bytea().notNull(),
  /** Added to the threshold, so that no message that was genuine before is flagged. */
  raisedBy: bigint('raised_by', { mode: 'number' }).notNull().default(0),
  /** The time of the last halving of all weights. */
  halvedAt: bigint('halved_at', { mode: 'number' }).notNull(),
  updatedAt: bigint('updated_at', { mode: 'number' }).notNull(),
});

/** Changes of a team's table by one message, sealed, so that they can be subtracted again. */
export const spamLessons = pgTable(
  'spam_lessons',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** Without a foreign key, since the changes must be subtracted when the submission is deleted. */
    submissionId: text('submission_id').notNull(),
    isSpam: boolean('is_spam').notNull(),
    /** The lesson of a mark that this unmarked message balances; null for a mark. */
    balances: text(),
    changes: bytea().notNull(),
    /**
     * True while the learning job has work with the lesson: a new mark, whose `changes` are empty, is to be learned, and
     * the changes of a withdrawn mark are to be subtracted. A trigger sets it when the submission is deleted.
     */
    isForgotten: boolean('is_forgotten').notNull().default(false),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  },
  (table) => [
    index('spam_lessons_of_team').on(table.teamId, table.createdAt),
    index('spam_lessons_of_submission').on(table.submissionId),
    index('forgotten_spam_lessons').on(table.teamId).where(sql`is_forgotten`),
  ],
);

/** Notes of members on a submission, and their replies to the visitor. */
export const messages = pgTable(
  'messages',
  {
    id: text().primaryKey(),
    submissionId: text('submission_id')
      .notNull()
      .references(() => submissions.id, { onDelete: 'cascade' }),
    formId: text('form_id').notNull(),
    kind: text().$type<MessageKind>().notNull(),
    /** The user who wrote it. The account may have been deleted since. */
    authorId: text('author_id').notNull(),
    /** The sealed text and the name of the author; of a reply its subject too. */
    body: bytea().notNull(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  },
  (table) => [index('messages_of_submission').on(table.submissionId)],
);

/** Saved views of the inbox. `view` is the sealed name and query: queries contain names of visitors. */
export const inboxViews = pgTable(
  'inbox_views',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    view: bytea().notNull(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  },
  (table) => [index('inbox_views_of_user').on(table.userId, table.teamId)],
);

/** Layouts that users chose for the submissions of a form: list or table, and columns. */
export const inboxLayouts = pgTable(
  'inbox_layouts',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    formId: text('form_id')
      .notNull()
      .references(() => forms.id, { onDelete: 'cascade' }),
    layout: text().$type<InboxLayout>().notNull(),
    /** Names of fields; empty for the default columns. */
    columns: json().$type<readonly string[]>().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.userId, table.formId] }), index('inbox_layouts_of_form').on(table.formId)],
);

/**
 * Submissions of a form by UTC day of arrival, without those in the trash. `day` counts days since the Unix epoch.
 * Triggers on `submissions` follow spam marks, the trash and deletions; a migration that rebuilds that table must create
 * them again.
 */
export const formDays = pgTable(
  'form_days',
  {
    formId: text('form_id')
      .notNull()
      .references(() => forms.id),
    day: bigint({ mode: 'number' }).notNull(),
    genuine: bigint({ mode: 'number' }).notNull().default(0),
    spam: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.formId, table.day] })],
);

/**
 * Bytes stored per team: payloads, lists of files, and uploaded files. The trigger `release_storage` on `submissions`
 * subtracts those of a deleted submission; a migration that rebuilds that table must create it again.
 */
export const teamStorage = pgTable('team_storage', {
  teamId: text('team_id')
    .primaryKey()
    .references(() => teams.id),
  bytes: bigint({ mode: 'number' }).notNull(),
});

/** The blobs of each submission. Their metadata and keys are sealed in `submissions.files`. */
export const files = pgTable(
  'files',
  {
    blob: text().primaryKey(),
    submissionId: text('submission_id')
      .notNull()
      .references(() => submissions.id, { onDelete: 'cascade' }),
  },
  (table) => [index('files_of_submission').on(table.submissionId)],
);

/** Idempotency keys of accepted submissions and digests of their content, both as keyed hashes. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    formId: text('form_id')
      .notNull()
      .references(() => forms.id),
    key: text().notNull(),
    content: text().notNull(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.formId, table.key] }),
    index('idempotency_keys_by_time').on(table.createdAt),
  ],
);

/** Runs of `formstead import`. `added` counts stored rows; an interrupted run has no `finished_at`. */
export const imports = pgTable(
  'imports',
  {
    id: text().primaryKey(),
    formId: text('form_id')
      .notNull()
      .references(() => forms.id, { onDelete: 'cascade' }),
    /** The service that wrote the export. */
    source: text().notNull(),
    added: bigint({ mode: 'number' }).notNull().default(0),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    finishedAt: bigint('finished_at', { mode: 'number' }),
    undoneAt: bigint('undone_at', { mode: 'number' }),
  },
  (table) => [index('imports_of_form').on(table.formId)],
);

/**
 * Imported rows, so that a second import adds nothing. `hash` is a keyed hash of the form and of the row or its id. A
 * row remains when its submission is deleted, so that an import does not bring back erased people; `submission_id` is
 * no reference for that reason.
 */
export const importRows = pgTable(
  'import_rows',
  {
    hash: text().primaryKey(),
    importId: text('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    submissionId: text('submission_id').notNull(),
  },
  (table) => [index('import_rows_of_import').on(table.importId)],
);

/** Submissions accepted per team in the month that starts at `period_start`. Deletions do not change `used`. */
export const usage = pgTable(
  'usage',
  {
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    periodStart: bigint('period_start', { mode: 'number' }).notNull(),
    used: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.periodStart] })],
);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    name: text().notNull(),
    scope: text().$type<Scope>().notNull(),
    /** The ids of the forms that the key is limited to; null for all forms of the team. */
    formIds: json('form_ids').$type<readonly string[]>(),
    hash: text().notNull().unique(),
    /** The user who created the key; null for commands. The account may have been deleted since. */
    createdBy: text('created_by'),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    expiresAt: bigint('expires_at', { mode: 'number' }),
    revokedAt: bigint('revoked_at', { mode: 'number' }),
    lastUsedAt: bigint('last_used_at', { mode: 'number' }),
  },
  (table) => [index('api_keys_of_team').on(table.teamId)],
);

/**
 * Requests to the management API with an Idempotency-Key, and their responses. `id` is a keyed hash of the API key and the
 * Idempotency-Key, `content` of the request.
 */
export const apiRequests = pgTable(
  'api_requests',
  {
    id: text().primaryKey(),
    content: text().notNull(),
    /** Null until the request is answered, like `response`. */
    status: bigint({ mode: 'number' }),
    /** The sealed body. */
    response: bytea(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  },
  (table) => [index('api_requests_by_time').on(table.createdAt)],
);

/** User accounts. `email` is in lower case; `language` and `time_zone` are null to use those of the browser. */
export const users = pgTable('users', {
  id: text().primaryKey(),
  email: text().notNull().unique(),
  /** Argon2id hash in PHC string format. */
  passwordHash: text('password_hash').notNull(),
  name: text(),
  /** Null for the theme of the browser. */
  theme: text().$type<Theme>(),
  language: text(),
  timeZone: text('time_zone'),
  /** The sealed TOTP secret; null without a second factor. */
  totpSecret: bytea('totp_secret'),
  /** The time step of the last accepted code. Codes of this and earlier steps are refused. */
  totpStep: bigint('totp_step', { mode: 'number' }),
  createdAt: bigint('created_at', { mode: 'number' }).notNull(),
});

/** Keyed hashes of unused recovery codes, each of which replaces a lost second factor once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** Team members and their roles. */
export const members = pgTable(
  'members',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    role: text().$type<Role>().notNull().default('owner'),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.teamId] }), index('members_of_team').on(table.teamId)],
);

/** Dashboard sessions by the hash of their cookie's secret. `id` identifies a session on pages. */
export const sessions = pgTable(
  'sessions',
  {
    hash: text().primaryKey(),
    id: text().notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The selected team; null for the user's first team. */
    teamId: text('team_id').references(() => teams.id),
    /** True while the second factor is still required after the password. */
    isPending: boolean('is_pending').notNull().default(false),
    /** The time of the last password check in this session. */
    passwordAt: bigint('password_at', { mode: 'number' }).notNull().default(0),
    /** The truncated IP address at sign-in. */
    address: text().notNull(),
    browser: text().notNull(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    lastUsedAt: bigint('last_used_at', { mode: 'number' }).notNull(),
    expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
  },
  (table) => [index('sessions_of_user').on(table.userId), index('sessions_by_expiry').on(table.expiresAt)],
);

/** Invitations to a team (`team_id`, `role`) and password reset links (`user_id`), by the hash of their secret. */
export const oneTimeLinks = pgTable(
  'one_time_links',
  {
    hash: text().primaryKey(),
    teamId: text('team_id').references(() => teams.id),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    role: text().$type<Role>(),
    /** The recipient of an emailed link; null if the link was only displayed. */
    email: text(),
    /** The new address of the user `user_id`, confirmed by opening the link; null for other links. */
    newEmail: text('new_email'),
    /** The member who made an invitation; null for links from commands and from the first start. */
    createdBy: text('created_by').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
  },
  (table) => [index('one_time_links_by_expiry').on(table.expiresAt)],
);

/** The audit log. It never contains content of submissions. */
export const audit = pgTable(
  'audit',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    at: bigint({ mode: 'number' }).notNull(),
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
    details: json().$type<AuditDetails>().notNull(),
  },
  (table) => [
    index('audit_of_team').on(table.teamId, table.id),
    index('audit_of_actor').on(table.teamId, table.actorId, table.id),
    index('audit_of_action').on(table.teamId, table.action, table.id),
    index('audit_of_actor_and_action').on(table.teamId, table.actorId, table.action, table.id),
  ],
);

/** A single row: the last recorded time, and the time since which the clock has run without a jump. */
export const steadyClock = pgTable('steady_clock', {
  id: bigint({ mode: 'number' }).primaryKey(),
  seenAt: bigint('seen_at', { mode: 'number' }).notNull(),
  steadySince: bigint('steady_since', { mode: 'number' }).notNull(),
});

/**
 * A single row: how many purges were requested, by which of them it was rewritten, and up to which
 * the write-ahead log was emptied after that. `attempted_at` is the start of the last attempt.
 */
export const rewrites = pgTable('rewrites', {
  id: bigint({ mode: 'number' }).primaryKey(),
  requested: bigint({ mode: 'number' }).notNull(),
  rewritten: bigint({ mode: 'number' }).notNull(),
  cleared: bigint({ mode: 'number' }).notNull(),
  attemptedAt: bigint('attempted_at', { mode: 'number' }).notNull(),
});

/** Steps of setting up the instance that people have confirmed, such as a copied master key. */
export const milestones = pgTable('milestones', {
  name: text().$type<Milestone>().primaryKey(),
  reachedAt: bigint('reached_at', { mode: 'number' }).notNull(),
});

/** Failed sign-ins of all processes, under keyed hashes of addresses, accounts and browsers. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
  },
  (table) => [
    index('sign_in_attempts_by_name').on(table.name, table.expiresAt),
    index('sign_in_attempts_by_time').on(table.expiresAt),
  ],
);

/** Keyed hashes of challenges that were solved and accepted. */
export const spentChallenges = pgTable(
  'spent_challenges',
  {
    id: text().primaryKey(),
    expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
  },
  (table) => [index('spent_challenges_by_time').on(table.expiresAt)],
);

/** Webhooks and other targets of forms. `settings` is sealed: URLs and headers are secrets. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: text().primaryKey(),
    formId: text('form_id')
      .notNull()
      .references(() => forms.id),
    kind: text().$type<WebhookKind>().notNull(),
    events: json().$type<readonly WebhookEvent[]>().notNull(),
    body: text().$type<BodyStyle>().notNull(),
    includeSpam: boolean('include_spam').notNull(),
    when: json().$type<When>().notNull(),
    isActive: boolean('is_active').notNull(),
    disabledReason: text('disabled_reason').$type<DisabledReason>(),
    settings: bytea().$type<Uint8Array>().notNull(),
    failures: bigint({ mode: 'number' }).notNull().default(0),
    failingSince: bigint('failing_since', { mode: 'number' }),
    restUntil: bigint('rest_until', { mode: 'number' }),
    /** True if the last attempt timed out. Such endpoints share a part of the lanes. */
    isSlow: boolean('is_slow').notNull().default(false),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    /** Deleted webhooks are kept until their deliveries expire. */
    deletedAt: bigint('deleted_at', { mode: 'number' }),
  },
  (table) => [index('webhooks_of_form').on(table.formId)],
);

/**
 * Queued, sent and dead mails. Rows hold references only: the content and the visitor's address are read from the
 * submission at delivery. Each claim sets a lease and increments `fence`, so that a worker whose lease has expired
 * cannot record a result. `reason` is sealed, because mail servers quote message content in their replies.
 */
export const outbox = pgTable(
  'outbox',
  {
    id: text().primaryKey(),
    kind: text().$type<MailKind>().notNull(),
    /** Null for mails to a team member that concern no form. */
    formId: text('form_id').references(() => forms.id),
    /** Null for summaries, which cover the submissions from `covers_from` until before `covers_until`. */
    submissionId: text('submission_id').references(() => submissions.id, { onDelete: 'cascade' }),
    teamId: text('team_id').references(() => teams.id),
    /** Set for replies to the visitor. */
    replyId: text('reply_id').references(() => messages.id, { onDelete: 'cascade' }),
    /** Set for deliveries to a webhook, which leave `form_id` and `team_id` empty. */
    webhookId: text('webhook_id').references(() => webhooks.id, { onDelete: 'cascade' }),
    /** The event of a delivery to a webhook. */
    event: text().$type<DeliveryEvent>(),
    /** The deleted submission of `submission.deleted`. */
    deleted: json().$type<DeletedSubmission>(),
    coversFrom: bigint('covers_from', { mode: 'number' }),
    coversUntil: bigint('covers_until', { mode: 'number' }),
    /** The threshold of a cap warning, in percent of the plan's limit. */
    percent: bigint({ mode: 'number' }),
    recipient: text(),
    /** The keyed hash of a visitor's email address. */
    addressee: text(),
    messageId: text('message_id').notNull(),
    /** Only deliveries to webhooks are canceled. */
    state: text().$type<MailState | 'canceled'>().notNull(),
    failures: bigint({ mode: 'number' }).notNull(),
    dueAt: bigint('due_at', { mode: 'number' }).notNull(),
    leasedUntil: bigint('leased_until', { mode: 'number' }),
    /** The instance that claimed the row last. Not a foreign key, because instances are deleted when they end. */
    claimedBy: text('claimed_by'),
    fence: bigint({ mode: 'number' }).notNull(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    settledAt: bigint('settled_at', { mode: 'number' }),
    reason: bytea(),
    /** Duration of the last attempt of a delivery to a webhook, in milliseconds. */
    durationMs: bigint('duration_ms', { mode: 'number' }),
    /** HTTP status of the last answer of a webhook. */
    lastStatus: bigint('last_status', { mode: 'number' }),
  },
  (table) => [
    index('mails_to_send').on(table.dueAt).where(sql`state IN ('queued', 'retrying') AND webhook_id IS NULL`),
    index('mails_due_of_form')
      .on(table.formId, table.dueAt)
      .where(sql`state IN ('queued', 'retrying') AND webhook_id IS NULL`),
    index('deliveries_to_send')
      .on(table.webhookId, table.dueAt, table.id)
      .where(sql`state IN ('queued', 'retrying') AND webhook_id IS NOT NULL`),
    index('deliveries_leased')
      .on(table.webhookId, table.leasedUntil)
      .where(sql`leased_until IS NOT NULL AND webhook_id IS NOT NULL`),
    index('deliveries_of_webhook').on(table.webhookId, table.id).where(sql`webhook_id IS NOT NULL`),
    index('outbox_settled').on(table.settledAt).where(sql`state IN ('sent', 'dead', 'canceled')`),
    index('mails_failed').on(table.formId).where(sql`state = 'dead' AND kind <> 'auto_reply'`),
    index('mails_of_submission').on(table.submissionId),
    index('mails_of_reply').on(table.replyId).where(sql`reply_id IS NOT NULL`),
    index('mails_of_form').on(table.formId, table.state, table.id),
    index('mails_of_team').on(table.teamId, table.state, table.id).where(sql`team_id IS NOT NULL`),
    index('auto_replies').on(table.formId, table.createdAt).where(sql`kind = 'auto_reply'`),
  ],
);

/** Processes that serve this database. */
export const instances = pgTable('instances', {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: bigint({ mode: 'number' }).notNull(),
  version: text().notNull(),
  /** Id of the master key that the process seals with. */
  keyId: bigint('key_id', { mode: 'number' }).notNull(),
  startedAt: bigint('started_at', { mode: 'number' }).notNull(),
  seenAt: bigint('seen_at', { mode: 'number' }).notNull(),
});

/**
 * Check values and states of the master keys of this database. `fingerprint_key` is the key of all keyed hashes, sealed
 * under this master key; null if it is derived from it.
 */
export const vaultKeys = pgTable('vault_keys', {
  id: bigint({ mode: 'number' }).primaryKey(),
  checkValue: text('check_value').notNull(),
  state: text().$type<VaultKeyState>().notNull().default('current'),
  fingerprintKey: bytea('fingerprint_key'),
  createdAt: bigint('created_at', { mode: 'number' }).notNull(),
});
