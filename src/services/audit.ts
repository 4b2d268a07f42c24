import { type Actor, AUDIT_ACTION_BY_ROUTE, type AuditAction, type AuditDetails } from '../domain/audit.ts';
import type { User } from '../domain/user.ts';
import { type Clock, HOUR } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { SlidingWindow } from '../lib/sliding-window.ts';
import type { Store } from '../storage/store.ts';
import { teamIdsOf } from './owners.ts';

type Deps = Readonly<{ store: Store; clock: Clock; log: Logger }>;

/** Who does what nobody asked for. */
export const SYSTEM: Actor = { kind: 'system', id: 'system', name: null, address: null };

/** Who is not signed in. */
export const ANYBODY: Actor = { kind: 'anybody', id: 'anybody', name: null, address: null };

/**
 * What is said beside the details: another action than that of the table (null: nothing was done), who did it, and which
 * team it concerns (null: none) or which ones.
 */
export type NoteFacts = Readonly<{
  action?: AuditAction | null;
  user?: User;
  teamId?: string | null;
  teamIds?: readonly string[];
}>;

/** Adds to what is recorded of the request or command under way. Ids, counts and names of settings alone. */
export type Note = (details: AuditDetails, facts?: NoteFacts) => void;

/** Gathers what a handler notes while it works. */
export class Notes {
  details: AuditDetails = {};
  facts: NoteFacts = {};

  readonly note: Note = (details, facts = {}) => {
    this.details = { ...this.details, ...details };
    this.facts = { ...this.facts, ...facts };
  };

  /** The teams that were named; null where none was, nor that it concerns none. */
  get teamIds(): readonly string[] | null {
    const { teamId, teamIds } = this.facts;
    if (teamIds) return teamIds;
    if (teamId === undefined) return null;
    return teamId === null ? [] : [teamId];
  }
}

/** Something that was done; `teamIds` are all whom it concerns, none for what concerns no team. */
type Done = Readonly<{
  teamIds: readonly string[] | Promise<readonly string[]>;
  actor: Actor;
  action: AuditAction;
  details?: AuditDetails | undefined;
}>;

/**
 * Records what was done, once in each team that it concerns. It is done already: if it cannot be recorded, the log gets what
 * the row would have held, and whoever did it still gets their answer.
 */
export async function recordDone({ store, clock, log }: Deps, { teamIds, actor, action, details = {} }: Done) {
  const at = clock();
  try {
    const concerned = await teamIds;
    const rows = concerned.length === 0 ? [null] : concerned;
    await store.recordAudit(rows.map((teamId) => ({ at, teamId, actor, action, details })));
  } catch (error) {
    const what = { ...details, action, actor: actor.kind, actor_id: actor.id };
    const { name } = error instanceof Error ? error : { name: typeof error };
    log.error('an action was done and could not be recorded', { ...what, error: name });
  }
}

/** What the table has for a route or a command: null for what is not recorded. One that is missing is logged. */
export function actionOf(log: Logger, name: string): AuditAction | null {
  const action = AUDIT_ACTION_BY_ROUTE[name];
  if (action === undefined) log.error('an action was done and could not be recorded: the table has no word', { name });
  return action ?? null;
}

/** The request of a sign-in, by its id, and where it came from, shortened; null where the server cannot tell. */
type TriedBy = Readonly<{ request: string; address: string | null }>;

const FAILURES_AN_HOUR = 20;

/**
 * Records that somebody tried to sign in and failed: with the account that they tried, in its teams, or with none for an
 * address that has no account, since what was typed may be anything. At most 20 an hour for each account and for all
 * without one, so that an attacker does not fill the disk.
 */
export class FailedSignIns {
  readonly #recorded = new SlidingWindow(FAILURES_AN_HOUR, HOUR);

  constructor(private readonly deps: Deps & Readonly<{ monotonic: Clock }>) {}

  /** Returns at once: the answer must not take longer where there is an account. The log gets each of them. */
  note(email: string, from: TriedBy): void {
    this.#later(email, async (user) => {
      this.deps.log.info('a sign-in failed', { ...from, user: user?.id });
      await this.#record(user, from.address);
    });
  }

  /** Logs that a try was not looked at, after too many wrong ones; returns at once. */
  noteHeldOff(email: string, from: TriedBy): void {
    this.#later(email, async (user) => this.deps.log.info('a sign-in was held off', { ...from, user: user?.id }));
  }

  #later(email: string, work: (user: User | null) => Promise<void>): void {
    setImmediate(() => {
      this.deps.store
        .findUserByEmail(email)
        .then(work)
        .catch((error: unknown) =>
          this.deps.log.error('a failed sign-in could not be recorded', { error: String(error) }),
        );
    });
  }

  async #record(user: User | null, address: string | null): Promise<void> {
    const { store, monotonic } = this.deps;
    if (!this.#recorded.take(user?.id ?? '', monotonic()).allowed) return;
    await recordDone(this.deps, {
      teamIds: user ? await teamIdsOf(store, user.id) : [],
      actor: { ...ANYBODY, address },
      action: 'sign_in_failed',
      details: user ? { user_id: user.id } : {},
    });
  }
}

/** The ids in the path of a route, as details: `formId` becomes `form_id`. Tokens and whatever else is no id stay out. */
export function idsOf(params: Readonly<Record<string, string | undefined>> | undefined): AuditDetails {
  const ids = Object.entries(params ?? {}).filter(([name]) => name.endsWith('Id'));
  return Object.fromEntries(ids.map(([name, id = '']) => [`${name.slice(0, -2)}_id`, id]));
}
