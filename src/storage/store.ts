import type { ApiKey } from '../domain/api-key.ts';
import type { Actor, AuditAction, AuditEntry, StoredAuditEntry } from '../domain/audit.ts';
import type { Form, FormChanges } from '../domain/form.ts';
import type { InboxPage, InboxSelection } from '../domain/inbox.ts';
import type { Mail, MailState, NewMail, StoredMail, Summary } from '../domain/mail.ts';
import type { Role } from '../domain/roles';
import type { StoredSubmission } from '../domain/submission.ts';
import type { Team, Workspace } from '../domain/team.ts';
import type { MonthlyUsage } from '../domain/usage.ts';
import type { Invitation, Member, Membership, OneTimeLink, Session, User } from '../domain/user.ts';
import type { Micros } from '../lib/clock.ts';

/** A key as the management API needs it, with the plan of its team at this moment. */
export type KeyInUse = ApiKey & Readonly<{ plan: string }>;

/** What names a post that may come again, and what it held; both are keyed hashes. */
export type Idempotency = Readonly<{ key: string; content: string }>;

/** A mail that this process is to send now; `fence` is what it settles with. */
export type ClaimedMail = Mail & Readonly<{ failures: number; fence: number }>;

/** A mail with the name of the form it is about; null where it is about none. */
export type TeamMail = StoredMail & Readonly<{ formName: string | null }>;

/**
 * How things stand with what is stored: mails by their state, when the first that waits was due, the latest `created_at` that
 * was ever given out, what the database and its log take on the disk, and which schema it has in which engine.
 */
export type StoreStats = Readonly<{
  mails: ReadonlyArray<readonly [state: MailState, count: number]>;
  firstDue: Micros | null;
  lastCreated: Micros | null;
  databaseBytes: number;
  logBytes: number;
  schema: string;
  engine: string;
}>;

/** What became of a claimed mail. `queued` gives it back untried. */
export type DeliveryResult =
  | Readonly<{ state: 'sent' }>
  | Readonly<{ state: 'queued'; dueAt: Micros; reason: Uint8Array | null }>
  | Readonly<{ state: 'retrying'; dueAt: Micros; reason: Uint8Array }>
  | Readonly<{ state: 'dead'; reason: Uint8Array }>;

/**
 * What came to a form: how many that are not spam are unread, counted to 100 and no further, when the last one came, and
 * how many came on each of the last 30 days in UTC, today last.
 */
export type FormStats = Readonly<{ unread: number; lastArrival: Micros | null; days: readonly number[] }>;

/** A form, and up to when its submissions were summed up; null where that has not begun. */
export type SummedUp = Readonly<Pick<Form, 'id' | 'digest' | 'timeZone'>> &
  Readonly<{ digestedUntil: Micros | null; heldBackUntil: Micros | null }>;

/** Up to when a form's submissions are to be summed up: where its hour or day, and its day, began. */
export type SummarySpan = Readonly<{ formId: string; digestUntil: Micros; heldBackUntil: Micros }>;

/**
 * What an accepted post leaves behind; `payload`, `files` and `spamReasons` are sealed records, `blobs` what the files lie in.
 */
export type NewSubmission = Readonly<{
  id: string;
  formId: string;
  isSpam: boolean;
  payload: Uint8Array;
  spamReasons: Uint8Array | null;
  files: Uint8Array | null;
  blobs: readonly string[];
  idempotency: Idempotency | null;
  challenge: SpentChallenge | null;
  mails: readonly NewMail[];
}>;

/**
 * What was deleted: how many submissions, the names of their blobs, which are to be removed, and how many of their mails.
 * Those under way were being handed to the mail server at that moment, and may arrive.
 */
export type Deleted = Readonly<{
  submissions: number;
  blobs: readonly string[];
  mails: number;
  mailsUnderWay: number;
}>;

/** A form of a team, and after how many days its submissions are deleted; null for what the instance does. */
export type Retained = Readonly<Pick<Form, 'id' | 'retentionDays'>> & Readonly<{ teamId: string }>;

export type ExportState = 'genuine' | 'spam' | 'all';

/** Submissions of a form, created at `from` or later and before `until`. */
export type ExportSpan = Readonly<{ formId: string; state: ExportState; from: Micros; until: Micros }>;

/** What tells one master key from another and says nothing about it. */
export type VaultKey = Readonly<{ id: number; check: string }>;

/** What is sealed is sealed under the current key; under a retiring one older records still are, under an unused one none. */
export type VaultKeyState = 'current' | 'retiring' | 'unused';

/** A key as it is noted. `fingerprintKey` is sealed under it; null where it is derived from it. */
export type StoredVaultKey = VaultKey &
  Readonly<{ state: VaultKeyState; fingerprintKey: Uint8Array | null; createdAt: Micros }>;

/** A sealed record, and the place that it is bound to. */
export type SealedRecord = Readonly<{
  place: Readonly<{ table: string; row: string; form: string; column: string }>;
  record: Uint8Array;
}>;

/** How far a walk over all sealed records has come. */
export type SealedPointer = Readonly<{ table: number; after: string | number }>;

/** A challenge that was solved, by its keyed hash: it counts once, until it expires. */
export type SpentChallenge = Readonly<{ id: string; expiresAt: Micros }>;

/** How an earlier post under the same key relates to one with this content. */
export type Replay = 'none' | 'same content' | 'other content';

/** What shows that somebody has their second factor: the time step of a code, or the keyed hash of a recovery code. */
export type FactorProof = Readonly<{ step: number }> | Readonly<{ codeHash: string }>;

/** A second factor: its sealed secret, the step of the code that confirmed it, and the keyed hashes of its recovery codes. */
export type NewSecondFactor = Readonly<{ secret: Uint8Array; step: number; codeHashes: readonly string[] }>;

/** What became of it; only `stored` and `replayed` are a yes. */
export type Acceptance =
  | Readonly<{ outcome: 'stored'; createdAt: Micros }>
  | Readonly<{ outcome: 'replayed' | 'reused' | 'spent' }>
  | Readonly<{ outcome: 'capped'; periodEnd: Micros }>
  | Readonly<{ outcome: 'paused' }>;

/**
 * What is kept. Every method is one whole unit of work, atomic by itself, and durable once its promise is fulfilled.
 * Methods that cannot reach the disk throw `AppError('storage_unavailable')`; nothing was changed then.
 */
export interface Store {
  createTeam(team: Team): Promise<void>;
  /** Makes the three in a store without a team and returns true; does nothing where there is one. */
  createFirstTeam(team: Team, workspace: Workspace, form: Form): Promise<boolean>;
  /** The team as it is afterwards, or null if there is none of that id. */
  updateTeam(id: string, changes: Partial<Pick<Team, 'name' | 'plan' | 'requiresSecondFactor'>>): Promise<Team | null>;
  findTeam(id: string): Promise<Team | null>;
  /** Oldest first, as are all lists but that of submissions. */
  listTeams(): Promise<Team[]>;

  createWorkspace(workspace: Workspace): Promise<void>;
  findWorkspace(id: string): Promise<Workspace | null>;
  listWorkspaces(teamId: string): Promise<Workspace[]>;
  /** Whether the team has such a workspace. */
  renameWorkspace(id: string, name: string, teamId: string): Promise<boolean>;

  /** Throws `AppError('conflict')` if the short id is taken. */
  createForm(form: Form): Promise<void>;
  /** The form as it is afterwards, or null if there is none of that id or it is another team's. */
  updateForm(id: string, changes: FormChanges, teamId?: string): Promise<Form | null>;
  findForm(id: string, teamId: string): Promise<Form | null>;
  /** By id or by short id. */
  findPublicForm(idOrShortId: string): Promise<Form | null>;
  listForms(teamId: string): Promise<Form[]>;
  /** Of all forms of the team, by their ids; `at` is the present. */
  formStats(teamId: string, at: Micros): Promise<ReadonlyMap<string, FormStats>>;

  hasUsers(): Promise<boolean>;
  listUsers(): Promise<User[]>;
  findUser(id: string): Promise<User | null>;
  /** `email` in small letters. */
  findUserByEmail(email: string): Promise<(User & Readonly<{ passwordHash: string }>) | null>;
  updateUser(id: string, changes: Partial<Pick<User, 'language' | 'timeZone'>>): Promise<void>;
  /**
   * The teams that would be left without an owner; where there are none, the user is gone, with sessions, memberships, second factor
   * and links to set a password.
   */
  deleteUser(id: string): Promise<Team[]>;
  /** Uses up all links of the user and ends all sessions but the one with this id. */
  setPassword(userId: string, passwordHash: string, keptSessionId: string): Promise<void>;
  /** Oldest first. */
  listMembershipsOf(userId: string): Promise<Membership[]>;
  /** Oldest first. */
  listMembers(teamId: string): Promise<Member[]>;
  /** False, changing nothing, if they belong to the team already. */
  addMember(teamId: string, userId: string, role: Role): Promise<boolean>;
  /** Whether they belong to the team. Throws `AppError('conflict')`, changing nothing, if no owner would be left. */
  changeRole(teamId: string, userId: string, role: Role): Promise<boolean>;
  /** Whether they belonged to the team. Throws `AppError('conflict')`, changing nothing, if no owner would be left. */
  removeMember(teamId: string, userId: string): Promise<boolean>;
  /**
   * Uses up the link and adds a user to its team, whose id it returns; null if there is no such link. For somebody who
   * belongs to the team already neither their role nor the link changes.
   */
  joinByLink(secretHash: string, userId: string): Promise<string | null>;
  /** Shows a session the things of a team; whether its user belongs to that. */
  chooseTeam(sessionId: string, teamId: string): Promise<boolean>;
  /** Links into the team that can still be used, oldest first. */
  listInvitations(teamId: string): Promise<Invitation[]>;
  /** Whether the team had such an open one. */
  revokeInvitation(teamId: string, id: string): Promise<boolean>;
  createLink(secretHash: string, link: OneTimeLink): Promise<void>;
  /** Null if there is none, it was used, or it has expired. */
  findLink(secretHash: string): Promise<OneTimeLink | null>;
  /**
   * Uses up the link and makes the account in its team; false if there is no such link. The first account takes the
   * other links of its team along: each start without an account printed one. Throws `AppError('conflict')`, leaving the link, if
   * the address has an account.
   */
  createUserByLink(secretHash: string, user: User, passwordHash: string): Promise<boolean>;
  /** Uses up all links of the user and ends all sessions; the user, or null if there is no such link. */
  setPasswordByLink(secretHash: string, passwordHash: string): Promise<User | null>;
  createSession(secretHash: string, session: Session): Promise<void>;
  /** Null if there is none, it has expired, or it was not used for `SESSION_IDLE`. */
  findSession(secretHash: string): Promise<Readonly<{ session: Session; user: User; hasSecondFactor: boolean }> | null>;
  /** At most so many that hold and are not pending, the last used first. */
  listSessions(userId: string, limit: number): Promise<Session[]>;
  /** From now on it is found by this secret alone. Whether there was one. */
  renewSession(userId: string, id: string, secretHash: string): Promise<boolean>;
  /** Whether there was one. */
  endSession(userId: string, id: string): Promise<boolean>;
  endSessions(userId: string): Promise<void>;
  /** The sealed secret, and how many recovery codes are left; null for a user without a second factor. */
  findSecondFactor(userId: string): Promise<Readonly<{ secret: Uint8Array; codesLeft: number }> | null>;
  /** Gives one to a user without and ends all sessions but the one with this id; false for who has one already. */
  addSecondFactor(userId: string, factor: NewSecondFactor, keptSessionId: string): Promise<boolean>;
  /** Puts recovery codes in the place of all others and ends sessions likewise; false for a user without a second factor. */
  replaceRecoveryCodes(userId: string, codeHashes: readonly string[], keptSessionId: string): Promise<boolean>;
  /** Ends sessions likewise, with null all. Whether there was one. */
  removeSecondFactor(userId: string, keptSessionId: string | null): Promise<boolean>;
  /**
   * Puts a session in the place of a pending one of the same user, and uses up what shows the second factor: a step must
   * be later than the last that was taken, a recovery code must be there. Otherwise false, and nothing has changed.
   */
  passSecondFactor(pendingId: string, proof: FactorProof, secretHash: string, session: Session): Promise<boolean>;
  /** When each session was last used, by its id. */
  recordSessionUse(usedAt: ReadonlyMap<string, Micros>): Promise<void>;
  /** Forgets sessions and links that have expired. */
  prunePeople(): Promise<void>;

  createKey(key: ApiKey, secretHash: string): Promise<void>;
  findKey(secretHash: string): Promise<KeyInUse | null>;
  /** The key as it is afterwards, or null if there is none of that id. A key revoked before keeps its time. */
  revokeKey(id: string, at: Micros): Promise<ApiKey | null>;
  listKeys(teamId: string): Promise<ApiKey[]>;
  /** When each key was last used, by its id. */
  recordKeyUse(usedAt: ReadonlyMap<string, Micros>): Promise<void>;

  /**
   * Keeps a submission and counts it, or neither. `createdAt` is later than that of every submission before, also when
   * the clock stands still or was set back. The form must be active and the team below the limit of its plan at that
   * moment. Of posts with the same idempotency key within 24 hours one is kept: the others are `replayed` if their
   * content is the same, else `reused`. Of those that solved the same challenge one is kept: the others are `spent`.
   * Its mails are queued; a notification is not where a digest will tell. The people of its team are warned once a
   * period when it takes 80 % of the plan's limit, and when it takes the last.
   */
  acceptSubmission(submission: NewSubmission): Promise<Acceptance>;
  /** Fulfilled once every submission that is waiting to be kept is kept or refused. */
  settleSubmissions(): Promise<void>;
  /** By id, those after `after`. */
  listSummedUp(page: Readonly<{ after: string; limit: number }>): Promise<SummedUp[]>;
  /**
   * Queues, for each whom these forms tell, a digest of what came since the last one and a summary of what was held back
   * since the last one, wherever there is any; how many mails that are. What comes later is summed up the next time,
   * also after a crash or when the clock is set back. A form that was set to digests has them from then on, and tells of
   * nothing singly; one that was set back tells at once what has gathered.
   */
  sumUp(spans: readonly SummarySpan[]): Promise<number>;
  /** How many submissions a summary is about, as things are now, counted to `most` and no further. */
  countSubmissionsOf(summary: Summary, most: number): Promise<number>;
  /** Oldest first, those created after `after`. */
  listSubmissionsOf(summary: Summary, page: Readonly<{ after: Micros; limit: number }>): Promise<StoredSubmission[]>;
  /** What `acceptSubmission` would find under this key. */
  findReplay(formId: string, idempotency: Idempotency): Promise<Replay>;
  /** At most so many that are due, oldest first; no one else gets them until the lease is over. */
  claimMails(limit: number, lease: Micros): Promise<ClaimedMail[]>;
  /** Whether the claim still held. */
  recordDelivery(id: string, fence: number, result: DeliveryResult): Promise<boolean>;
  /** Makes those due at once that a process before this one had claimed. */
  freeMails(): Promise<void>;
  /** Newest first. */
  listMails(page: Readonly<{ state: MailState | null; limit: number }>): Promise<StoredMail[]>;
  /** Makes a mail that is not sent, or all dead ones, due at once as if never tried; how many there were. */
  retryMails(which: Readonly<{ id: string }> | 'dead'): Promise<number>;
  /** Newest first, of a team's forms and people, those with an id below `before` (null: from the newest). */
  listTeamMails(
    teamId: string,
    page: Readonly<{ state: MailState; before: string | null; limit: number }>,
  ): Promise<TeamMail[]>;
  /** How many of a team's there are, counted to `most` and no further. */
  countTeamMails(teamId: string, state: MailState, most: number): Promise<number>;
  /** Makes one of a team's that failed, or so many of its dead ones, due at once as if never tried; how many there were. */
  retryTeamMails(teamId: string, which: Readonly<{ id: string }> | Readonly<{ dead: number }>): Promise<number>;
  /** Forgets those sent more than 7 days ago and those given up more than 30 days ago. */
  pruneMails(): Promise<void>;
  /** A submission of any team, with its form. */
  findSubmissionWithForm(id: string): Promise<Readonly<{ submission: StoredSubmission; form: Form }> | null>;
  /** Forgets idempotency keys and challenges that no longer count. */
  pruneExpired(): Promise<void>;
  /** Newest first, those created before `before` (null: from the newest). Null if the team has no such form. */
  listSubmissions(
    teamId: string,
    formId: string,
    page: Readonly<{ before: Micros | null; limit: number }>,
  ): Promise<StoredSubmission[] | null>;
  findSubmission(id: string, teamId: string): Promise<StoredSubmission | null>;
  /** Newest first, all or only those flagged as spam. Null if there is no such form. */
  listRecentSubmissions(
    formId: string,
    page: Readonly<{ onlySpam: boolean; limit: number }>,
  ): Promise<StoredSubmission[] | null>;
  /** Where a span ends if nothing that comes from now on is of it, and how many submissions it has at most. */
  measureExport(span: ExportSpan): Promise<Readonly<{ until: Micros; atMost: number }>>;
  /** Oldest first, those created after `after`: some dozens, or fewer where they are large. Empty if there are none left. */
  listExported(span: ExportSpan, after: Micros): Promise<StoredSubmission[]>;
  /**
   * Sets the flag; the submission as it is afterwards, or null if there is none of that id. One that was
   * flagged when it came, by its reasons, is released once it is not spam: it loses them, and the mails are queued. With
   * null for mails it keeps them, to be released another time.
   */
  markSubmission(id: string, isSpam: boolean, mails: readonly NewMail[] | null): Promise<StoredSubmission | null>;
  /** When the submissions of a selection were created. Takes no longer where more has come. */
  listInboxTimes(selection: InboxSelection, page: InboxPage): Promise<Micros[]>;
  /** The ids of those of a selection that came next after and next before a time. */
  findInboxNeighbours(
    selection: InboxSelection,
    at: Micros,
  ): Promise<Readonly<{ newer: string | null; older: string | null }>>;
  /** Those created at these times, in this order, of any team; what was deleted meanwhile is left out. */
  findSubmissionsAt(times: readonly Micros[]): Promise<StoredSubmission[]>;
  /** How many in these forms are unread and not spam, counted to `most` and no further. */
  countUnread(formIds: readonly string[], most: number): Promise<number>;
  /**
   * Notes that those of these that the team has were read, or with null that they were not; how many it has. One that was
   * read before keeps its time.
   */
  markRead(ids: readonly string[], teamId: string, at: Micros | null): Promise<number>;
  /** The mails of a submission of any team, oldest first. */
  listMailsOf(submissionId: string): Promise<StoredMail[]>;
  /** The names of its blobs, or null if the team has no such submission. Its unit of usage is not given back. */
  deleteSubmission(id: string, teamId: string): Promise<readonly string[] | null>;
  /**
   * Deletes those created at the first of these times that the team has, some at once so that nobody waits long; `looked` is
   * how many of the times it has worked through, one at least. Usage is not given back.
   */
  deleteSubmissionsAt(times: readonly Micros[], teamId: string): Promise<Deleted & Readonly<{ looked: number }>>;
  /** By id, those after `after`. */
  listRetained(page: Readonly<{ after: string; limit: number }>): Promise<Retained[]>;
  /** How many submissions of a form were created before that, counted to `most` and no further. */
  countOlder(formId: string, before: Micros, most: number): Promise<number>;
  /** Deletes the oldest of those, some at once; none if there are none left. Usage is not given back. */
  deleteOlder(formId: string, before: Micros): Promise<Deleted>;
  /**
   * Notes the present, and returns since when the clock has gone on from one such note to the next without a leap, forth
   * or back, of more than `longestGap`; 0 if it always has. The first note is held against the last submission.
   */
  noteClock(longestGap: Micros): Promise<Micros>;
  /**
   * Leaves no copy in the database of what was deleted. Others wait meanwhile, for seconds if it is large. False if it cannot
   * be done now, or there are more bytes than `most`.
   */
  rewrite(most: number): Promise<boolean>;
  /**
   * Takes what was deleted out of the database's log too; false if that has to be tried again, since somebody reads or writes
   * just now.
   */
  clearLog(): Promise<boolean>;
  /** Keeps the database's log short; to be called every second or so. */
  shortenLog(): Promise<void>;
  /** Those of these names that no submission refers to. */
  findOrphans(blobs: readonly string[]): Promise<string[]>;
  /** Submissions accepted from the team in the period that starts then. */
  countUsage(teamId: string, periodStart: Micros): Promise<number>;
  /** The latest months in which there were any, newest first. */
  listUsage(teamId: string, limit: number): Promise<MonthlyUsage[]>;

  /** Oldest first; empty in a new database. One is current. */
  listVaultKeys(): Promise<StoredVaultKey[]>;
  /** Notes the first key unless one is there already, and returns what is there. */
  addFirstVaultKey(key: VaultKey, at: Micros): Promise<StoredVaultKey[]>;
  /** Notes that everything is sealed under this key from now on; the one before retires. */
  makeVaultKeyCurrent(key: VaultKey & Readonly<{ fingerprintKey: Uint8Array }>, at: Micros): Promise<void>;
  /** Notes that nothing is sealed under any other key than this. False, changing nothing, if it is not the current one. */
  endRetirement(currentId: number): Promise<boolean>;
  /** Forgets a key; false, changing nothing, unless it is there and unused. */
  removeVaultKey(id: number): Promise<boolean>;
  /**
   * The next sealed records of all there are, some dozens or fewer where they are large, but for those under the key `except`;
   * `looked` is how many rows that were, `next` null where nothing follows. What is sealed meanwhile may be left out.
   */
  listSealed(
    from: SealedPointer | null,
    except: number | null,
  ): Promise<Readonly<{ records: readonly SealedRecord[]; looked: number; next: SealedPointer | null }>>;
  /** Puts sealed records in the place of others where those still are; how many there were. */
  replaceSealed(changes: ReadonlyArray<SealedRecord & Readonly<{ sealedAnew: Uint8Array }>>): Promise<number>;
  /** How many records name which key, and how many rows hold any. Takes as long as reading all of them. */
  countSealed(): Promise<Readonly<{ records: ReadonlyMap<number, number>; rows: number }>>;

  /** Keeps all of them, or none. */
  recordAudit(entries: readonly AuditEntry[]): Promise<void>;
  /** Newest first, of a team, those with an id below `before` (null: from the newest), of one actor or action or of all. */
  listAudit(
    teamId: string,
    page: Readonly<{ before: number | null; limit: number; actorId: string | null; action: AuditAction | null }>,
  ): Promise<StoredAuditEntry[]>;
  /** At most so many who have an entry in a team, by their ids, as their last entry has them. */
  listAuditActors(teamId: string, limit: number): Promise<Actor[]>;
  /** Oldest first, of a team or with null of the instance, made at `since` or later, those with an id above `after`. */
  listAuditFrom(
    teamId: string | null,
    page: Readonly<{ since: Micros; after: number; limit: number }>,
  ): Promise<StoredAuditEntry[]>;
  /** Forgets those made before `until` among so many of the oldest; how many those were. */
  pruneAudit(until: Micros, limit: number): Promise<number>;

  /** What is wrong with the data as a whole, in the words of the database; empty if nothing is. Reads all of it. */
  findDamage(): Promise<string[]>;
  /** How things stand, with mails of each state counted to `most` and no further. Takes no longer where more has come. */
  measure(most: number): Promise<StoreStats>;
  /** Changes nothing, and fulfils only where a submission could be kept: something was written and synced. */
  probe(): Promise<void>;

  close(): Promise<void>;
}
