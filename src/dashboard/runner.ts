import { Elysia } from 'elysia';
import type { ServerContext } from '../context/server-context.ts';
import { AppError } from '../domain/errors.ts';
import { hasPermission } from '../domain/teams/roles.ts';
import type { Session } from '../domain/users/user.ts';
import { noteCaller } from '../http/caller.ts';
import type { Peers } from '../http/client-address.ts';
import { toRefusal } from '../http/failure.ts';
import { readForm } from '../http/form-body.ts';
import { requestId } from '../http/request-id.ts';
import { requireSameOrigin } from '../http/same-origin.ts';
import { getSessionSecret } from '../http/session-cookie.ts';
import { ClientRateLimit } from '../lib/client-rate-limit.ts';
import { isDeclaredAtMost, type Reserve } from '../lib/read-body.ts';
import { type Allowance, SlidingWindow } from '../lib/sliding-window.ts';
import { ANONYMOUS, Notes, pathIds, recordAction } from '../services/audit/audit.ts';
import { requireForm } from '../services/forms/forms.ts';
import { requireStored } from '../services/submissions/read-submission.ts';
import { getTeamIds } from '../services/teams/teams.ts';
import { hashToken } from '../services/users/sessions.ts';
import { NO_NOTICES, readNotices } from './notices.ts';
import * as pages from './page.ts';
import { recentPasswordQuestion } from './password-check.tsx';
import { type FeatureAssets, listAssets } from './ui/assets.ts';
import { errorPage, type Page, pageAnswer } from './ui/layout.tsx';
import { PASSKEY_SCRIPT } from './users/passkeys/assets.ts';
import { getViewer, type Memberships, NO_MEMBERSHIPS, type Viewer } from './viewer.ts';

const declarations = new WeakMap<object, pages.Declaration>();

/** Returns the declaration of a handler in `app.routes`; undefined if neither `page()` nor `action()` made it. */
export function getDeclaration(handler: unknown): pages.Declaration | undefined {
  return typeof handler === 'function' ? declarations.get(handler) : undefined;
}

/** Size limits of forms: above any in the dashboard, and above any that a stranger may post. */
const MAX_FORM_BYTES = 512 * 1024;
const MAX_OPEN_FORM_BYTES = 16 * 1024;

/** The framework's own parser would consume the body. */
const UNREAD_BODY = { parse: 'none' } as const;

/** Mounts pages, actions, and the assets of their layout. */
export function mountPages(context: pages.DashboardContext, routes: readonly pages.DashboardRoute[]) {
  const runner = new Runner(context);
  const app = new Elysia();
  for (const { address, answer } of listAssets()) app.get(address, answer);
  app.get(PASSKEY_SCRIPT.address, PASSKEY_SCRIPT.answer);
  for (const route of routes) {
    const { method, path, access, audit, wholeTeam, forOperator } = route;
    const handler = (incoming: Incoming) => runner.run(route, incoming);
    declarations.set(handler, { access, audit, wholeTeam, forOperator });
    if (method === 'POST') app.post(path, handler, UNREAD_BODY);
    else app.get(path, handler);
  }
  return app;
}

type Incoming = Readonly<{
  request: Request;
  /** Absent where the route has no parameters. */
  params?: Record<string, string>;
  route: string;
  server: Peers | null;
}>;

type PasswordStep = Readonly<{ question: Page | null; headers: Readonly<Record<string, string>> }>;

/** The current user and the viewer, loaded once per request. `named` is the address that a trusted proxy names. */
type Arrival = Readonly<{ currentUser: pages.CurrentUser | null; named: string | null; viewer: Viewer }>;

const MAX_LIMITED = 200;

/** Runs a route: checks, handler, audit entry, and an error page for whatever is thrown. */
class Runner {
  readonly #requests: SlidingWindow;
  readonly #exports: SlidingWindow;
  readonly #openPosts: ClientRateLimit;
  /** Stores of limited members by their workspaces, which take long to create. */
  readonly #limited = new Map<string, ServerContext['store']>();

  constructor(private readonly context: pages.DashboardContext) {
    const { pagesPerMinute } = context.config;
    this.#requests = new SlidingWindow(pagesPerMinute);
    this.#exports = new SlidingWindow(Math.ceil(pagesPerMinute / 20));
    this.#openPosts = new ClientRateLimit(Math.ceil(pagesPerMinute / 10));
  }

  run(route: pages.DashboardRoute, incoming: Incoming): Promise<Response> {
    const client = this.context.clientAddress.ofRequest(incoming.request, incoming.server) ?? '';
    return this.context.bodies.lend(client, (reserve) => this.#answer(route, incoming, client, reserve));
  }

  async #answer(route: pages.DashboardRoute, incoming: Incoming, client: string, reserve: Reserve): Promise<Response> {
    const { request } = incoming;
    const notes = new Notes();
    let arrival: Arrival | null = null;
    try {
      const form =
        route.method === 'POST' ? await this.#readPost(route, request, client, reserve) : new URLSearchParams();
      // Loaded after the body, because a client may hold the body back while its rights change.
      arrival = await this.#arrive(incoming);
      this.#requireProxyUser(incoming, arrival);
      // `#contextOf` returns the context of the route's access.
      const handle = route.handle as pages.Handler<pages.PageContext<'manage'>>;
      const needsPassword = route.needsPassword as pages.NeedsPassword<pages.PageContext<'manage'>>;
      const context = this.#contextOf(route, incoming, arrival, notes);
      if (route.method === 'POST' && !isOwn(route)) pages.requireSameTeam(context, form);
      if (route.forOperator && !(await this.context.store.users.isOperator(context.user.id))) throw roleForbids();
      const { question, headers } = (await needsPassword(form, context))
        ? await this.#checkRecentPassword(context, form)
        : { question: null, headers: {} };
      const answer = question ?? (await handle(context, form));
      const response =
        answer instanceof Response ? answer : await this.#show(request, arrival.viewer, answer, route.assets);
      for (const [name, value] of Object.entries(headers)) response.headers.append(name, value);
      if (response.status < 400) await this.#record(route, incoming, arrival, notes);
      return response;
    } catch (error) {
      if (error instanceof Redirect) return pages.redirectTo(error.path);
      const nobody = () => ({ currentUser: null, named: null, viewer: getViewer(request, null) });
      arrival ??= await this.#arrive(incoming).catch(nobody);
      const refusal = toRefusal(error, request, incoming.route, this.context.log);
      this.context.refusedClients.note(request, incoming.server, refusal.code);
      // Batches that finished before the failure are recorded.
      if (refusal.status >= 500 && 'count' in notes.details) await this.#record(route, incoming, arrival, notes);
      return this.#show(request, arrival.viewer, errorPage(arrival.viewer, refusal, requestId(request)));
    }
  }

  /** Renders a page. Never throws: without the database, it lacks the notices. */
  async #show(request: Request, viewer: Viewer, page: Page, assets?: FeatureAssets): Promise<Response> {
    const notices =
      page.section === null || (this.#requirerOf(viewer) && !viewer.hasProven)
        ? NO_NOTICES
        : await readNotices(this.#seenBy(viewer), viewer).catch(() => NO_NOTICES);
    return pageAnswer(request, viewer, page, notices, assets, this.context.config.authSignOutUrl);
  }

  /** Reads the body, after the checks that need none. Only a session may send more than a stranger. */
  async #readPost(
    route: pages.DashboardRoute,
    request: Request,
    client: string,
    reserve: Reserve,
  ): Promise<URLSearchParams> {
    requireSameOrigin(request, this.context.config.baseUrl);
    if (route.access === 'open') {
      this.#requireOpenRate(client);
      return readForm(request, MAX_OPEN_FORM_BYTES, reserve);
    }
    const secret = getSessionSecret(request, this.context.config.baseUrl);
    if (secret === null) throw toSignIn(request, false);
    const isLong = !isDeclaredAtMost(request, MAX_OPEN_FORM_BYTES);
    if (isLong && !(await this.context.store.sessions.find(hashToken(secret)))) throw toSignIn(request, true);
    this.#requireRate(route, secret, 'peek');
    return readForm(request, MAX_FORM_BYTES, reserve);
  }

  /** Throws `rate_limited` for a client that posts more often to pages that anyone may post to. */
  #requireOpenRate(client: string): void {
    const { limit } = this.#openPosts;
    if (limit === 0) return;
    const allowance = this.#openPosts.take(client, this.context.monotonic());
    if (!allowance.allowed) throw tooFrequent(allowance, `More than ${limit} forms in 60 seconds from one address.`);
  }

  /**
   * Returns a page that asks for the password, or null if it was checked recently or is in `form` and right. In the latter
   * case `headers` renew the session, so that a stolen cookie does not gain from it.
   */
  async #checkRecentPassword(page: pages.PageContext<'self'>, form: URLSearchParams): Promise<PasswordStep> {
    const { passwords } = this.context;
    if (passwords.isRecent(page)) return { question: null, headers: {} };
    const isAnswered = form.has('password') || form.has('passkey');
    const failed = isAnswered ? await passwords.errorOf(page, form) : null;
    if (isAnswered && !failed) return { question: null, headers: await passwords.renew(page) };
    page.note({}, { action: null });
    return { question: recentPasswordQuestion(page, form, failed), headers: {} };
  }

  async #arrive({ request, server }: Incoming): Promise<Arrival> {
    const { config, store, trustedHeader } = this.context;
    const secret = getSessionSecret(request, config.baseUrl);
    const named = trustedHeader.read(request, server);
    let currentUser = secret === null ? null : await store.sessions.find(hashToken(secret));
    const method = currentUser?.session.method;
    const isByHeader = method === 'header';
    const isTurnedOff = config.oidcOnly && (method === 'password' || method === 'passkey');
    if (isTurnedOff || (isByHeader && currentUser?.user.email !== named)) currentUser = null;
    if (currentUser && (isByHeader || config.oidcOnly))
      currentUser = { ...currentUser, hasPassword: false, hasPasskey: false };
    if (currentUser) noteCaller(request, { user: currentUser.user.id });
    const memberships = await this.#membershipsOf(currentUser?.session ?? null);
    const hasProven = currentUser?.hasSecondFactor || currentUser?.session.isMultiFactor || false;
    const means = currentUser ? { ...currentUser, hasProven } : undefined;
    const viewer = getViewer(request, currentUser?.user ?? null, memberships, means);
    return { currentUser, named, viewer };
  }

  /** Throws `Redirect` if a trusted proxy names another user than that of the session. */
  #requireProxyUser({ request, route }: Incoming, { currentUser, named }: Arrival): void {
    if (named === null || currentUser?.user.email === named || route === pages.PROXY_SIGN_IN) return;
    if (route !== '/dashboard/sign-out') throw new Redirect(pages.PROXY_SIGN_IN + returnTo(request));
  }

  async #membershipsOf(session: Session | null): Promise<Memberships> {
    if (!session || session.isPending) return NO_MEMBERSHIPS;
    const memberships = await this.context.store.users.listMemberships(session.userId);
    const membership = memberships.find(({ team }) => team.id === session.teamId) ?? memberships[0] ?? null;
    return { membership, memberships };
  }

  /** Builds the context of a handler. Throws `Redirect` or `AppError` without access. */
  #contextOf(
    route: pages.DashboardRoute,
    { request, params, server }: Incoming,
    { currentUser, viewer }: Arrival,
    { note }: Notes,
  ): pages.PageContext<'manage'> {
    const param = (name: string) => params?.[name] ?? '';
    const query = new URL(request.url).searchParams;
    const context = this.#seenBy(viewer);
    const open: pages.OpenContext = { context, request, server, param, query, viewer, currentUser, note };
    // `PageContext` hides from a handler what its access does not include.
    if (route.access === 'open') return open as pages.PageContext<'manage'>;
    const own = { ...open, ...this.#admit(route, open, currentUser) };
    return { ...own, ...viewer.membership } as pages.PageContext<'manage'>;
  }

  /** Returns who requires a second factor of the viewer; null if nobody does. */
  #requirerOf({ membership }: Viewer) {
    const byTeam = membership?.team.requiresSecondFactor ? membership.team : null;
    return this.context.config.requireSecondFactor ? 'instance' : byTeam;
  }

  /** Returns the services with a store that has only the workspaces which the viewer sees. */
  #seenBy({ membership }: Viewer): pages.DashboardContext {
    const reach = membership?.workspaceIds ?? null;
    if (reach === null) return this.context;
    if (this.#limited.size >= MAX_LIMITED) this.#limited.clear();
    const store = this.#limited.getOrInsertComputed(reach.join(), () => this.context.store.within(reach));
    return { ...this.context, store };
  }

  #admit(route: pages.DashboardRoute, page: pages.OpenContext, current: pages.CurrentUser | null): pages.OwnContext {
    const { request, viewer } = page;
    if (!current) throw toSignIn(request, getSessionSecret(request, this.context.config.baseUrl) !== null);
    if (current.session.isPending) throw new Redirect(`/dashboard/second-factor${returnTo(request)}`);
    const { clock, config, sessionUse } = this.context;
    this.#requireRate(route, getSessionSecret(request, config.baseUrl) ?? '', 'take');
    const secondFactorRequiredBy = this.#requirerOf(viewer);
    if (secondFactorRequiredBy && !viewer.hasProven && (route.access !== 'self' || route.forOperator)) {
      throw new Redirect('/dashboard/account/second-factor');
    }
    if (!viewer.can(route.access)) {
      pages.requireMembership({ viewer } as pages.PageContext);
      throw roleForbids();
    }
    if (route.wholeTeam && !viewer.seesAll) throw roleForbids();
    sessionUse.note(current.session.id, clock());
    const requireAccess = () => this.#requireAccess(route, page, current.session.id);
    return { ...current, secondFactorRequiredBy, requireAccess };
  }

  async #requireAccess({ access }: pages.DashboardRoute, page: pages.OpenContext, sessionId: string): Promise<void> {
    const { context, param, viewer } = page;
    const teamId = viewer.membership?.team.id ?? '';
    const now = await context.store.sessions.findAccess(sessionId, teamId);
    const isAllowed = now !== null && hasPermission(now.role, access);
    const before = viewer.membership?.workspaceIds ?? null;
    if (!isAllowed || !Bun.deepEquals(now.workspaceIds, before)) throw roleForbids();
    if (param('formId') !== '') await requireForm(context.store, param('formId'), teamId);
    if (param('submissionId') !== '') await requireStored(context.store, param('submissionId'), teamId);
  }

  /**
   * Throws `rate_limited` for a session that makes more requests than a person would: it may be stolen. `peek` counts
   * nothing, so that made-up cookies take no memory.
   */
  #requireRate({ method, audit }: pages.DashboardRoute, secret: string, use: 'peek' | 'take'): void {
    const session = hashToken(secret);
    const isExport = method === 'GET' && audit !== null;
    for (const window of isExport ? [this.#exports, this.#requests] : [this.#requests]) {
      if (window.limit === 0) continue;
      const allowance = window[use](session, this.context.monotonic());
      const message = `More than ${window.limit} requests in 60 seconds in one session.`;
      if (!allowance.allowed) throw tooFrequent(allowance, message);
    }
  }

  /** Writes the audit entry: to all teams of the user for routes of their account, else to the current team. */
  async #record(
    route: pages.DashboardRoute,
    { request, params, server }: Incoming,
    { currentUser, viewer: { membership } }: Arrival,
    { context: noted, details, teamIds }: Notes,
  ): Promise<void> {
    const action = noted.action === undefined ? route.audit : noted.action;
    if (!action) return;
    const user = noted.user ?? currentUser?.user ?? null;
    const usual = () => {
      if (user && isOwn(route)) return getTeamIds(this.context.store, user.id);
      return membership ? [membership.team.id] : [];
    };
    const who = user ? { kind: 'user' as const, id: user.id, name: user.email } : ANONYMOUS;
    const actor = { ...who, address: this.context.clientAddress.shortOf(request, server) };
    await recordAction(this.context, {
      teamIds: teamIds ?? usual(),
      actor,
      action,
      details: { ...pathIds(params), ...details },
    });
  }
}

/** Returns true for routes about the user's own account rather than the current team. */
const isOwn = ({ access }: pages.DashboardRoute): boolean => access === 'open' || access === 'self';

function tooFrequent({ resetSeconds }: Allowance, message: string): AppError {
  return new AppError('rate_limited', message, { headers: { 'Retry-After': String(resetSeconds) } });
}

/** A redirect in place of an answer. */
class Redirect extends Error {
  constructor(readonly path: string) {
    super(`redirect to ${path}`);
  }
}

function roleForbids(): AppError {
  return new AppError('role_forbids', 'Your role in this team does not allow that. Ask one of its owners.');
}

/** Returns the redirect of a visitor without a session. `isExpired` if the browser still sends an ended one. */
function toSignIn(request: Request, isExpired: boolean): Redirect {
  const back = returnTo(request);
  const notice = isExpired ? `${back === '' ? '?' : '&'}done=expired` : '';
  return new Redirect(`/dashboard/sign-in${back}${notice}`);
}

/** Returns the query that leads back after the sign-in. Empty for actions, because their body is lost. */
function returnTo(request: Request): string {
  if (request.method !== 'GET') return '';
  const { pathname, search } = new URL(request.url);
  return pathname === '/dashboard' ? '' : `?to=${encodeURIComponent(pathname + search)}`;
}
