import type { ApiKey } from '../domain/api-key.ts';
import type { Form, FormChanges } from '../domain/form.ts';
import type { Mail, MailState, NewMail, StoredMail } from '../domain/mail.ts';
import type { StoredSubmission } from '../domain/submission.ts';
import type { Team, Workspace } from '../domain/team.ts';
import type { Micros } from '../lib/clock.ts';

/** A key as the management API needs it, with the plan of its team at this moment. */
export type KeyInUse = ApiKey & Readonly<{ plan: string }>;

/** What names a post that may come again, and what it held; both are keyed hashes. */
export type Idempotency = Readonly<{ key: string; content: string }>;

/** A mail that this process is to send now; `fence` is what it settles with. */
export type ClaimedMail = Mail & Readonly<{ failures: number; fence: number }>;

/** What became of a claimed mail. `queued` gives it back untried. */
export type Settlement =
  | Readonly<{ state: 'sent' }>
  | Readonly<{ state: 'queued'; dueAt: Micros; reason: Uint8Array | null }>
  | Readonly<{ state: 'retrying'; dueAt: Micros; reason: Uint8Array }>
  | Readonly<{ state: 'dead'; reason: Uint8Array }>;

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

/** What tells one master key from another and says nothing about it. */
export type VaultKey = Readonly<{ id: number; check: string }>;

/** A challenge that was solved, by its keyed hash: it counts once, until it expires. */
export type SpentChallenge = Readonly<{ id: string; expiresAt: Micros }>;

/** How an earlier post under the same key relates to one with this content. */
export type Replay = 'none' | 'same content' | 'other content';

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
  updateTeam(id: string, changes: Partial<Pick<Team, 'name' | 'plan'>>): Promise<Team | null>;
  findTeam(id: string): Promise<Team | null>;
  /** Oldest first, as are all lists but that of submissions. */
  listTeams(): Promise<Team[]>;

  createWorkspace(workspace: Workspace): Promise<void>;
  findWorkspace(id: string): Promise<Workspace | null>;
  listWorkspaces(teamId: string): Promise<Workspace[]>;

  /** Throws `AppError('conflict')` if the short id is taken. */
  createForm(form: Form): Promise<void>;
  /** The form as it is afterwards, or null if there is none of that id or it is another team's. */
  updateForm(id: string, changes: FormChanges, teamId?: string): Promise<Form | null>;
  findForm(id: string, teamId: string): Promise<Form | null>;
  /** By id or by short id. */
  findPublicForm(idOrShortId: string): Promise<Form | null>;
  listForms(teamId: string): Promise<Form[]>;

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
   */
  acceptSubmission(submission: NewSubmission): Promise<Acceptance>;
  /** What `acceptSubmission` would find under this key. */
  findReplay(formId: string, idempotency: Idempotency): Promise<Replay>;
  /** At most so many that are due, oldest first; no one else gets them until the lease is over. */
  claimMails(limit: number, lease: Micros): Promise<ClaimedMail[]>;
  /** Whether the claim still held. */
  settleMail(id: string, fence: number, settlement: Settlement): Promise<boolean>;
  /** Makes those due at once that a process before this one had claimed. */
  freeMails(): Promise<void>;
  /** Newest first. */
  listMails(page: Readonly<{ state: MailState | null; limit: number }>): Promise<StoredMail[]>;
  /** Makes a mail that is not sent, or all dead ones, due at once as if never tried; how many there were. */
  retryMails(which: Readonly<{ id: string }> | 'dead'): Promise<number>;
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
  /**
   * Sets the flag; the submission as it is afterwards, or null if there is none of that id. One that was
   * flagged when it came, by its reasons, is released once it is not spam: it loses them, and the mails are queued. With
   * null for mails it keeps them, to be released another time.
   */
  markSubmission(id: string, isSpam: boolean, mails: readonly NewMail[] | null): Promise<StoredSubmission | null>;
  /** The names of its blobs, or null if the team has no such submission. Its unit of usage is not given back. */
  deleteSubmission(id: string, teamId: string): Promise<readonly string[] | null>;
  /** Those of these names that no submission refers to. */
  findOrphans(blobs: readonly string[]): Promise<string[]>;
  /** Submissions accepted from the team in the period that starts then. */
  countUsage(teamId: string, periodStart: Micros): Promise<number>;

  /** Those whose key sealed something here; empty in a new database. */
  listVaultKeys(): Promise<VaultKey[]>;
  /** Notes the first key unless one is there already, and returns what is there. */
  addFirstVaultKey(key: VaultKey, at: Micros): Promise<VaultKey[]>;

  close(): Promise<void>;
}
