import type { Config } from '../config/config.ts';
import type { DatabaseTls } from '../domain/instance/database-url.ts';
import type { MoveMark } from '../domain/instance/move.ts';
import { planNamed } from '../domain/teams/plan.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { LimitOf } from '../storage/accept-decision.ts';
import type { CommitObserver } from '../storage/group-commit.ts';
import type { Lock } from '../storage/sqlite/lock.ts';
import type { Store } from '../storage/store.ts';
import type { MailDomain } from '../storage/stores/outbox.ts';

/** How a store is opened. */
export type StoreOptions = Readonly<{
  clock: Clock;
  mailDomain: MailDomain;
  onCommit: CommitObserver;
  /** Passed by a server. */
  log: Logger | undefined;
}>;

/** The database that the settings name, and what an engine does in its own way when an instance is opened. */
export type InstanceDatabase = Readonly<{
  /** Whether several processes can serve it, which back it up by its own means. */
  isShared: boolean;
  /** Protection of the connection; null with SQLite. */
  tls: DatabaseTls | null;
  /**
   * Throws `NoInstanceError` if there is no instance and this process must not create one, and `SetupError` if a new one is
   * wanted (`isNew`) and there is one, or if the data directory is that of an instance whose database is missing. Changes
   * nothing.
   */
  requireInstance: (mayCreate: boolean, isNew: boolean) => Promise<void>;
  /** Takes the lock that one server holds until it stops; null if several can serve. Throws `SetupError` if it is taken. */
  lockForServing: () => Lock | null;
  /** Takes the exclusive lock for serving the database or for changing its keys; null if another process holds it. */
  takeLock: (of: 'server' | 'keys') => Promise<Lock | null>;
  /** Reads the mark that `formstead move` left; null for none. */
  readMoveMark: () => Promise<MoveMark | null>;
  /** Opens the database, creating it with `mayCreate`. Throws `SetupError` if it cannot be used. */
  openStore: (options: StoreOptions, mayCreate: boolean) => Promise<Store>;
  /** Reports whether a process serves the database. */
  isServed: (store: Store) => Promise<boolean>;
}>;

/** Returns the functions that look up the limits of a plan: of submissions and of storage. */
export function getLimits({ plans }: Config): [LimitOf, LimitOf] {
  return [(plan) => planNamed(plans, plan).submissions_limit, (plan) => planNamed(plans, plan).storage_bytes ?? null];
}
