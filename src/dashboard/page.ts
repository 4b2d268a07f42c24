import type { ServerContext } from '../context/server-context.ts';
import type { AuditAction } from '../domain/audit.ts';
import { AppError } from '../domain/errors.ts';
import type { Access } from '../domain/teams/roles.ts';
import type { Team } from '../domain/teams/team.ts';
import type { Membership, Session, User } from '../domain/users/user.ts';
import type { Peers } from '../http/client-address.ts';
import type { Note } from '../services/audit/audit.ts';
import { requireForm } from '../services/forms/forms.ts';
import type { SignInThrottle } from '../services/users/sign-in-throttle.ts';
import type { PasswordCheck } from './password-check.tsx';
import type { FeatureAssets } from './ui/assets.ts';
import { type Page, TEAM_FIELD } from './ui/layout.tsx';
import type { SignInMeans, Viewer } from './viewer.ts';

export { redirectTo } from '../http/redirect-to.ts';
export type { Page };

/** The user of a session. A pending session still lacks the second factor; only `open` routes see one. */
export type CurrentUser = Readonly<{ user: User; session: Session; hasSecondFactor: boolean }> & SignInMeans;

/** The services of the process, and those of the dashboard alone. `codeTries` limits guesses at codes. */
export type DashboardContext = ServerContext & Readonly<{ passwords: PasswordCheck; codeTries: SignInThrottle }>;

export type OpenContext = Readonly<{
  /** Its store has only the workspaces that the viewer sees. */
  context: DashboardContext;
  request: Request;
  /** The server, for the peer's address. */
  server: Peers | null;
  /** Returns a parameter of the path. */
  param: (name: string) => string;
  query: URLSearchParams;
  viewer: Viewer;
  /** Null if nobody is signed in. */
  currentUser: CurrentUser | null;
  /** Adds details to the audit entry of this request. */
  note: Note;
}>;

export type OwnContext = CurrentUser &
  Readonly<{
    /** Requires a second factor of this user; null if nothing does. */
    secondFactorRequiredBy: 'instance' | Team | null;
    /** Throws if since then the session has ended, role or workspaces have changed, or the path's form is out of reach. */
    requireAccess: () => Promise<void>;
  }>;

/**
 * The request as a handler gets it. Routes with access `self` also have `user` and `session`; routes with access
 * `read`, `edit` or `manage` also have `team` and `role`.
 */
export type PageContext<A extends Access = 'open'> = OpenContext &
  (A extends 'open' ? unknown : OwnContext) &
  (A extends 'open' | 'self' ? unknown : Membership);

type Answer = Promise<Page | Response> | Page | Response;

export type Handler<Context> = (page: Context, form: URLSearchParams) => Answer;

/** `wholeTeam` closes a route to members who see only some workspaces, `forOperator` to all but the instance's operators. */
type Closed = Readonly<{ wholeTeam: boolean; forOperator: boolean }>;

/** Access and audit action of a route. */
export type Declaration = Readonly<{ access: Access; audit: AuditAction | null }> & Closed;

/** A page or an action of the dashboard. `page()` and `action()` make them. */
export type DashboardRoute = Declaration &
  Readonly<{
    method: 'GET' | 'POST';
    path: string;
    handle: Handler<never>;
    /** Tells from the form if the session must have confirmed the password recently. */
    needsPassword: NeedsPassword<never>;
    /** The style and script of its pages, besides the common ones. */
    assets?: FeatureAssets;
  }>;

export type NeedsPassword<Context> = (form: URLSearchParams, page: Context) => boolean | Promise<boolean>;

/** Declares a page: a GET route that changes nothing. An export names its audit action and has a lower rate limit. */
export function page<A extends Access>(
  path: string,
  { access, audit, ...closed }: Readonly<{ access: A; audit?: AuditAction }> & Partial<Closed>,
  show: (page: PageContext<NoInfer<A>>) => Answer,
): DashboardRoute {
  const declared = { access, audit: audit ?? null, wholeTeam: false, forOperator: false, ...closed };
  return { method: 'GET', path, ...declared, handle: show, needsPassword: never };
}

/**
 * Declares an action: a POST from a form on our pages. Its handler gets the form's fields and answers with a
 * redirect, or with a page for wrong input. `audit` is null for actions without an entry. If `needsPassword` returns
 * true and the last password check is older than ten minutes, a page asks for the password first.
 */
export function action<A extends Access>(
  path: string,
  {
    needsPassword = never,
    ...declared
  }: Readonly<{ access: A; audit: AuditAction | null; needsPassword?: NeedsPassword<PageContext<NoInfer<A>>> }> &
    Partial<Closed>,
  act: (page: PageContext<NoInfer<A>>, form: URLSearchParams) => Answer,
): DashboardRoute {
  return { method: 'POST', path, wholeTeam: false, forOperator: false, ...declared, handle: act, needsPassword };
}

const never = () => false;

/** Adds a feature's style and script to the pages of its routes. */
export function withAssets(assets: FeatureAssets, routes: readonly DashboardRoute[]): readonly DashboardRoute[] {
  return routes.map((route) => ({ ...route, assets }));
}

/** Returns the viewer's current membership. Throws if they are in no team. */
export function requireMembership({ viewer }: PageContext): Membership {
  if (viewer.membership) return viewer.membership;
  throw new AppError('role_forbids', 'This account is in no team.');
}

/** Returns the form that the path names. Throws `not_found`. */
export const findForm = ({ context, param, team }: PageContext<'read'>) =>
  requireForm(context.store, param('formId'), team.id);

/** Throws if the form is from a page of another team: the user has switched in another tab since. */
export function requireSameTeam({ viewer: { membership } }: Pick<PageContext, 'viewer'>, form: URLSearchParams): void {
  if (form.get(TEAM_FIELD) === membership?.team.id) return;
  throw new AppError(
    'team_switched',
    'You switched to another team in another tab. Nothing was changed. Switch back and try again.',
  );
}

/** Returns the flash message that the query names with `done`; null for an unknown one. */
export function flash(texts: Readonly<Record<string, string>>, query: URLSearchParams): string | null {
  const word = query.get('done') ?? '';
  return Object.hasOwn(texts, word) ? (texts[word] ?? null) : null;
}

/** The page that signs in the user whom a trusted proxy names. */
export const PROXY_SIGN_IN = '/dashboard/sign-in/proxy';
