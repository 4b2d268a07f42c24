import type { Actor, AuditAction, AuditDetails } from '../../domain/audit.ts';
import type { User } from '../../domain/users/user.ts';
import { type Clock, HOUR } from '../../lib/clock.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import type { Services } from '../services.ts';
import { getTeamIds } from '../teams/teams.ts';

type Deps = Pick<Services, 'store' | 'clock' | 'log'>;

/** Actor of scheduled jobs. */
export const SYSTEM: Actor = { kind: 'system', id: 'system', name: null, address: null };

/** Actor of requests without a session. */
export const ANONYMOUS: Actor = { kind: 'anybody', id: 'anybody', name: null, address: null };

/**
 * Overrides for an audit entry: the action instead of the declared one (null: record nothing), the user, and the affected
 * team (null: none) or teams.
 */
export type NoteContext = Readonly<{
  action?: AuditAction | null;
  user?: User;
  teamId?: string | null;
  teamIds?: readonly string[];
}>;

/** Adds details to the audit entry of the current request or command: only ids, counts and names of settings. */
export type Note = (details: AuditDetails, context?: NoteContext) => void;

/** Collector for the audit details of one request or command. */
export class Notes {
  details: AuditDetails = {};
  context: NoteContext = {};

  readonly note: Note = (details, context = {}) => {
    this.details = { ...this.details, ...details };
    this.context = { ...this.context, ...context };
  };

  /** The affected teams, empty for none; null if the handler did not set them. */
  get teamIds(): readonly string[] | null {
    const { teamId, teamIds } = this.context;
    if (teamIds) return teamIds;
    if (teamId === undefined) return null;
    return teamId === null ? [] : [teamId];
  }
}

/** A completed action; `teamIds` are all affected teams. */
type CompletedAction = Readonly<{
  teamIds: readonly string[] | Promise<readonly string[]>;
  actor: Actor;
  action: AuditAction;
  details?: AuditDetails | undefined;
}>;

/**
 * Records a completed action once for each affected team. It never throws: if the entry can't be stored, its content is
 * logged and the request still succeeds.
 */
export async function recordAction(deps: Deps, { teamIds, actor, action, details = {} }: CompletedAction) {
  const { store, clock, log } = deps;
  const at = clock();
  try {
    const affected = await teamIds;
    const rows = affected.length === 0 ? [null] : affected;
    await store.audit.record(rows.map((teamId) => ({ at, teamId, actor, action, details })));
  } catch (error) {
    const entry = { ...details, action, actor: actor.kind, actor_id: actor.id };
    const { name } = error instanceof Error ? error : { name: typeof error };
    log.error('an audit entry could not be recorded', { ...entry, error: name });
  }
}

/** Origin of a sign-in attempt: the request id, and the truncated address, null if unknown. */
type SignInRequest = Readonly<{ request: string; address: string | null }>;

const MAX_FAILURES_PER_HOUR = 20;

/**
 * Recorder of failed sign-ins, in the teams of the account. The typed address is not recorded if it has no account,
 * since it may be anything. The limit per account, and for all unknown addresses together, keeps attackers from filling
 * the disk.
 */
export class FailedSignIns {
  readonly #recorded = new SlidingWindow(MAX_FAILURES_PER_HOUR, HOUR);

  constructor(private readonly deps: Deps & Readonly<{ monotonic: Clock }>) {}

  /** Logs and records a failure. It works in the background, so that the response time does not reveal accounts. */
  note(email: string, request: SignInRequest): void {
    this.#defer(email, async (user) => {
      this.deps.log.info('sign-in failed', { ...request, user: user?.id });
      await this.#record(user, request.address);
    });
  }

  /** Logs, in the background, an attempt that was refused because of the rate limit. */
  noteRateLimited(email: string, request: SignInRequest): void {
    this.#defer(email, async (user) => this.deps.log.info('sign-in rate limited', { ...request, user: user?.id }));
  }

  #defer(email: string, work: (user: User | null) => Promise<void>): void {
    const { store, log } = this.deps;
    const fail = (error: unknown) => log.error('a failed sign-in could not be recorded', { error: String(error) });
    setImmediate(() => store.users.findByEmail(email).then(work).catch(fail));
  }

  async #record(user: User | null, address: string | null): Promise<void> {
    const { store, monotonic } = this.deps;
    if (!this.#recorded.take(user?.id ?? '', monotonic()).allowed) return;
    await recordAction(this.deps, {
      teamIds: user ? await getTeamIds(store, user.id) : [],
      actor: { ...ANONYMOUS, address },
      action: 'sign_in_failed',
      details: user ? { user_id: user.id } : {},
    });
  }
}

/** Returns the ids in a route's path as details: `formId` becomes `form_id`. Omits other parameters, such as tokens. */
export function pathIds(params: Readonly<Record<string, string | undefined>> | undefined): AuditDetails {
  const ids = Object.entries(params ?? {}).filter(([name]) => name.endsWith('Id'));
  return Object.fromEntries(ids.map(([name, id = '']) => [`${name.slice(0, -2)}_id`, id]));
}
