import type { Role } from '../../../src/domain/teams/roles.ts';
import type { User } from '../../../src/domain/users/user.ts';
import { newId } from '../../../src/lib/ids.ts';
import { hashToken, newToken, startSession } from '../../../src/services/users/sessions.ts';
import type { Instance, Owner } from '../../support/instance.ts';

/** Someone signed in to the dashboard of an instance, as their browser asks for pages. */
export type SignedIn = Readonly<{
  user: User;
  /** The id of the team that pages show; empty without one. */
  team: () => Promise<string>;
  /** The cookie of the session, as `name=value`. */
  cookie: string;
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** The markup of a page, which must be there. */
  page: (path: string, headers?: Record<string, string>) => Promise<string>;
  /** Posts what a form on a page would; redirects are not followed. */
  post: (
    path: string,
    fields?: Record<string, string | readonly string[]>,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}>;

let count = 0;

/** Makes an account in the owner's team, without the pages that do so. Its password is `PASSWORD`. */
export async function makeAccount(
  { context: { store, clock } }: Pick<Instance, 'context'>,
  { teamId }: Pick<Owner, 'teamId'>,
  settings: Partial<Pick<User, 'email' | 'language' | 'timeZone'>> = {},
  role: Role = 'owner',
): Promise<User> {
  const now = clock();
  const email = `owner${++count}@example.com`;
  const user = {
    id: newId('usr'),
    email,
    name: null,
    theme: null,
    language: null,
    timeZone: null,
    createdAt: now,
    ...settings,
  };
  const link = newToken();
  const expiresAt = now + 60_000_000;
  await store.users.createLink(hashToken(link), {
    teamId,
    userId: null,
    role,
    email: null,
    newEmail: null,
    createdBy: null,
    createdAt: now,
    expiresAt,
  });
  await store.users.createByLink(hashToken(link), user, await PASSWORD_HASH);
  return user;
}

/** The same, and signs it in, without the page that does so. */
export async function signIn(
  { url, context }: Pick<Instance, 'url' | 'context'>,
  owner: Pick<Owner, 'teamId'>,
  settings: Partial<Pick<User, 'email' | 'language' | 'timeZone'>> = {},
  role: Role = 'owner',
): Promise<SignedIn> {
  const user = await makeAccount({ context }, owner, settings, role);
  const secret = await startSession(context, user, { address: '127.0.0.x', browser: 'Test' });
  const own = { Cookie: `formstead_session=${secret}`, Accept: 'text/html' };
  const get: SignedIn['get'] = (path, headers = {}) =>
    fetch(url + path, { redirect: 'manual', headers: { ...own, ...headers } });
  const team = async () => {
    const session = await context.store.sessions.find(hashToken(own.Cookie.slice(own.Cookie.indexOf('=') + 1)));
    const teams = (await context.store.users.listMemberships(user.id)).map(({ team: { id } }) => id);
    return teams.find((id) => id === session?.session.teamId) ?? teams[0] ?? '';
  };
  return {
    user,
    team,
    get cookie() {
      return own.Cookie;
    },
    get,
    page: async (path, headers) => {
      const answer = await get(path, headers);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.text();
    },
    post: async (path, fields = {}, headers = {}) => {
      const body = new URLSearchParams();
      for (const [name, value] of Object.entries({ page_team: await team(), ...fields })) {
        for (const one of [value].flat()) body.append(name, one);
      }
      const answer = await fetch(url + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...own, Origin: new URL(url).origin, ...headers },
        body,
      });
      // A password given once more renews the session.
      const renewed = answer.headers.getSetCookie().find((set) => /^formstead_session=[^;]/.test(set));
      if (renewed) own.Cookie = renewed.split(';', 1)[0] ?? '';
      return answer;
    },
  };
}

/** Gives a user a passkey that no device has. Returns its id. */
export async function makePasskey({ context: { store, clock } }: Pick<Instance, 'context'>, userId: string) {
  const id = newId('pky');
  const times = { createdAt: clock(), lastUsedAt: clock() };
  const passkey = { id, userId, credentialId: newToken(), publicKey: '', counter: 0, name: 'Laptop', ...times };
  await store.passkeys.add(passkey, { id: newToken(), expiresAt: clock() });
  return id;
}

export const PASSWORD = 'correct horse battery';

/** As weak as can be, for speed. */
const PASSWORD_HASH = Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 });
