import type { Context } from '../../context.ts';
import { ACTION_OF } from '../../domain/audit.ts';
import { AppError } from '../../domain/errors.ts';
import { RIGHT_OF } from '../../domain/rights.ts';
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
import { ANONYMOUS, auditActionOf, type Note, Notes, pathIds, recordAction } from '../../services/audit.ts';
import { hashToken } from '../../services/sessions.ts';
import { teamIdsOf } from '../../services/teams.ts';
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

/** A visit by somebody who is signed in, for what is their own: they may belong to no team. */
export type OwnVisit = Visit &
  Found &
  Readonly<{
    /** Who leads whoever has none to set one up. */
    secondFactorOf: 'instance' | Team | null;
  }>;

/** The same by a member of a team, the one whose things are shown. */
export type SignedInVisit = OwnVisit & Membership;

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
/** A visit as it stands at a moment, and who is signed in then. */
type Arrived = Readonly<{ visit: Visit; found: Found | null }>;
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

  /** Shows a page to a member of a team. Changes nothing. */
  page(show: (visit: SignedInVisit) => Answer) {
    return this.ownPage((visit) => show(inTeam(visit)));
  }

  /** Does something for a member of a team, with what the page sent; answers with where to go next, or a page. */
  action(act: (visit: SignedInVisit, sent: URLSearchParams) => Answer) {
    return this.ownAction((visit, sent) => act(inTeam(visit), sent));
  }

  /** Shows a page to anybody who is signed in. Changes nothing. */
  ownPage(show: (visit: OwnVisit) => Answer) {
    return (asked: Asked) => this.#answer(asked, async (look) => show(this.#admitted(await look(), asked.route)));
  }

  /** Does something for anybody who is signed in. */
  ownAction(act: (visit: OwnVisit, sent: URLSearchParams) => Answer) {
    return (asked: Asked) =>
      this.#answer(asked, async (look) => {
        const arrived = await look();
        requireSameOrigin(asked.request, this.context.config.baseUrl);
        this.#admitted(arrived, asked.route);
        const sent = await readForm(asked.request);
        // The browser may have held it back, and its user lost meanwhile what let them in.
        return act(this.#own(await look(), asked.route), sent);
      });
  }

  /** Shows a page to anybody. Changes nothing. */
  openPage(show: (visit: Visit) => Answer) {
    return (asked: Asked) => this.#answer(asked, async (look) => show((await look()).visit));
  }

  /** Does something for anybody, with what the page sent. */
  openAction(act: (visit: Visit, sent: URLSearchParams) => Answer) {
    return (asked: Asked) =>
      this.#answer(asked, async (look) => {
        await look();
        requireSameOrigin(asked.request, this.context.config.baseUrl);
        const sent = await readForm(asked.request);
        return act((await look()).visit, sent);
      });
  }

  /** The user of the session that the browser presents; null if there is none. */
  async userOf(request: Request): Promise<Found | null> {
    const secret = sessionSecretOf(request);
    return secret === null ? null : this.context.store.findSession(hashToken(secret));
  }

  /** `work` looks who is signed in, and again once time has passed; what is said and recorded goes by the last look. */
  async #answer(asked: Asked, work: (look: () => Promise<Arrived>) => Answer): Promise<Response> {
    const { request, params, route } = asked;
    const notes = new Notes();
    let reader = readerOf(request, null);
    let visitor: User | null = null;
    const look = async (): Promise<Arrived> => {
      const found = await this.userOf(request);
      visitor = found?.user ?? null;
      if (visitor) noteCaller(request, { user: visitor.id });
      reader = readerOf(request, visitor, await this.#standingOf(found?.session ?? null));
      const param = (name: string) => params?.[name] ?? '';
      const query = new URL(request.url).searchParams;
      return { visit: { request, param, query, reader, note: notes.note }, found };
    };
    try {
      requireAddress(request);
      const answer = await work(look);
      const response = answer instanceof Response ? answer : pageAnswer(request, reader, answer);
      if (response.status < 400) await this.#record(asked, notes, visitor, reader.membership);
      return response;
    } catch (error) {
      if (error instanceof Redirect) return redirectTo(error.path);
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
    const { details, context: facts } = notes;
    const name = `${request.method} ${route}`;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const known = isRead ? ACTION_OF[name] : auditActionOf(this.context.log, name);
    const action = facts.action === undefined ? known : facts.action;
    if (!action) return;
    const user = facts.user ?? visitor;
    const right = RIGHT_OF[name];
    const isOwn = right === 'open' || right === 'self';
    const usual = () => {
      if (user && isOwn) return teamIdsOf(this.context.store, user.id);
      return membership ? [membership.team.id] : [];
    };
    const who = user ? { kind: 'user' as const, id: user.id, name: user.email } : ANONYMOUS;
    const actor = { ...who, address: this.#addresses.shortOf(request, server) };
    await recordAction(this.context, {
      teamIds: notes.teamIds ?? usual(),
      actor,
      action,
      details: { ...pathIds(params), ...details },
    });
  }

  /** The same as `#own`, counted by the rate of the session. */
  #admitted(arrived: Arrived, route: string): OwnVisit {
    this.#requireRate(signedIn(arrived).session, usedBy(arrived.visit, route));
    return this.#own(arrived, route);
  }

  /** The visit, if its user has the right that the route takes. */
  #own(arrived: Arrived, route: string): OwnVisit {
    const { visit } = arrived;
    const found = signedIn(arrived);
    const { clock, config, sessionUse } = this.context;
    const { membership, may } = visit.reader;
    const used = usedBy(visit, route);
    const byTeam = membership?.team.requiresSecondFactor ? membership.team : null;
    const secondFactorOf = config.requireSecondFactor ? 'instance' : byTeam;
    if (secondFactorOf && !found.hasSecondFactor && RIGHT_OF[used] !== 'self') {
      throw new Redirect('/dashboard/account/second-factor');
    }
    if (!may(used)) {
      if (!membership) throw noTeam();
      throw new AppError('role_forbids', 'Your role in this team does not allow that. Ask one of its owners.');
    }
    sessionUse.note(found.session.id, clock());
    return { ...visit, ...found, secondFactorOf };
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
class Redirect extends Error {
  constructor(readonly path: string) {
    super(`led to ${path}`);
  }
}

/** Who is signed in, with the second factor if they have one; anybody else is led to that. */
function signedIn({ visit: { request }, found }: Arrived): Found {
  if (!found) throw new Redirect(`/dashboard/sign-in${returnTo(request)}`);
  if (found.session.isPending) throw new Redirect(`/dashboard/second-factor${returnTo(request)}`);
  return found;
}

function inTeam(visit: OwnVisit): SignedInVisit {
  const { membership } = visit.reader;
  if (!membership) throw noTeam();
  return { ...visit, ...membership };
}

function noTeam(): AppError {
  return new AppError('role_forbids', 'This account belongs to no team.');
}

/** What is asked for, named as in `RIGHT_OF`. */
function usedBy({ request: { method } }: Visit, route: string): string {
  return `${method === 'HEAD' ? 'GET' : method} ${route}`;
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
