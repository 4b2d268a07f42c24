import type { ApiKey } from '../domain/api-key.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type { Form, FormChanges, FormLogo } from '../domain/forms/form.ts';
import type { FormCheck } from '../domain/forms/form-check.ts';
import type { Mail, MailState, NewMail, StoredMail } from '../domain/mail/mail.ts';
import type { StoredSubmission } from '../domain/submissions/submission.ts';
import type { Team, Workspace } from '../domain/teams/team.ts';
import type { NewDelivery, Webhook } from '../domain/webhooks/webhook.ts';
import type { Micros } from '../lib/clock.ts';

/** An API key with the current plan of its team. */
export type ApiKeyWithPlan = ApiKey & Readonly<{ plan: string }>;

/** The Idempotency-Key of a post and a digest of its content, both as keyed hashes. */
export type Idempotency = Readonly<{ key: string; content: string }>;

/**
 * A request to the management API with an Idempotency-Key: a keyed hash of its content, and its response as a sealed
 * record. `status` is null until it is answered, `response` also for a response that is too long.
 */
export type ApiRequest = Readonly<{ content: string; status: number | null; response: Uint8Array | null }>;

/** Submissions, newest first, and whether older ones exist. */
export type SubmissionPage = Readonly<{ items: StoredSubmission[]; hasMore: boolean }>;

/** A mail leased to this process. `fence` is the fencing token that recording a result requires. */
export type ClaimedMail = Mail & Readonly<{ failures: number; fence: number }>;

/** A mail and the name of its form; null for mails that belong to no form. */
export type TeamMail = StoredMail & Readonly<{ formName: string | null }>;

/**
 * Figures about the store for metrics and diagnosis. `nextDueAt` is the due time of the first pending mail,
 * `lastCreatedAt` the latest `created_at` ever assigned to a submission; both are null if there is none. Sizes are
 * bytes on disk.
 */
export type StoreStats = Readonly<{
  mails: ReadonlyArray<readonly [state: MailState, count: number]>;
  nextDueAt: Micros | null;
  lastCreatedAt: Micros | null;
  databaseBytes: number;
  logBytes: number;
  schema: string;
  engine: string;
}>;

/** The machines that an acknowledged submission is stored on, and settings that weaken this, each with its remedy. */
export type DurabilityReport = Readonly<{
  machines: number;
  message: string;
  faults: readonly string[];
  /** True if submissions are refused, because a crash could lose them. */
  isRefusing: boolean;
}>;

/** A delivery leased to this process, with its webhook and form. */
export type ClaimedDelivery = NewDelivery &
  Readonly<{
    failures: number;
    fence: number;
    createdAt: Micros;
    webhook: Webhook;
    form: Form;
    teamId: string;
    /** True if the last attempt at this endpoint was slow. */
    isSlow: boolean;
  }>;

/** Limits of a claim: lanes in all, and the deliveries in flight, which count toward the limits of team and endpoint. */
export type DeliveryClaim = Readonly<{
  lanes: number;
  lanesPerTeam: number;
  /** Lanes of endpoints that were slow last time. */
  slowLanes: number;
  inFlight: ReadonlyArray<Readonly<{ webhookId: string; teamId: string; isSlow: boolean }>>;
  lease: Micros;
}>;

/**
 * The outcome of an attempt to deliver to a webhook. `reason` is a sealed record. `queued` returns the delivery without
 * counting a failure. `pauseUntil` is set where the endpoint limits its rate.
 */
export type WebhookResult = Readonly<{
  state: 'sent' | 'retrying' | 'dead' | 'queued' | 'canceled';
  dueAt: Micros | null;
  reason: Uint8Array | null;
  status: number | null;
  durationMs: number;
  isTimeout: boolean;
  pauseUntil: Micros | null;
  isGone: boolean;
  /** Sent in one request with another delivery, which accounts for the state of the endpoint. */
  isShared?: boolean;
}>;

/** States of a delivery to a webhook, as people see them. */
export type DeliveryState = 'queued' | 'retrying' | 'delivered' | 'failed' | 'canceled';

/** A delivery in the log. `reason` is a sealed record. */
export type StoredDelivery = NewDelivery &
  Readonly<{
    state: DeliveryState;
    attempts: number;
    lastStatus: number | null;
    durationMs: number | null;
    reason: Uint8Array | null;
    dueAt: Micros | null;
    createdAt: Micros;
    settledAt: Micros | null;
  }>;

/** Changes of a webhook by a person. */
export type WebhookChanges = Partial<
  Pick<Webhook, 'events' | 'body' | 'includeSpam' | 'when' | 'isActive' | 'settings' | 'createdBy'>
>;

/** The workspaces of a team, with their forms, also those in the trash, webhooks, and logos by form. */
export type TeamSetup = Readonly<{
  workspaces: readonly Workspace[];
  forms: readonly Form[];
  webhooks: readonly Webhook[];
  logos: ReadonlyMap<string, FormLogo>;
}>;

type Changed<Changes> = Readonly<{ id: string; changes: Changes }>;

/** Changes of a team's workspaces, forms and webhooks, in the order in which they are made, with their audit entries. */
export type SetupChanges = Readonly<{
  newWorkspaces: readonly Workspace[];
  workspaces: ReadonlyArray<Changed<Partial<Pick<Workspace, 'name' | 'position'>>>>;
  newForms: readonly Form[];
  restoredForms: readonly string[];
  forms: ReadonlyArray<Changed<FormChanges>>;
  logos: ReadonlyArray<Readonly<{ formId: string; logo: FormLogo | null }>>;
  trashedForms: readonly string[];
  deletedWebhooks: readonly string[];
  newWebhooks: readonly Webhook[];
  webhooks: ReadonlyArray<Changed<WebhookChanges>>;
  deletedWorkspaces: readonly string[];
  audit: readonly AuditEntry[];
}>;

/**
 * The number of requests for a purge, and how many of them the last one covered, at `purgedAt`. `lasting` names the copies
 * that no purge of this database removes; null for none.
 */
export type PurgeProgress = Readonly<{ requested: number; purged: number; purgedAt: Micros; lasting: string | null }>;

/** Copies of deleted data that may be left. `until` is the time they are gone; null for the next successful purge. */
export type Residue = Readonly<{ reason: string; until: Micros | null }>;

/** The outcome of an attempt to send a mail. `queued` counts no failure, `obsolete` deletes it, `canceled` is for spam. */
export type MailResult =
  | Readonly<{ state: 'sent' | 'obsolete' | 'canceled' }>
  | Readonly<{ state: 'queued'; dueAt: Micros; reason: Uint8Array | null }>
  | Readonly<{ state: 'retrying'; dueAt: Micros; reason: Uint8Array }>
  | Readonly<{ state: 'dead'; reason: Uint8Array }>;

/** Submissions of a form outside the trash that arrived on one UTC day. */
export type DayCount = Readonly<{ genuine: number; spam: number }>;

/** Unread submissions of a form, up to 100, and the arrival of the last one. Spam and trash don't count. */
export type FormActivity = Readonly<{ unread: number; lastArrival: Micros | null }>;

/** The activity of a form, and its counts of the last 30 UTC days, today last. */
export type FormStats = FormActivity & Readonly<{ days: readonly DayCount[] }>;

/**
 * A team with its forms and submissions outside the trash, the bytes that it takes, and the time of its last submission or
 * audit entry; null if there is none.
 */
export type TeamStats = Readonly<Pick<Team, 'id' | 'name' | 'plan' | 'createdAt'>> &
  Readonly<{ forms: number; submissions: number; bytes: number; lastActivity: Micros | null }>;

/** A form's digest settings and the ends of its last digest and spam summary; null before the first. */
export type DigestProgress = Readonly<Pick<Form, 'id' | 'digest' | 'timeZone'>> &
  Readonly<{ digestedUntil: Micros | null; heldBackUntil: Micros | null }>;

/**
 * The ends of a form's next digest (start of the current day or, unless digests are daily, hour) and next spam summary (start of the current day).
 */
export type SummaryWindow = Readonly<{ formId: string; digestUntil: Micros; heldBackUntil: Micros }>;

/**
 * An accepted post. `payload`, `files` and `spamReasons` are sealed records, `blobs` the names of the blobs that hold
 * the uploaded files. `submission-row.ts` names the columns that are written.
 */
export type NewSubmission = Pick<StoredSubmission, 'id' | 'formId' | 'isSpam' | 'payload' | 'spamReasons' | 'files'> &
  Partial<StoredSubmission> &
  Readonly<{
    blobs: readonly string[];
    /** Size of the uploaded files; none if absent. */
    fileBytes?: number;
    /** Keyed hash of the visitor's address, which the form accepts once; null or absent if it accepts any. */
    address?: string | null;
    /** Keyed hash of the address that the visitor has to confirm; null or absent if they need not. */
    confirmHash?: string | null;
    /** The version of the consent text that the visitor agreed to; null or absent for none. */
    consent?: string | null;
    /** The master key of the sealed records; not compared with the current one if absent. */
    keyId?: number;
    idempotency: Idempotency | null;
    challenge: SpentChallenge | null;
    mails: readonly NewMail[];
    deliveries: readonly NewDelivery[];
  }>;

/** A run of `formstead import`. `finishedAt` is null while it runs, and after an interruption. */
export type ImportRecord = Readonly<{
  id: string;
  formId: string;
  /** The service that wrote the export. */
  source: string;
  /** Number of stored rows. */
  added: number;
  createdAt: Micros;
  finishedAt: Micros | null;
  undoneAt: Micros | null;
}>;

/** A row of an import. `hash` is a keyed hash of the form and of the row, or of the row's id. */
export type ImportedSubmission = Pick<NewSubmission, 'id' | 'isSpam' | 'payload' | 'files' | 'blobs'> &
  Readonly<{ createdAt: Micros; fileBytes: number; hash: string }>;

/**
 * Counts of deleted submissions, mails and deliveries to webhooks, and the names of the blobs that the caller must remove.
 * Mails and deliveries in flight were being sent at that moment and may still arrive.
 */
export type DeletionResult = Readonly<{
  submissions: number;
  blobs: readonly string[];
  mails: number;
  mailsInFlight: number;
  deliveries: number;
  deliveriesInFlight: number;
}>;

/** A form outside the trash, its team, and the results of its checks. */
export type CheckedForm = Readonly<{ form: Form; teamId: string; check: FormCheck }>;

/** A form's retention in days; null to use the instance's setting. */
export type RetentionRule = Readonly<Pick<Form, 'id' | 'retentionDays'>> & Readonly<{ teamId: string }>;

/** `all` is everything outside the trash. */
export type ExportState = 'genuine' | 'maybe' | 'spam' | 'all' | 'trashed';

/** Also those that people's exports leave out, because their visitors have not confirmed their address yet. */
export type StoredState = ExportState | 'unconfirmed';

/** Submissions of a form created at or after `from` and before `until`. */
export type ExportSpan = Readonly<{ formId: string; state: StoredState; from: Micros; until: Micros }>;

/** The id and check value of a master key. They identify the key and reveal nothing about it. */
export type VaultKey = Readonly<{ id: number; check: string }>;

/** `current` seals new records, `retiring` still has records sealed under it, `unused` has none. */
export type VaultKeyState = 'current' | 'retiring' | 'unused';

/** The database row of a master key. `fingerprintKey` is sealed under this key; null if it is derived from it. */
export type StoredVaultKey = VaultKey &
  Readonly<{ state: VaultKeyState; fingerprintKey: Uint8Array | null; createdAt: Micros }>;

/** A sealed record and its associated data (AAD). */
export type SealedRecord = Readonly<{
  aad: Readonly<{ table: string; row: string; form: string; column: string }>;
  record: Uint8Array;
}>;

/** A position in the sequence of all sealed records. */
export type SealedCursor = Readonly<{ table: number; after: string | number }>;

/** A solved challenge, identified by its keyed hash. It is accepted once. */
export type SpentChallenge = Readonly<{ id: string; expiresAt: Micros }>;

/** Result of comparing a post with an earlier one under the same Idempotency-Key. */
export type ReplayStatus = 'none' | 'same content' | 'other content';

/** Proof of a second factor: the time step of a TOTP code, or the keyed hash of a recovery code. */
export type SecondFactorProof = Readonly<{ step: number }> | Readonly<{ codeHash: string }>;

/** A TOTP secret (sealed), the time step of the code that confirmed it, and the keyed hashes of its recovery codes. */
export type NewSecondFactor = Readonly<{ secret: Uint8Array; step: number; codeHashes: readonly string[] }>;

/** A team's spam filter. `weights` is a sealed record. */
export type StoredSpamModel = Readonly<{ weights: Uint8Array; raisedBy: number; halvedAt: Micros }>;

/** The lesson of a message. `changes` is a sealed record, empty for a mark that is not learned yet. */
export type SpamLesson = Readonly<{
  id: string;
  submissionId: string;
  isSpam: boolean;
  /** The mark that this message balances; null for a mark. */
  balances: string | null;
  changes: Uint8Array;
  createdAt: Micros;
}>;

/** Numbers of lessons by kind: marks of missed spam, of genuine messages, and messages that balance them. */
export type SpamLessonCounts = Readonly<{ spam: number; genuine: number; balancing: number }>;

/** A change of a team's spam filter. Nothing changes unless the stored weights are still `before`. */
export type SpamModelChange = Readonly<{
  before: Uint8Array | null;
  model: StoredSpamModel;
  /** Marks that were learned, and messages that balance them. */
  learned: readonly SpamLesson[];
  /** Ids of lessons to delete. */
  removed: readonly string[];
}>;

/** A process that serves the database. `keyId` is the id of the master key that it seals with. */
export type ServingProcess = Readonly<{ host: string; pid: number; version: string; keyId: number }>;

/**
 * A serving process as others see it. A store creates its id when it is opened, and notes it in claims of mails and
 * deliveries. `seenAt` is the time of its last beat, or of its start with one process per database.
 */
export type Instance = ServingProcess & Readonly<{ id: string; startedAt: Micros; seenAt: Micros }>;

/** The outcome of accepting a submission. Only `stored` and `replayed` may be answered as success. */
export type AcceptResult =
  | Readonly<{ outcome: 'stored'; id: string; createdAt: Micros }>
  | Readonly<{ outcome: 'replayed' | 'reused' | 'spent' | 'full' | 'not open' | 'closed' | 'no place' | 'repeated' }>
  | Readonly<{ outcome: 'capped'; periodEnd: Micros }>
  | Readonly<{ outcome: 'paused' }>
  | StaleKey;

/** The refusal of records that are sealed under another key than the current one, which `keyId` names. */
export type StaleKey = Readonly<{ outcome: 'stale key'; keyId: number }>;

/** The limit of attempts to sign in under a name, which is a keyed hash. */
export type AttemptLimit = Readonly<{ name: string; limit: number }>;
