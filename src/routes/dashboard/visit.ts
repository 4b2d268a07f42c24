import type { Context } from '../../context.ts';
import { ACTION_OF } from '../../domain/audit.ts';
import { AppError } from '../../domain/errors.ts';
import { mayUse, RIGHT_OF, type Role } from '../../domain/rights.ts';
import type { Team } from '../../domain/team.ts';
import type { Membership, Session, User } from '../../domain/user.ts';
import { noteCaller } from '../../http/caller.ts';
import { ClientAddress, type Peers } from '../../http/client-address.ts';
import { toRefusal } from '../../http/failure.ts';
import { readForm } from '../../http/form-body.ts';
import { requestId } from '../../http/request-id.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { sessionSecretOf } from '../../http/session-cookie.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { ANYBODY, actionOf, idsOf, type Note, Notes, recordDone } from '../../services/audit.ts';
import { teamIdsOf } from '../../services/owners.ts';
import { hashToken } from '../../services/sessions.ts';
import { failurePage, type Page, pageAnswer } from './layout.ts';
import { type Reader, readerOf, type Standing } from './reader.ts';

/** A request by a browser: the parts of its path by their names, its query, and who reads the answer. */
export type Visit = Readonly<{
  request: Request;
  param: (name: string) => string;
  query: URLSearchParams;
  reader: Reader;
  /** Adds to what is recorded of this visit if it does something. */
  note: Note;
}>;

/** A visit by somebody who is signed in. `team` is the one whose things are shown. */
export type SignedInVisit = Visit &
  Readonly<{
    user: User;
    session: Session;
    team: Team;
    role: Role;
    /** All teams that the user belongs to, oldest first. */
    memberships: readonly Membership[];
    hasSecondFactor: boolean;
    /** Who leads whoever has none to set one up. */
    secondFactorOf: 'instance' | 'team' | null;
  }>;

/** For the routes of actions, which read the body themselves: the framework's own parser would take it away. */
export const UNREAD_BODY = { parse: 'none' } as const;

type Asked = Readonly<{
  request: Request;
  /** None where the route has no parameters. */
  params?: Record<string, string>;
  route: string;
  server: Peers | null;
}>;
/** Who a session belongs to. */
type Found = Readonly<{ user: User; session: Session; hasSecondFactor: boolean }>;
type Answer = Promise<Page | Response> | Page | Response;

/**
 * Makes handlers of what pages and actions do. Whatever is thrown becomes a page that says what went wrong; who is not
 * signed in is led to sign in, and back; who has no second factor in a team that requires one, to set it up. Actions are
 * posts of our own pages alone.
 */
export class Visits {
  readonly #addresses: ClientAddress;
  readonly #pages: SlidingWindow;
  readonly #exports: SlidingWindow;

  constructor(private readonly context: Context) {
    const { trustedProxies, pagesPerMinute } = context.config;
    this.#addresses = new ClientAddress(trustedProxies);
    this.#pages = new SlidingWindow(pagesPerMinute);
    this.#exports = new SlidingWindow(Math.ceil(pagesPerMinute / 20));
  }

  /** Shows a page to somebody signed in. Changes nothing. */
  page(show: (visit: SignedInVisit) => Answer) {
    return (asked: Asked) =>
      this.#answer(asked, async (visit, found) => show(this.#signedIn(visit, found, asked.route)));
  }

  /** Does something for somebody signed in, with what the page sent; answers with where to go next, or a page. */
  action(act: (visit: SignedInVisit, sent: URLSearchParams) => Answer) {
    return (asked: Asked) =>
      this.#answer(asked, async (visit, found) => {
        requireSameOrigin(visit.request, this.context.config.baseUrl);
        const signedIn = this.#signedIn(visit, found, asked.route);
        return act(signedIn, await readForm(visit.request));
      });
  }

  /** Shows a page to anybody. Changes nothing. */
  openPage(show: (visit: Visit) => Answer) {
    return (asked: Asked) => this.#answer(asked, show);
  }

  /** Does something for anybody, with what the page sent. */
  openAction(act: (visit: Visit, sent: URLSearchParams) => Answer) {
    return (asked: Asked) =>
      this.#answer(asked, async (visit) => {
        requireSameOrigin(visit.request, this.context.config.baseUrl);
        return act(visit, await readForm(visit.request));
      });
  }

  /** The user of the session that the browser presents; null if there is none. */
  async userOf(request: Request): Promise<Found | null> {
    const secret = sessionSecretOf(request);
    return secret === null ? null : this.context.store.findSession(hashToken(secret));
  }

  async #answer(asked: Asked, work: (visit: Visit, found: Found | null) => Answer): Promise<Response> {
    const { request, params, route } = asked;
    const notes = new Notes();
    let reader = readerOf(request, null);
    let visitor: User | null = null;
    try {
      requireAddress(request);
      const found = await this.userOf(request);
      visitor = found?.user ?? null;
      if (visitor) noteCaller(request, { user: visitor.id });
      reader = readerOf(request, found?.user ?? null, await this.#standingOf(found?.session ?? null));
      const visit: Visit = {
        request,
        param: (name) => params?.[name] ?? '',
        query: new URL(request.url).searchParams,
        reader,
        note: notes.note,
      };
      const answer = await work(visit, found);
      const response = answer instanceof Response ? answer : pageAnswer(request, reader, answer);
      if (response.status < 400) await this.#record(asked, notes, visitor, reader.membership);
      return response;
    } catch (error) {
      if (error instanceof LedElsewhere) return redirectTo(error.path);
      const refusal = toRefusal(error, request, route, this.context.log);
      // What is done one by one stays done up to where it failed.
      if (refusal.status >= 500 && 'count' in notes.details) {
        await this.#record(asked, notes, visitor, reader.membership);
      }
      return pageAnswer(request, reader, failurePage(reader, refusal, requestId(request)));
    }
  }

  async #standingOf(session: Session | null): Promise<Standing> {
    if (!session || session.isPending) return { membership: null, memberships: [] };
    const memberships = await this.context.store.listMembershipsOf(session.userId);
    const membership = memberships.find(({ team }) => team.id === session.teamId) ?? memberships[0] ?? null;
    return { membership, memberships };
  }

  /**
   * Records what was done, if the table has a word for it. What is a person's own affair, such as signing in, concerns all of
   * their teams; the rest the one whose things are shown.
   */
  async #record(
    { request, params, route, server }: Asked,
    notes: Notes,
    visitor: User | null,
    membership: Membership | null,
  ): Promise<void> {
    const { details, facts } = notes;
    const name = `${request.method} ${route}`;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const known = isRead ? ACTION_OF[name] : actionOf(this.context.log, name);
    const action = facts.action === undefined ? known : facts.action;
    if (!action) return;
    const user = facts.user ?? visitor;
    const right = RIGHT_OF[name];
    const isOwn = right === 'open' || right === 'self';
    const usual = () => {
      if (user && isOwn) return teamIdsOf(this.context.store, user.id);
      return membership ? [membership.team.id] : [];
    };
    const who = user ? { kind: 'user' as const, id: user.id, name: user.email } : ANYBODY;
    const actor = { ...who, address: this.#addresses.shortOf(request, server) };
    await recordDone(this.context, {
      teamIds: notes.teamIds ?? usual(),
      actor,
      action,
      details: { ...idsOf(params), ...details },
    });
  }

  /** The visit, if the role of its user in the team brings the right that the route takes. */
  #signedIn(visit: Visit, found: Found | null, route: string): SignedInVisit {
    if (!found) throw new LedElsewhere(`/dashboard/sign-in${returnTo(visit.request)}`);
    if (found.session.isPending) throw new LedElsewhere(`/dashboard/second-factor${returnTo(visit.request)}`);
    const { clock, config, sessionUse } = this.context;
    const { membership, memberships } = visit.reader;
    const used = `${visit.request.method === 'HEAD' ? 'GET' : visit.request.method} ${route}`;
    this.#requireRate(found.session, used);
    if (!membership) throw new AppError('role_forbids', 'This account belongs to no team.');
    const byTeam = membership.team.requiresSecondFactor ? 'team' : null;
    const secondFactorOf = config.requireSecondFactor ? 'instance' : byTeam;
    if (secondFactorOf && !found.hasSecondFactor && RIGHT_OF[used] !== 'self') {
      throw new LedElsewhere('/dashboard/account/second-factor');
    }
    if (!mayUse(membership.role, used)) {
      throw new AppError('role_forbids', 'Your role in this team does not allow that. Ask one of its owners.');
    }
    sessionUse.note(found.session.id, clock());
    return { ...visit, ...found, ...membership, memberships, secondFactorOf };
  }

  /** Throws `rate_limited` where a session asks for more than a person would: somebody may have taken it over. */
  #requireRate({ id }: Session, used: string): void {
    // The table has what is asked for by GET only where that gives out an export.
    const isExport = used.startsWith('GET ') && ACTION_OF[used];
    for (const window of isExport ? [this.#exports, this.#pages] : [this.#pages]) {
      if (window.limit === 0) continue;
      const { allowed, resetSeconds } = window.take(id, this.context.monotonic());
      if (allowed) continue;
      throw new AppError('rate_limited', `More than ${window.limit} requests in 60 seconds by one sign-in.`, {
        headers: { 'Retry-After': String(resetSeconds) },
      });
    }
  }
}

/** What has to be done first, on another page. */
class LedElsewhere extends Error {
  constructor(readonly path: string) {
    super(`led to ${path}`);
  }
}

/** Leads the browser to another page of ours by GET. */
export function redirectTo(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { Location: path, 'Cache-Control': 'no-store', ...headers } });
}

/** Where to go back to after the sign-in: a page, since what was posted is gone. */
function returnTo(request: Request): string {
  if (request.method !== 'GET') return '';
  const { pathname, search } = new URL(request.url);
  return pathname === '/dashboard' ? '' : `?to=${encodeURIComponent(pathname + search)}`;
}

/** The Host is whatever was sent, and may make no address of it at all. */
function requireAddress({ url }: Request): void {
  if (URL.canParse(url)) return;
  throw new AppError('invalid_input', 'The Host of this request is no host. Open the dashboard at its own address.');
}
