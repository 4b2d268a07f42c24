import type { ApiKey } from '../domain/api-key.ts';
import type { Actor, AuditAction, AuditEntry, StoredAuditEntry } from '../domain/audit.ts';
import type { Form, FormChanges, FormLogo } from '../domain/form.ts';
import type { FormLayout, InboxPage, InboxSelection, InboxViewRecord } from '../domain/inbox.ts';
import type { Mail, MailState, NewMail, StoredMail, Summary } from '../domain/mail.ts';
import type { NewMessage, StoredMessage } from '../domain/message.ts';
import type { Milestone } from '../domain/milestone.ts';
import type { Role } from '../domain/roles.ts';
import type { StoredSubmission } from '../domain/submission.ts';
import type { Team, Workspace } from '../domain/team.ts';
import type { MonthlyUsage } from '../domain/usage.ts';
import type {
  ChosenAccess,
  Invitation,
  Member,
  Membership,
  OneTimeLink,
  RevokedAccess,
  Session,
  User,
} from '../domain/user.ts';
import type { NewDelivery, Webhook } from '../domain/webhook.ts';
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

/** A mail leased to this process. `fence` is the fencing token that `recordDelivery` requires. */
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
  says: string;
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

/** The outcome of a delivery attempt. `queued` returns the mail without counting a failure, `obsolete` deletes it. */
export type DeliveryResult =
  | Readonly<{ state: 'sent' | 'obsolete' }>
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
 * the uploaded files.
 */
export type NewSubmission = Readonly<{
  id: string;
  formId: string;
  isSpam: boolean;
  /** False if absent. */
  isMaybeSpam?: boolean;
  payload: Uint8Array;
  spamReasons: Uint8Array | null;
  files: Uint8Array | null;
  blobs: readonly string[];
  /** Size of the uploaded files; none if absent. */
  fileBytes?: number;
  /** The sealed source; null if absent. */
  source?: Uint8Array | null;
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

/** A form's retention in days; null to use the instance's setting. */
export type RetentionRule = Readonly<Pick<Form, 'id' | 'retentionDays'>> & Readonly<{ teamId: string }>;

/** `all` is everything outside the trash. */
export type ExportState = 'genuine' | 'maybe' | 'spam' | 'all' | 'trashed';

/** Submissions of a form created at or after `from` and before `until`. */
export type ExportSpan = Readonly<{ formId: string; state: ExportState; from: Micros; until: Micros }>;

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

/** Numbers of lessons by kind; `since` is the time of the oldest one, null for none. */
export type SpamLessonCounts = Readonly<{ spam: number; genuine: number; balancing: number; since: Micros | null }>;

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

/** The outcome of `acceptSubmission`. Only `stored` and `replayed` may be answered as success. */
export type AcceptResult =
  | Readonly<{ outcome: 'stored'; createdAt: Micros }>
  | Readonly<{ outcome: 'replayed' | 'reused' | 'spent' | 'full' }>
  | Readonly<{ outcome: 'capped'; periodEnd: Micros }>
  | Readonly<{ outcome: 'paused' }>
  | StaleKey;

/** The refusal of records that are sealed under another key than the current one, which `keyId` names. */
export type StaleKey = Readonly<{ outcome: 'stale key'; keyId: number }>;

/** The limit of attempts to sign in under a name, which is a keyed hash. */
export type AttemptLimit = Readonly<{ name: string; limit: number }>;

/**
 * The database port. Each method is one unit of work, atomic, and durable when its promise resolves. Methods throw
 * `AppError('storage_unavailable')`, changing nothing, if the disk cannot be read or written.
 */
export interface Store {
  createTeam(team: Team): Promise<void>;
  /**
   * Creates a team with a workspace, and its owner, who must manage the team `fromTeamId`. Throws
   * `AppError('role_forbids')`, creating nothing, if they no longer do.
   */
  createOwnedTeam(team: Team, workspace: Workspace, ownerId: string, fromTeamId: string): Promise<void>;
  /** Creates a team, a workspace and a form if the store has no team yet. Returns false if it has one. */
  createFirstTeam(team: Team, workspace: Workspace, form: Form): Promise<boolean>;
  /** Returns the updated team, or null if it does not exist. */
  updateTeam(
    id: string,
    changes: Partial<Pick<Team, 'name' | 'plan' | 'requiresSecondFactor' | 'learnsSpam' | 'setUpAt'>>,
  ): Promise<Team | null>;
  findTeam(id: string): Promise<Team | null>;
  /** Lists teams, oldest first. All other lists but those of submissions have the same order unless noted. */
  listTeams(): Promise<Team[]>;
  /** Lists teams with their stats, oldest first. */
  listTeamStats(): Promise<TeamStats[]>;
  /**
   * Begins the deletion of a team: removes its members, invitations and API keys, and begins the deletion of its forms, which
   * the retention job completes if nobody else does. Returns false if there is no such team.
   */
  closeTeam(id: string): Promise<boolean>;
  /**
   * Deletes a team without forms, with its audit log, mails and usage, and requests a purge. Returns false
   * if more than `limit` mails or audit entries are left; the caller calls again. Throws `AppError('conflict')`, deleting
   * nothing, if the team has forms.
   */
  deleteTeam(id: string, limit: number): Promise<boolean>;

  createWorkspace(workspace: Workspace): Promise<void>;
  findWorkspace(id: string): Promise<Workspace | null>;
  listWorkspaces(teamId: string): Promise<Workspace[]>;
  /** Returns false if the team has no such workspace. */
  renameWorkspace(id: string, name: string, teamId: string): Promise<boolean>;
  /** Swaps a workspace with the one before or after it. Returns false if the team has no such workspace. */
  sortWorkspace(id: string, direction: 'up' | 'down', teamId: string): Promise<boolean>;
  /**
   * Deletes a workspace; its forms in the trash move to the first other one. Returns false if the team has no such
   * workspace. Throws `AppError('conflict')`, changing nothing, if it has other forms or is the last one.
   */
  deleteWorkspace(id: string, teamId: string): Promise<boolean>;

  /** Throws `AppError('conflict')` if the short id is taken. */
  createForm(form: Form): Promise<void>;
  /**
   * Returns the updated form, or null if it does not exist or belongs to another team. Archiving a form pauses it, and
   * activating it takes it out of the archive.
   */
  updateForm(id: string, changes: FormChanges, teamId?: string): Promise<Form | null>;
  /** Removes a recipient of notifications with their conditions. Returns false if the form has no such recipient. */
  removeRecipient(formId: string, recipient: string): Promise<boolean>;
  findForm(id: string, teamId: string): Promise<Form | null>;
  /** Finds a form outside the trash by id or short id. */
  findPublicForm(idOrShortId: string): Promise<Form | null>;
  /** Finds a form by id or short id, in the trash too. */
  findStoredForm(idOrShortId: string): Promise<Form | null>;
  /** Lists the forms of a team outside the trash, those in it, or all, oldest first. */
  listForms(teamId: string, which?: 'live' | 'trashed' | 'all'): Promise<Form[]>;
  /** Sets or removes the logo of a form. The form must exist. */
  setFormLogo(formId: string, logo: FormLogo | null): Promise<void>;
  findFormLogo(formId: string): Promise<FormLogo | null>;
  /** Returns the stats of all forms of a team by form id. `at` is the current time. */
  formStats(teamId: string, at: Micros): Promise<ReadonlyMap<string, FormStats>>;
  formActivity(formId: string): Promise<FormActivity>;
  /** Returns the counts of a form for the last `count` UTC days, that of `at` last. */
  countDays(formId: string, at: Micros, count: number): Promise<DayCount[]>;

  readSetup(teamId: string): Promise<TeamSetup>;
  /** Makes all changes, or none if the setup is no longer `before`: then it returns false. */
  applySetup(teamId: string, before: TeamSetup, changes: SetupChanges, at: Micros): Promise<boolean>;

  hasUsers(): Promise<boolean>;
  listUsers(): Promise<User[]>;
  findUser(id: string): Promise<User | null>;
  /** Finds a user by email address, which must be in lower case. */
  findUserByEmail(email: string): Promise<(User & Readonly<{ passwordHash: string }>) | null>;
  updateUser(id: string, changes: Partial<Pick<User, 'name' | 'theme' | 'language' | 'timeZone'>>): Promise<void>;
  /**
   * Deletes a user with their sessions, memberships, second factor, reset links and the invitations they made. If a
   * team would lose its last owner, deletes nothing and returns those teams.
   */
  deleteUser(id: string): Promise<Team[]>;
  /** Sets the password, deletes all reset links of the user and ends all sessions except `keptSessionId`. */
  setPassword(userId: string, passwordHash: string, keptSessionId: string): Promise<void>;
  listMembershipsOf(userId: string): Promise<Membership[]>;
  listMembers(teamId: string): Promise<Member[]>;
  /** Adds a member. Returns false, changing nothing, if the user is a member already. */
  addMember(teamId: string, userId: string, role: Role): Promise<boolean>;
  /**
   * Changes a member's role. A role that may not invite also ends the invitations they made, and `chosen`. Returns null if the user is not a member. Throws `AppError('conflict')`, changing nothing,
   * if the team would lose its last owner.
   */
  changeRole(teamId: string, userId: string, role: Role, chosen?: ChosenAccess): Promise<RevokedAccess | null>;
  /** Removes a member with the invitations they made, and `chosen`. Returns and throws as `changeRole` does. */
  removeMember(teamId: string, userId: string, chosen?: ChosenAccess): Promise<RevokedAccess | null>;
  /**
   * Uses up an invitation, adds the user to its team and returns the team id; null if the invitation is not valid. For
   * a user who is a member already, neither role nor invitation change.
   */
  joinByLink(secretHash: string, userId: string): Promise<string | null>;
  /** Selects the team that a session shows. Returns false if its user is not a member. */
  chooseTeam(sessionId: string, teamId: string): Promise<boolean>;
  /** Lists the unexpired invitations of a team. */
  listInvitations(teamId: string): Promise<Invitation[]>;
  /** Returns false if the team has no such unexpired invitation. */
  revokeInvitation(teamId: string, id: string): Promise<boolean>;
  /**
   * A link that confirms an address replaces earlier ones of the user. Throws `AppError('role_forbids')`, creating
   * nothing, if the maker of an invitation may no longer invite.
   */
  createLink(secretHash: string, link: OneTimeLink): Promise<void>;
  /** Returns null if the link does not exist, was used, or has expired. */
  findLink(secretHash: string): Promise<OneTimeLink | null>;
  /**
   * Uses up an invitation and creates the user as a member of its team; false if the invitation is not valid. The first
   * user of the instance also voids the team's other invitations, since each start without a user prints one. Throws
   * `AppError('conflict')`, keeping the invitation, if the email address is taken.
   */
  createUserByLink(secretHash: string, user: User, passwordHash: string): Promise<boolean>;
  /**
   * Sets the password, deletes all reset links of the user and ends all sessions. Returns null if the link is not
   * valid.
   */
  setPasswordByLink(secretHash: string, passwordHash: string): Promise<User | null>;
  /**
   * Sets the email address of a link that confirms one, and deletes all other links of the user. Returns the previous
   * and the new address, or null if the user has no such valid link. Throws `AppError('conflict')`, keeping the link, if
   * the address is taken.
   */
  setEmailByLink(secretHash: string, userId: string): Promise<Readonly<{ from: string; to: string }> | null>;
  createSession(secretHash: string, session: Session): Promise<void>;
  /** Returns null if the session does not exist, has expired, or was idle for `SESSION_IDLE`. */
  findSession(secretHash: string): Promise<Readonly<{ session: Session; user: User; hasSecondFactor: boolean }> | null>;
  /** Returns the role of a session's user in a team; null if the session is not valid or the user is not a member. */
  findSessionRole(sessionId: string, teamId: string): Promise<Role | null>;
  /** Lists up to `limit` valid, non-pending sessions of a user, most recently used first. */
  listSessions(userId: string, limit: number): Promise<Session[]>;
  recordPasswordCheck(sessionId: string, at: Micros): Promise<void>;
  /** Replaces the secret of a session. Returns false if the user has no such session. */
  renewSession(userId: string, id: string, secretHash: string): Promise<boolean>;
  /** Returns false if the user has no such session. */
  endSession(userId: string, id: string): Promise<boolean>;
  endSessions(userId: string): Promise<void>;
  /**
   * Returns the sealed TOTP secret and the number of unused recovery codes; null for a user without a second factor.
   */
  findSecondFactor(userId: string): Promise<Readonly<{ secret: Uint8Array; codesLeft: number }> | null>;
  /** Adds a second factor and ends all sessions except `keptSessionId`. Returns false if the user has one already. */
  addSecondFactor(userId: string, factor: NewSecondFactor, keptSessionId: string): Promise<boolean>;
  /**
   * Replaces all recovery codes and ends all sessions except `keptSessionId`. Returns false without a second factor.
   */
  replaceRecoveryCodes(userId: string, codeHashes: readonly string[], keptSessionId: string): Promise<boolean>;
  /** Uses up a proof. Returns false if it was used before, or the user has no second factor. */
  spendProof(userId: string, proof: SecondFactorProof): Promise<boolean>;
  /**
   * Removes the second factor and ends all sessions except `keptSessionId`, or all if it is null. Returns false without
   * a second factor.
   */
  removeSecondFactor(userId: string, keptSessionId: string | null): Promise<boolean>;
  /**
   * Replaces a pending session of the same user and uses up the proof: the time step must be later than the last
   * accepted one, the recovery code must be unused. Returns false, changing nothing, otherwise.
   */
  completeSecondFactor(
    pendingId: string,
    proof: SecondFactorProof,
    secretHash: string,
    session: Session,
  ): Promise<boolean>;
  /** Sets the last use of sessions by id. */
  recordSessionUse(usedAt: ReadonlyMap<string, Micros>): Promise<void>;
  /** Deletes expired sessions and one-time links. */
  pruneSessions(): Promise<void>;

  /** Throws `AppError('role_forbids')`, creating nothing, if its creator may no longer create keys. */
  createKey(key: ApiKey, secretHash: string): Promise<void>;
  findKey(secretHash: string): Promise<ApiKeyWithPlan | null>;
  /** Revokes an API key; one revoked before keeps its time. Returns the updated key, or null if it does not exist. */
  revokeKey(id: string, at: Micros): Promise<ApiKey | null>;
  listKeys(teamId: string): Promise<ApiKey[]>;
  /** Sets the last use of API keys by id. */
  recordKeyUse(usedAt: ReadonlyMap<string, Micros>): Promise<void>;

  /**
   * Stores a submission, counts it toward the plan and queues its mails, without a notification where a digest follows.
   *
   * - `createdAt` increases strictly, even when the clock stops or goes back.
   * - The form must be active (else `paused`), and its team below the limits of its plan (else `capped`, or `full` for
   *   the storage).
   * - An Idempotency-Key is accepted once in 24 hours; a repetition is `replayed` if its content is equal, else
   *   `reused`.
   * - A solved challenge is accepted once; a repetition is `spent`.
   * - Records under another master key than the current one are refused as `stale key`; the caller seals them again.
   * - Members are warned once per period at 80 % and at 100 % of the limit.
   */
  acceptSubmission(submission: NewSubmission): Promise<AcceptResult>;
  /** Resolves when every queued submission has been stored or refused. */
  flushSubmissions(): Promise<void>;
  /** Lists a page of all forms by id, after the id `after`. */
  listDigestProgress(page: Readonly<{ after: string; limit: number }>): Promise<DigestProgress[]>;
  /**
   * Queues digests and spam summaries for the recipients of these forms and returns the number of mails; empty ones are
   * not sent. Every submission is covered exactly once, even after a crash or when the clock goes back. A form that was
   * switched to digests stops notifying for single submissions; one switched back gets the pending digest at once. A
   * form with too many notifications gets a digest at the end of each hour, until that one covers at most
   * `NOTIFICATIONS_PER_HOUR`.
   */
  queueDigests(windows: readonly SummaryWindow[]): Promise<number>;
  /** Counts the submissions that a summary currently covers, up to `max`. */
  countSummarySubmissions(summary: Summary, max: number): Promise<number>;
  /** Lists a page of the submissions that a summary covers, created after `after`, oldest first. */
  listSummarySubmissions(
    summary: Summary,
    page: Readonly<{ after: Micros; limit: number }>,
  ): Promise<StoredSubmission[]>;
  /** Checks an Idempotency-Key as `acceptSubmission` does, without storing anything. */
  findReplay(formId: string, idempotency: Idempotency): Promise<ReplayStatus>;
  /**
   * Leases up to `limit` due mails, oldest first within each team, in turn by team. No other caller gets them until the
   * lease expires.
   */
  claimMails(limit: number, lease: Micros): Promise<ClaimedMail[]>;
  /** Records the outcome of an attempt. Returns false, changing nothing, if the claim is no longer valid. */
  recordDelivery(id: string, fence: number, result: DeliveryResult): Promise<boolean>;
  /** Lists mails, newest first. */
  listMails(page: Readonly<{ state: MailState | null; limit: number }>): Promise<StoredMail[]>;
  /** Requeues one unsent mail, or all dead mails, with no failures counted. Returns the count. */
  retryMails(which: Readonly<{ id: string }> | 'dead'): Promise<number>;
  /** Lists the mails of a team's forms and members with an id below `before` (null: from the newest), newest first. */
  listTeamMails(
    teamId: string,
    page: Readonly<{ state: MailState; before: string | null; limit: number }>,
  ): Promise<TeamMail[]>;
  /** Counts failed mails of a team or of all, up to `max`. Auto-replies don't count: visitors mistype their addresses. */
  countFailedMails(teamId: string | null, max: number): Promise<number>;
  /** Counts the mails of a team in a state, up to `max`. */
  countTeamMails(teamId: string, state: MailState, max: number): Promise<number>;
  /** Requeues one failed mail of a team, or up to `dead` of its dead mails. Returns the count. */
  retryTeamMails(teamId: string, which: Readonly<{ id: string }> | Readonly<{ dead: number }>): Promise<number>;
  /**
   * Returns the language of the user with the recipient's address, or of the first owner of the team of the mail. Null
   * if neither has chosen one.
   */
  findMailLanguage(mail: Pick<Mail, 'recipient' | 'formId' | 'teamId'>): Promise<string | null>;
  /** Deletes up to `limit` failed mails of a team, auto-replies included. Returns the count. */
  dismissTeamMails(teamId: string, limit: number): Promise<number>;
  /** Deletes mails sent more than 7 days ago and mails dead for more than 30 days. Dead replies are canceled instead. */
  pruneMails(): Promise<void>;
  /** Stores a webhook. Throws `AppError('conflict')` if its form has `max` already. */
  createWebhook(webhook: Webhook, max: number): Promise<void>;
  /** Lists the webhooks of a form, oldest first. */
  listWebhooks(formId: string): Promise<Webhook[]>;
  /** Finds a webhook, of any team without `teamId`. */
  findWebhook(id: string, teamId?: string): Promise<Webhook | null>;
  /**
   * Changes a webhook; null if it does not exist. Activating one forgets its failures and makes its deliveries due.
   */
  updateWebhook(id: string, changes: WebhookChanges, teamId?: string): Promise<Webhook | null>;
  /** Deletes a webhook and cancels its deliveries. Returns false if it does not exist. */
  deleteWebhook(id: string, teamId?: string): Promise<boolean>;
  /** Counts the webhooks of a team that rest or were disabled because of failures, up to `max`. */
  countFailingWebhooks(teamId: string, max: number): Promise<number>;
  /** Lists webhooks that rest or were disabled because of failures, of one team or of all, up to `limit`. */
  listFailingWebhooks(limit: number, teamId?: string): Promise<Webhook[]>;
  /** Counts queued deliveries up to `max`, and returns when the oldest due one of an active webhook was due; null if none is. */
  readDeliveryStats(max: number): Promise<Readonly<{ queued: number; oldestDueAt: Micros | null }>>;
  /** Leases due deliveries, at most one for each webhook, oldest first. */
  claimDeliveries(claim: DeliveryClaim): Promise<ClaimedDelivery[]>;
  /** Leases further due deliveries of new submissions to the webhook of a claimed delivery, oldest first. */
  claimMoreDeliveries(claimed: ClaimedDelivery, limit: number, lease: Micros): Promise<ClaimedDelivery[]>;
  /**
   * Records the outcome of an attempt, and the state of the endpoint. Returns null, changing nothing, if the claim is no
   * longer valid. `alert` says that the endpoint has failed for an hour or a day, or was disabled: a mail to each owner is
   * queued with it.
   */
  recordWebhookDelivery(id: string, fence: number, result: WebhookResult): Promise<Readonly<{ alert: boolean }> | null>;
  /** Lists the deliveries of a webhook with an id below `before` (null: from the newest), newest first. */
  listDeliveries(
    webhookId: string,
    page: Readonly<{ before: string | null; limit: number }>,
  ): Promise<StoredDelivery[]>;
  /** Counts the deliveries that wait for a webhook up to `max`, and returns the one that failed last; null if none did. */
  readBacklog(
    webhookId: string,
    max: number,
  ): Promise<Readonly<{ waiting: number; lastFailed: StoredDelivery | null }>>;
  /** Finds a delivery of a webhook and its webhook's form. */
  findDelivery(id: string): Promise<StoredDelivery | null>;
  /** Requeues one settled or waiting delivery, or all failed ones of a webhook. Returns the count. */
  redeliver(which: Readonly<{ id: string }> | Readonly<{ webhookId: string }>): Promise<number>;
  /**
   * Queues deliveries of `submission.created` for existing submissions of the webhook's form. One that was delivered before
   * is requeued under its id. Returns the count.
   */
  queuePastDeliveries(webhookId: string, deliveries: readonly NewDelivery[]): Promise<number>;
  /** Finds the form of a submission of any team, without the payload of the submission, which can be a megabyte. */
  findFormOfSubmission(id: string): Promise<Readonly<{ form: Form; isSpam: boolean }> | null>;
  /** Finds a submission of any team and its form. */
  findSubmissionWithForm(id: string): Promise<Readonly<{ submission: StoredSubmission; form: Form }> | null>;
  /**
   * Records a request to the management API before it runs. `id` is a keyed hash. Returns null, or the request that was
   * recorded under this id in the last 24 hours.
   */
  claimApiRequest(id: string, content: string): Promise<ApiRequest | null>;
  /** Stores the response of a request. */
  answerApiRequest(id: string, status: number, response: Uint8Array | null): Promise<void>;
  /** Forgets a request that was refused. */
  releaseApiRequest(id: string): Promise<void>;
  /** Deletes expired idempotency keys, requests to the management API, challenges and attempts to sign in. */
  pruneExpired(): Promise<void>;
  /**
   * Lists submissions created before `before` (null: from the newest), newest first; null if the team has no such form.
   * With `maxBytes` the page ends before the payload that would exceed it, but has at least one submission.
   */
  listSubmissions(
    teamId: string,
    formId: string,
    page: Readonly<{ before: Micros | null; limit: number; maxBytes?: number }>,
  ): Promise<SubmissionPage | null>;
  /** Finds a submission outside the trash. */
  findSubmission(id: string, teamId: string): Promise<StoredSubmission | null>;
  /** Returns the form ids of those submissions that belong to the team and are outside the trash. */
  formsOfSubmissions(ids: readonly string[], teamId: string): Promise<ReadonlyMap<string, string>>;
  /** Finds a submission, in the trash too. */
  findStoredSubmission(id: string, teamId: string): Promise<StoredSubmission | null>;
  /** Lists the newest submissions of a form, all or only spam or possible spam, newest first; null without the form. */
  listRecentSubmissions(
    formId: string,
    page: Readonly<{ onlySpam: boolean; onlyMaybeSpam?: boolean; limit: number }>,
  ): Promise<StoredSubmission[] | null>;
  /**
   * Limits a span to the submissions that exist now and returns its end, with an upper bound of their number.
   * Submissions accepted later are outside the returned span.
   */
  estimateExport(span: ExportSpan): Promise<Readonly<{ until: Micros; atMost: number }>>;
  /**
   * Returns the next submissions of a span after `after`, oldest first: some dozens, fewer if large, none at the end.
   */
  listExportPage(span: ExportSpan, after: Micros): Promise<StoredSubmission[]>;
  /**
   * Sets the spam flag and returns the updated submission, or null if it does not exist. It is no longer possible spam.
   * Marking it as genuine deletes its spam reasons, if it has any, and queues `mails`. With null for `mails` the reasons
   * stay. `deliveries` are queued if it was spam or possible spam, unless a webhook got the submission before.
   */
  markSubmission(
    id: string,
    isSpam: boolean,
    mails: readonly NewMail[] | null,
    deliveries: readonly NewDelivery[],
  ): Promise<StoredSubmission | null>;
  /** Lists the creation times of a selection, in constant time per form. */
  listInboxTimes(selection: InboxSelection, page: InboxPage): Promise<Micros[]>;
  /** Counts the submissions of a selection, up to `max`. */
  countInbox(selection: InboxSelection, max: number): Promise<number>;
  /** Returns the ids of the submissions of any team created at these times, in this order, without their payloads. */
  findIdsAt(times: readonly Micros[]): Promise<string[]>;
  /** Returns the ids of the next newer and next older submission of a selection around a time. */
  findInboxNeighbours(
    selection: InboxSelection,
    at: Micros,
  ): Promise<Readonly<{ newer: string | null; older: string | null }>>;
  /**
   * Returns the submissions of any team created at these times, in this order, without those deleted in the meantime.
   */
  findSubmissionsAt(times: readonly Micros[]): Promise<StoredSubmission[]>;
  /**
   * Moves submissions of a team to the trash at `at`, or out of it with null. Those of forms in the trash stay as they are.
   * Returns the ids of the submissions that moved.
   */
  trashSubmissions(ids: readonly string[], teamId: string, at: Micros | null): Promise<string[]>;
  /** Deletes a batch of the submissions of a form trashed before `before`, none at the end. Usage is unchanged. */
  deleteTrashed(formId: string, before: Micros): Promise<DeletionResult>;
  /**
   * Deletes submissions in the trash of a team, in a transaction of a few milliseconds. `scanned` is the number of ids
   * processed, at least one; the caller continues after them. Usage is unchanged.
   */
  deleteTrashedSubmissions(
    ids: readonly string[],
    teamId: string,
  ): Promise<DeletionResult & Readonly<{ scanned: number }>>;
  /**
   * Moves a form to the trash at `at`, or out of it with null. Returns false if the team has no such form there, or its
   * deletion has begun.
   */
  trashForm(id: string, teamId: string, at: Micros | null): Promise<boolean>;
  /**
   * Begins the deletion of a form in the trash: sets its `trashedAt` to 0. Returns false if the team has no such form
   * there.
   */
  expireForm(id: string, teamId: string): Promise<boolean>;
  /** Lists up to `limit` forms of all teams trashed before `before`, with their teams. */
  listExpiredForms(before: Micros, limit: number): Promise<ReadonlyArray<Readonly<{ id: string; teamId: string }>>>;
  createImport(record: Pick<ImportRecord, 'id' | 'formId' | 'source' | 'createdAt'>): Promise<void>;
  /**
   * Stores rows of an import whose hash is new, at their time or the next free microsecond. They count as read and toward
   * no usage, and no mail or webhook is queued. Returns the ids of the stored ones, or null if the form was deleted or
   * the import undone.
   */
  addImported(importId: string, rows: readonly ImportedSubmission[]): Promise<readonly string[] | null>;
  /** Returns those of the hashes that belong to imported rows, also of submissions deleted since. */
  findImportedHashes(hashes: readonly string[]): Promise<string[]>;
  /** Sets the time at which an import was finished or undone. */
  setImportEnd(id: string, end: Readonly<{ finishedAt: Micros } | { undoneAt: Micros }>): Promise<void>;
  findImport(id: string): Promise<ImportRecord | null>;
  /** Lists the imports of a form, newest first. */
  listImports(formId: string, limit: number): Promise<ImportRecord[]>;
  /**
   * Deletes a batch of the submissions of an import, with the hashes of their rows, after the hash `after`. Rows whose
   * submission was deleted earlier keep their hash. Webhooks get no event. `last` is null at the end.
   */
  deleteImported(importId: string, after: string): Promise<DeletionResult & Readonly<{ last: string | null }>>;
  /** Deletes up to `limit` hashes of imported rows of a form. Returns the count. */
  deleteImportRows(formId: string, limit: number): Promise<number>;
  /** Deletes a form in the trash without submissions, with its webhooks, mails and counts. Usage is unchanged. */
  deleteForm(id: string): Promise<void>;
  /** Counts the unread submissions of these forms without spam, up to `max`. */
  countUnread(formIds: readonly string[], max: number): Promise<number>;
  /** Marks submissions of a team as read at `at`, or as unread with null. Returns the ids of those that changed. */
  markRead(ids: readonly string[], teamId: string, at: Micros | null): Promise<string[]>;
  /** Adds stars to submissions of a team, or removes them. Returns the ids of those that changed. */
  setStarred(ids: readonly string[], teamId: string, isStarred: boolean): Promise<string[]>;
  /** Marks genuine submissions of a team as spam. Returns the ids of those that changed. */
  markSpam(ids: readonly string[], teamId: string): Promise<string[]>;
  /** Makes submissions that have spam reasons possible spam again, and withdraws their marks. Returns the ids. */
  restoreMaybeSpam(ids: readonly string[], teamId: string): Promise<string[]>;
  /** Lists the saved views of a user in a team, oldest first. */
  listInboxViews(userId: string | null, teamId: string): Promise<InboxViewRecord[]>;
  /** Saves a view. Returns false if the user has `max` in this team already. */
  createInboxView(view: InboxViewRecord, max: number): Promise<boolean>;
  /** Returns false if the user has no such view in this team. */
  deleteInboxView(id: string, userId: string, teamId: string): Promise<boolean>;
  /** Returns how a user sees the submissions of a form; null without a choice. */
  findFormLayout(userId: string, formId: string): Promise<FormLayout | null>;
  setFormLayout(userId: string, formId: string, layout: FormLayout): Promise<void>;
  /**
   * Stores a note or reply on a submission outside the trash, with the mail of a reply. A message with the same id, from the
   * same author on the same submission, is a repetition and changes nothing. Returns false if the team has no such
   * submission. Throws `AppError` above `MAX_MESSAGES` or `REPLIES_PER_HOUR`.
   */
  addMessage(
    message: NewMessage,
    mail: Readonly<{ id: string; messageId: string }> | null,
    teamId: string,
  ): Promise<boolean>;
  /** Lists the notes and replies of submissions of any team, oldest first. */
  listMessages(submissionIds: readonly string[]): Promise<StoredMessage[]>;
  /** Deletes a note of this author. Returns false if there is none. */
  deleteNote(id: string, submissionId: string, teamId: string, authorId: string): Promise<boolean>;
  /**
   * Assigns submissions of a team to one of its members, or to nobody with null. Returns the ids of these submissions;
   * none if the user is no member.
   */
  assignSubmission(ids: readonly string[], teamId: string, userId: string | null): Promise<string[]>;
  /** Lists the mails of a submission of any team, oldest first. */
  listMailsOf(submissionId: string): Promise<StoredMail[]>;
  /**
   * Deletes a submission, in the trash too, and returns the names of its blobs; null if the team has no such submission.
   * Usage is unchanged.
   */
  deleteSubmission(id: string, teamId: string): Promise<readonly string[] | null>;
  /**
   * Deletes submissions of a team by creation time, in a transaction of a few milliseconds. `scanned` is the number of
   * times processed, at least one; the caller continues after them. Usage is unchanged. Requests a purge.
   */
  deleteSubmissionsAt(
    times: readonly Micros[],
    teamId: string,
  ): Promise<DeletionResult & Readonly<{ scanned: number }>>;
  /** Lists a page of all forms by id, after the id `after`. */
  listRetentionRules(page: Readonly<{ after: string; limit: number }>): Promise<RetentionRule[]>;
  /** Counts the submissions of a form created before `before`, up to `max`. */
  countOlder(formId: string, before: Micros, max: number): Promise<number>;
  /** Deletes a batch of the oldest submissions created before `before`, none at the end. Usage is unchanged. */
  deleteOlder(formId: string, before: Micros): Promise<DeletionResult>;
  /**
   * Records the current time and returns the time since which the clock has run without a jump of more than `maxGap`,
   * forward or back, between two records; 0 if it always has. The first record is compared with the last submission.
   */
  recordClock(maxGap: Micros): Promise<Micros>;
  readPurges(): Promise<PurgeProgress>;
  /** Requests a purge, because deleted data must leave no copy in the database. */
  requestPurge(): Promise<void>;
  /**
   * Repairs the times that a clock that was ahead has left in the future. Submissions keep their order and get times up
   * to now, summaries cover what they covered, and queued mails become due. Returns the number of such submissions. No
   * server may run.
   */
  repairClock(): Promise<number>;
  /**
   * Makes deleted data unreadable, which covers all requests so far. Posts go on meanwhile. Returns null, or the copies
   * that may be left. It ends early when `signal` aborts.
   */
  purge(signal?: AbortSignal): Promise<Residue | null>;
  /** Regular upkeep of the database. To be called about every second, and last when a server stops. */
  maintain(atStop?: boolean): Promise<void>;
  /** Returns the RFC 3339 time at which the instance was created, which identifies it, and whether it has any files. */
  describeFiles(): Promise<Readonly<{ origin: string; hasFiles: boolean }>>;
  /** Returns the blob names that no submission refers to. */
  findOrphans(blobs: readonly string[]): Promise<string[]>;
  /** Returns blob names of the newest and the oldest submissions with files, up to `limit` of each. */
  sampleBlobs(limit: number): Promise<string[]>;
  /** Returns the number of submissions accepted from a team in the period that starts at `periodStart`. */
  countUsage(teamId: string, periodStart: Micros): Promise<number>;
  /** Returns the bytes that a team's submissions and files take. Files from before an upgrade do not count. */
  countStorage(teamId: string): Promise<number>;
  /** Returns the bytes of a team's files that arrived since a time. */
  countFileGrowth(teamId: string, since: Micros): Promise<number>;
  /** Lists the last months with usage, newest first. */
  listUsage(teamId: string, limit: number): Promise<MonthlyUsage[]>;

  /**
   * Records that the caller's process serves and is alive; call it at the start and once a second. Forgets instances
   * without a beat for 5 s and releases the leases of all that are not listed, so that their mails and
   * deliveries are due at once. With one process per database, only the first call and one with another `keyId` have work.
   */
  beat(process: ServingProcess): Promise<void>;
  /** Forgets the instance of the caller, which serves no more. */
  leave(): Promise<void>;
  /**
   * Returns true in one of the processes that serve the database, the leader, until it leaves or was not alive for 5 s;
   * then another becomes the leader by this call. A step that is running may overlap with the next leader's.
   */
  lead(): Promise<boolean>;
  /** Returns the time since a process led; 0 while one leads. */
  leaderlessFor(): Promise<Micros>;
  /**
   * Counts an attempt to sign in under all names, or under none if one has reached its limit. Returns the time until all
   * allow an attempt; 0 if it was counted. Counts only if several processes can serve the database.
   */
  countAttempt(limits: readonly AttemptLimit[], span: Micros): Promise<Micros>;
  /** Takes back an attempt under each name. */
  takeBackAttempt(names: readonly string[]): Promise<void>;
  /** Lists instances, oldest first. */
  listInstances(): Promise<Instance[]>;

  /** Lists the master keys; empty in a new database, else one is `current`. */
  listVaultKeys(): Promise<StoredVaultKey[]>;
  /** Adds the first master key if there is none. Returns the keys. */
  addFirstVaultKey(key: VaultKey, at: Micros): Promise<StoredVaultKey[]>;
  /** Makes a key the current one; the current key becomes `retiring`. */
  activateVaultKey(key: VaultKey & Readonly<{ fingerprintKey: Uint8Array }>, at: Micros): Promise<void>;
  /** Sets all keys but the current one to `unused`. Returns false, changing nothing, if `currentId` is not current. */
  endRotation(currentId: number): Promise<boolean>;
  /** Deletes an unused key. Returns false, changing nothing, if the key is missing or in use. */
  removeVaultKey(id: number): Promise<boolean>;
  /**
   * Lists the next sealed records after `from`, without those under the key `except`: some dozens, or fewer if they are
   * large. `scanned` is the number of rows read, `next` null at the end. Records sealed in the meantime may be missing.
   */
  listSealedRecords(
    from: SealedCursor | null,
    except: number | null,
  ): Promise<Readonly<{ records: readonly SealedRecord[]; scanned: number; next: SealedCursor | null }>>;
  /** Replaces sealed records that have not changed since they were read. Returns the count. */
  replaceSealedRecords(changes: ReadonlyArray<SealedRecord & Readonly<{ resealed: Uint8Array }>>): Promise<number>;
  /** Counts the sealed records by key id, and the rows of the tables that hold them. Reads all of them. */
  countSealedRecords(): Promise<Readonly<{ records: ReadonlyMap<number, number>; rows: number }>>;

  /**
   * Returns the spam filter of a workspace's team, with its id and the lessons of each kind, counted up to `MIN_LESSONS`;
   * null if the team has none or turned learning off.
   */
  findSpamModelFor(
    workspaceId: string,
  ): Promise<(StoredSpamModel & Readonly<{ teamId: string; spam: number; genuine: number }>) | null>;
  findSpamModel(teamId: string): Promise<StoredSpamModel | null>;
  /**
   * Lists up to `limit` lessons to forget or to learn, of one team, and all messages that balance them; null if there are
   * none. `teamId` limits this to a team.
   */
  findSpamWork(
    limit: number,
    teamId?: string,
  ): Promise<Readonly<{ teamId: string; lessons: readonly SpamLesson[] }> | null>;
  /** Returns false, changing nothing, if the model, a lesson or a submission changed meanwhile. */
  saveSpamModel(teamId: string, change: SpamModelChange): Promise<boolean>;
  /** Lists the learned lessons of a team, without those to forget, by id, after the id `after`. */
  listSpamLessons(teamId: string, page: Readonly<{ after: string; limit: number }>): Promise<SpamLesson[]>;
  countSpamLessons(teamId: string): Promise<SpamLessonCounts>;
  /** Returns those of the submissions that have a lesson. */
  findLearnedSubmissions(ids: readonly string[]): Promise<string[]>;
  /** Lets the oldest marks above `max` be forgotten. */
  limitSpamMarks(teamId: string, max: number): Promise<void>;
  /** Lets the learning job compute the threshold of a team's spam filter again; nothing if it has none. */
  recheckSpamModel(teamId: string): Promise<void>;
  /** Deletes the spam filter of a team with all lessons. */
  deleteSpamModel(teamId: string): Promise<void>;

  /** Records all entries or none. */
  recordAudit(entries: readonly AuditEntry[]): Promise<void>;
  /** Lists audit entries of a team with an id below `before` (null: from the newest), newest first. */
  listAudit(
    teamId: string,
    page: Readonly<{ before: number | null; limit: number; actorId: string | null; action: AuditAction | null }>,
  ): Promise<StoredAuditEntry[]>;
  /** Lists up to `limit` actors of a team by id, with the name and address of their last entry. */
  listAuditActors(teamId: string, limit: number): Promise<Actor[]>;
  /**
   * Lists audit entries of a team, or of the instance with null, from `since` and above the id `after`, oldest first.
   */
  listAuditFrom(
    teamId: string | null,
    page: Readonly<{ since: Micros; after: number; limit: number }>,
  ): Promise<StoredAuditEntry[]>;
  /** Deletes entries made before `until` among the `limit` oldest. Returns the count. */
  pruneAudit(until: Micros, limit: number): Promise<number>;

  /** Records that a step of setting up the instance was done, once. */
  reachMilestone(name: Milestone, at: Micros): Promise<void>;
  listMilestones(): Promise<Milestone[]>;

  /** Returns the faults that the database engine finds; empty if there are none. Reads the whole database. */
  checkIntegrity(): Promise<string[]>;
  readDurability(): Promise<DurabilityReport>;
  /** Returns the stats of the store in constant time, with the mails of each state counted up to `maxMails`. */
  readStats(maxMails: number): Promise<StoreStats>;
  /**
   * Stores a submission as accepting does and rolls it back, and syncs a write; throws if a submission could not be stored
   * now. A `large` one needs more space than pages and logs have left over.
   */
  probe(large?: boolean): Promise<void>;

  close(): Promise<void>;
}
