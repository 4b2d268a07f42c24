import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { mayDo, RIGHT_OF, type Role } from '../../domain/rights.ts';
import type { Team } from '../../domain/team.ts';
import type { Membership, Session, User } from '../../domain/user.ts';
import { toRefusal } from '../../http/failure.ts';
import { readForm } from '../../http/form-body.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { sessionSecretOf } from '../../http/session-cookie.ts';
import { hashToken } from '../../services/sessions.ts';
import { failurePage, type Page, pageAnswer } from './layout.ts';
import { type Reader, readerOf } from './reader.ts';

/** A request by a browser: the parts of its path by their names, its query, and who reads the answer. */
export type Visit = Readonly<{
  request: Request;
  param: (name: string) => string;
  query: URLSearchParams;
  reader: Reader;
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
  }>;

/** For the routes of actions, which read the body themselves: the framework's own parser would take it away. */
export const UNREAD_BODY = { parse: 'none' } as const;

type Asked = Readonly<{ request: Request; params: Record<string, string>; route: string }>;
type Answer = Promise<Page | Response> | Page | Response;

/**
 * Makes handlers of what pages and actions do. Whatever is thrown becomes a page that says what went wrong; who is not
 * signed in is led to sign in, and back. Actions are posts of our own pages alone.
 */
export class Visits {
  constructor(private readonly context: Context) {}

  /** Shows a page to somebody signed in. Changes nothing. */
  page(show: (visit: SignedInVisit) => Answer) {
    return (asked: Asked) => this.#answer(asked, async (visit) => show(await this.#signedIn(visit, asked.route)));
  }

  /** Does something for somebody signed in, with what the page sent; answers with where to go next, or a page. */
  action(act: (visit: SignedInVisit, sent: URLSearchParams) => Answer) {
    return (asked: Asked) =>
      this.#answer(asked, async (visit) => {
        requireSameOrigin(visit.request, this.context.config.baseUrl);
        const signedIn = await this.#signedIn(visit, asked.route);
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
  async userOf(request: Request): Promise<Readonly<{ user: User; session: Session }> | null> {
    const secret = sessionSecretOf(request);
    return secret === null ? null : this.context.store.findSession(hashToken(secret));
  }

  async #answer({ request, params, route }: Asked, work: (visit: Visit) => Answer): Promise<Response> {
    let reader = readerOf(request, null);
    let isSignedIn = false;
    try {
      const found = await this.userOf(request);
      isSignedIn = found !== null;
      reader = readerOf(request, found?.user ?? null);
      const answer = await work({
        request,
        param: (name) => params[name] ?? '',
        query: new URL(request.url).searchParams,
        reader,
      });
      return answer instanceof Response ? answer : pageAnswer(request, reader, answer);
    } catch (error) {
      if (error instanceof NotSignedIn) return redirectTo(`/dashboard/sign-in${returnTo(request)}`);
      return pageAnswer(
        request,
        reader,
        failurePage(reader, toRefusal(error, request, route, this.context.log), isSignedIn),
      );
    }
  }

  /** The visit, if the role of its user in the team brings the right that the route takes. */
  async #signedIn(visit: Visit, route: string): Promise<SignedInVisit> {
    const found = await this.userOf(visit.request);
    if (!found || found.session.isPending) throw new NotSignedIn();
    const { store, clock, sessionUse } = this.context;
    const memberships = await store.listMembershipsOf(found.user.id);
    const membership = memberships.find(({ team }) => team.id === found.session.teamId) ?? memberships[0];
    if (!membership) throw new AppError('not_found', 'This account belongs to no team.');
    const right = RIGHT_OF[`${visit.request.method === 'HEAD' ? 'GET' : visit.request.method} ${route}`];
    if (right === undefined || !mayDo(membership.role, right)) {
      throw new AppError('role_forbids', 'Your role in this team does not allow that. Ask one of its owners.');
    }
    sessionUse.note(found.session.id, clock());
    return { ...visit, ...found, ...membership, memberships };
  }
}

class NotSignedIn extends Error {}

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
