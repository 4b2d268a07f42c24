import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createApp } from '../../src/app.ts';
import { mayUse, RIGHT_OF, ROLES, type Role } from '../../src/domain/rights.ts';
import { createInvitation, createResetLink } from '../../src/services/accounts.ts';
import { hashToken } from '../../src/services/sessions.ts';
import { contentsOf } from './contents.ts';
import { type SignedIn, signIn } from './signed-in.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  // Mails of what comes from now on fail, and can be tried again.
  await world.smtp.stop();
});
afterAll(() => world.stop());

type Route = World['routes'][number];
type Wrong = readonly [who: string, route: string, status: number, to: string | null];

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const rightOf = (route: Route) => RIGHT_OF[nameOf(route)];
const actor = (role: Role) => signIn(world.instance, world.owner, {}, role);
const use = (who: SignedIn, { method }: Route, path: string, fields = {}) =>
  method === 'GET' ? who.get(path) : who.post(path, fields);
/** Open, and of use only to those who are signed in, or have begun to be. */
const LEADS_TO_SIGN_IN = ['/dashboard/sign-out', '/dashboard/second-factor'];
const isLedToSignIn = (answer: Response) =>
  answer.headers.get('location')?.startsWith('/dashboard/sign-in?to=') === true;

/** What a request may need and may use up, made for that request alone. */
async function freshValues({ path }: Route, who: SignedIn): Promise<Record<string, string>> {
  const { instance, owner } = world;
  const { context } = instance;
  const values: Record<string, string> = {};
  if (path.includes(':sessionId')) values.sessionId = (await context.store.listSessions(who.user.id, 1))[0]?.id ?? '';
  if (path.includes(':userId')) values.userId = (await actor('viewer')).user.id;
  if (path.includes(':keyId')) values.keyId = (await instance.makeKey(owner)).id;
  if (path.includes('/reset/:token')) values.token = (await createResetLink(context, who.user.id)).token;
  else if (/:(?:token|invitationId)/.test(path)) {
    const { token } = await createInvitation(context, { teamId: owner.teamId, role: 'viewer', email: null });
    Object.assign(values, { token, invitationId: hashToken(token) });
  }
  if (/submissionId\/delete|:mailId/.test(path)) {
    await instance.post(owner.form.id, { message: 'once more' });
    const [submission] =
      (await context.store.listSubmissions(owner.teamId, owner.form.id, { before: null, limit: 1 })) ?? [];
    values.submissionId = submission?.id ?? '';
  }
  if (path.includes(':erasureId')) {
    await instance.post(owner.form.id, { email: 'gone@example.com' });
    const search = await who.post('/dashboard/erase', { address: 'gone@example.com' });
    values.erasureId = search.headers.get('location')?.split('/').at(-1) ?? '';
    if (path.endsWith('receipt.json')) await who.post(world.pathOf('/dashboard/erase/:erasureId/delete', values));
  }
  for (let left = 200; path.includes(':mailId') && values.mailId === undefined && left > 0; left--) {
    const [mail] = await context.store.listMailsOf(values.submissionId ?? '');
    if (mail?.state === 'retrying') values.mailId = mail.id;
    else await Bun.sleep(10);
  }
  return values;
}

/** What stands behind a path so that there is something. */
async function queryOf({ path }: Route, who: SignedIn): Promise<string> {
  if (!path.endsWith('/export/progress')) return '';
  const run = `?run=${crypto.randomUUID().replaceAll('-', '')}`;
  await (await who.get(world.pathOf(path.replace('/progress', '.csv')) + run)).arrayBuffer();
  return run;
}

test('every page and action of the dashboard has a row in the table, and every row a page or an action', () => {
  const { routes } = createApp(world.instance.context);
  const own = routes.filter(({ path }) => path.startsWith('/dashboard') && !path.includes('/assets/'));
  expect(own.map(nameOf).sort()).toEqual(Object.keys(RIGHT_OF).sort());
});

test('roles bring what the table of rights says, each more than the next', () => {
  const rights = (role: Role) => world.routes.map(nameOf).filter((name) => mayUse(role, name));
  const [owner, editor, viewer] = ROLES.map(rights);
  expect(owner).toHaveLength(world.routes.length);
  expect(owner).toEqual(expect.arrayContaining(editor ?? []));
  expect(editor).toEqual(expect.arrayContaining(viewer ?? []));
  expect(editor).not.toContain('POST /dashboard/team/invitations');
  expect(editor).not.toContain('POST /dashboard/keys');
  expect(editor).toContain('POST /dashboard/submissions/:submissionId/delete');
  expect(
    viewer?.filter((name) => name.startsWith('POST') && !/account|sign|token|reset|team|second/.test(name)),
  ).toEqual([]);
});

test.each(ROLES)('an %s gets every page and action that the table gives them', async (role) => {
  const wrong: Wrong[] = [];
  for (const route of world.routes) {
    if (!mayUse(role, nameOf(route))) continue;
    const who = await actor(role);
    const path = world.pathOf(route.path, await freshValues(route, who));
    const answer = await use(who, route, path + (await queryOf(route, who)), { team: world.owner.teamId });
    const isWrong = [403, 404].includes(answer.status) || answer.status >= 500 || isLedToSignIn(answer);
    if (isWrong) wrong.push([role, nameOf(route), answer.status, answer.headers.get('location')]);
    await answer.arrayBuffer();
  }
  expect(wrong).toEqual([]);
});

test('what the table does not give them is refused to viewers and editors, and nothing changes', async () => {
  const wrong: Wrong[] = [];
  const people = { viewer: await actor('viewer'), editor: await actor('editor') };
  const before = await contentsOf(world.instance);
  let refused = 0;
  for (const role of ['viewer', 'editor'] as const) {
    for (const route of world.routes) {
      if (mayUse(role, nameOf(route))) continue;
      const { status } = await use(people[role], route, world.pathOf(route.path));
      if (status !== 403) wrong.push([role, nameOf(route), status, null]);
      refused++;
    }
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(30);
  expect(await contentsOf(world.instance)).toEqual(before);
});

test('who is not signed in gets what is open and is led to sign in by the rest, and nothing changes', async () => {
  const { url } = world.instance;
  const wrong: Wrong[] = [];
  const before = await contentsOf(world.instance);
  for (const route of world.routes) {
    const isOpen = rightOf(route) === 'open' && !LEADS_TO_SIGN_IN.includes(route.path);
    const headers = { Origin: new URL(url).origin };
    const answer = await fetch(url + world.pathOf(route.path), { method: route.method, headers, redirect: 'manual' });
    const to = answer.headers.get('location');
    const isLed = answer.status === 303 && to?.startsWith('/dashboard/sign-in') === true;
    if (isLed === isOpen || answer.status >= 500) wrong.push(['nobody', nameOf(route), answer.status, to]);
  }
  expect(wrong).toEqual([]);
  expect(await contentsOf(world.instance)).toEqual(before);
});

test('for an owner of another team nothing of this one is there, and nothing changes', async () => {
  const wrong: Wrong[] = [];
  const named = world.routes.filter((route) => route.path.includes(':') && rightOf(route) !== 'open');
  const before = await contentsOf(world.instance);
  for (const route of named) {
    const { status } = await use(world.stranger, route, world.pathOf(route.path));
    if (status !== 404) wrong.push(['stranger', nameOf(route), status, null]);
  }
  expect(wrong).toEqual([]);
  expect(named.length).toBeGreaterThan(25);
  expect(await contentsOf(world.instance)).toEqual(before);
});

test('a table without a row gives a route to nobody', () => {
  for (const role of ROLES) expect(mayUse(role, 'GET /dashboard/of-tomorrow')).toBe(false);
});

/** Only for those who are not signed in, or for what this world does not have: dead mails, a second team, a search to erase. */
const ELSEWHERE = /sign-in|welcome|reset|second-factor|\/mail\/retry|\/team\/switch|:erasureId/;
/** Lists lead to each other under many addresses. */
const MOST_PAGES = 300;

/** The routes that links and forms of a page lead to, with the address of each. */
function offersOf(markup: string, address: string): ReadonlyArray<readonly [route: string, address: string]> {
  const offers: Array<readonly [string, string]> = [];
  const add = (method: string, to: string) => {
    const { pathname, search } = new URL(to.replaceAll('&amp;', '&'), `http://here.invalid${address}`);
    if (!pathname.startsWith('/dashboard') || pathname.includes('/assets/')) return;
    const fits = world.routes
      .filter((route) => route.method === method)
      .filter(({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(pathname))
      .sort((one, other) => one.path.split(':').length - other.path.split(':').length);
    offers.push([fits[0] ? nameOf(fits[0]) : `${method} ${pathname}`, pathname + search]);
  };
  for (const [, to = ''] of markup.matchAll(/<a [^>]*?href="([^"#]+)/g)) add('GET', to);
  for (const [, attributes = '', fields = ''] of markup.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const method = attributes.includes('method="post"') ? 'POST' : 'GET';
    add(method, /action="([^"#]*)/.exec(attributes)?.[1] ?? address);
    for (const [, to = ''] of fields.matchAll(/ formaction="([^"#]+)/g)) add(method, to);
  }
  return offers;
}

test.each(ROLES)('the pages offer an %s all that the table gives them, and nothing else', async (role) => {
  const who = await actor(role);
  await world.instance.post(world.owner.form.id, { message: 'something to be read' });
  const addresses = new Set(['/dashboard/forms']);
  const offered = new Set<string>();
  for (const address of addresses) {
    const answer = await who.get(address);
    // What was deleted may still be linked to, as from the record of what was done.
    if (answer.status !== 404) expect([role, address, answer.status]).toEqual([role, address, 200]);
    const isPage =
      answer.headers.get('content-type')?.startsWith('text/html') && !answer.headers.has('content-disposition');
    const markup = await answer.text();
    for (const [route, to] of isPage ? offersOf(markup, address) : []) {
      offered.add(route);
      if (route.startsWith('GET') && route !== 'GET /dashboard' && addresses.size < MOST_PAGES) addresses.add(to);
    }
  }
  const forbidden = [...offered].filter((route) => !mayUse(role, route));
  expect(forbidden).toEqual([]);
  const actions = world.routes.filter((route) => route.method === 'POST' && !ELSEWHERE.test(route.path)).map(nameOf);
  const missing = actions.filter((route) => mayUse(role, route) && !offered.has(route));
  expect(missing).toEqual([]);
});
