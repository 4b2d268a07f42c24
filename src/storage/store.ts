import type { Micros } from '../lib/clock.ts';
import type * as records from './records.ts';
import type { SharedStores } from './stores/index.ts';

/**
 * The stores that each engine implements, because the engines differ in kind. Each method is one unit of work, atomic, and
 * durable when its promise resolves. Methods throw `AppError('storage_unavailable')`, changing nothing, if the disk cannot
 * be read or written.
 */
export interface EngineStores {
  /** Accepts submissions, in groups that share a transaction and a sync. */
  queue: {
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
    accept(submission: records.NewSubmission): Promise<records.AcceptResult>;
    /** Resolves when every queued submission has been stored or refused. */
    flush(): Promise<void>;
    /**
     * Stores a submission as accepting does and rolls it back, and syncs a write; throws if a submission could not be stored
     * now. A `large` one needs more space than pages and logs have left over.
     */
    probe(large?: boolean): Promise<void>;
  };

  /** Leases queued mails and deliveries to this process. */
  claims: {
    /**
     * Leases up to `limit` due mails, oldest first within each team, in turn by team. No other caller gets them until the
     * lease expires.
     */
    mails(limit: number, lease: Micros): Promise<records.ClaimedMail[]>;
    /** Leases due deliveries, at most one for each webhook, oldest first. */
    deliveries(claim: records.DeliveryClaim): Promise<records.ClaimedDelivery[]>;
    /** Leases further due deliveries of new submissions to the webhook of a claimed delivery, oldest first. */
    moreDeliveries(claimed: records.ClaimedDelivery, limit: number, lease: Micros): Promise<records.ClaimedDelivery[]>;
  };

  /** The processes that serve the database. */
  instances: {
    /**
     * Records that the caller's process serves and is alive; call it at the start and once a second. Forgets instances
     * without a beat for 5 s and releases the leases of all that are not listed, so that their mails and
     * deliveries are due at once. With one process per database, only the first call and one with another `keyId` have work.
     */
    beat(process: records.ServingProcess): Promise<void>;
    /** Forgets the instance of the caller, which serves no more. */
    leave(): Promise<void>;
    /**
     * Returns true in one of the processes that serve the database, the leader, until it leaves or was not alive for 5 s;
     * then another becomes the leader by this call. A step that is running may overlap with the next leader's.
     */
    lead(): Promise<boolean>;
    /** Returns the time since a process led; 0 while one leads. */
    leaderlessFor(): Promise<Micros>;
    /** Returns true if no process may seal under another key, also none that was not alive for a while. */
    allSealWith(keyId: number): Promise<boolean>;
    /** Lists instances, oldest first. */
    list(): Promise<records.Instance[]>;
  };

  /** Attempts to sign in, counted for all processes. */
  signInAttempts: {
    /**
     * Counts an attempt to sign in under all names, or under none if one has reached its limit. Returns the time until all
     * allow an attempt; 0 if it was counted. Counts only if several processes can serve the database.
     */
    count(limits: readonly records.AttemptLimit[], span: Micros): Promise<Micros>;
    /** Takes back an attempt under each name. */
    takeBack(names: readonly string[]): Promise<void>;
  };

  /** The database as a whole. */
  upkeep: {
    readPurges(): Promise<records.PurgeProgress>;
    /** Requests a purge, because deleted data must leave no copy in the database. */
    requestPurge(): Promise<void>;
    /**
     * Makes deleted data unreadable, which covers all requests so far. Posts go on meanwhile. Returns null, or the copies
     * that may be left. It ends early when `signal` aborts.
     */
    purge(signal?: AbortSignal): Promise<records.Residue | null>;
    /** Regular upkeep of the database. To be called about every second, and last when a server stops. */
    maintain(atStop?: boolean): Promise<void>;
    /** Returns the faults that the database engine finds; empty if there are none. Reads the whole database. */
    checkIntegrity(): Promise<string[]>;
    readDurability(): Promise<records.DurabilityReport>;
    /** Returns the stats of the store in constant time, with the mails of each state counted up to `maxMails`. */
    readStats(maxMails: number): Promise<records.StoreStats>;
  };
}

/** The database port: the stores of each noun, which both engines share, and those of the engine. */
export type Store = SharedStores &
  EngineStores & {
    /** Returns the store as a member sees it who is limited to these workspaces. */
    within(workspaceIds: readonly string[]): Store;
    close(): Promise<void>;
  };
