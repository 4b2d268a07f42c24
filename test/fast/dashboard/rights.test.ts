import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ROLES, type Role } from '../../../src/domain/teams/roles.ts';
import { databaseOf } from '../../support/instance.ts';
import { mayUse } from './declarations.ts';
import { signIn } from './signed-in.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  // Mails of what comes from now on fail, and can be tried again.
  await world.smtp.stop();
});
afterAll(() => world.stop());

type Route = World['routes'][number];

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const actor = (role: Role) => signIn(world.instance, world.owner, {}, role);

test('roles give the access that routes declare, each more than the next', () => {
  const rights = (role: Role) => world.routes.map(nameOf).filter((name) => mayUse(role, name));
  const [owner, editor, viewer] = ROLES.map(rights);
  const ofOperators = world.routes.filter(({ path }) => path === '/dashboard/mail/server');
  expect(owner).toHaveLength(world.routes.length - ofOperators.length);
  expect(owner).toEqual(expect.arrayContaining(editor ?? []));
  expect(editor).toEqual(expect.arrayContaining(viewer ?? []));
  expect(editor).not.toContain('POST /dashboard/team/invitations');
  expect(editor).not.toContain('POST /dashboard/keys');
  expect(editor).toContain('POST /dashboard/submissions/:submissionId/delete');
  expect(
    viewer?.filter(
      (name) => name.startsWith('POST') && !/account|passkey|sign|token|reset|team|second|views|layout/.test(name),
    ),
  ).toEqual([]);
});

/** Only without a session or a limit, with passkeys, after an action, or for failed mails, a second team or a search to erase. */
const ELSEWHERE =
  /sign-in|passkey|password\/remove|welcome|reset|account\/email|second-factor|\/mail\/(?:retry|dismiss|:mailId\/recipient)|\/team\/(?:switch|new)|:erasureId|submissions\/undo/;
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
  for (const [, to = ''] of markup.matchAll(/ data-preview="([^"#]+)/g)) add('POST', to);
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
  await who.post('/dashboard/inbox/views', { name: 'Spam', list: 'part=spam' });
  // A note of one's own, and a submission in the trash.
  await who.post(world.pathOf('/dashboard/submissions/:submissionId/notes'), { text: 'Call back.' });
  const { store, clock } = world.instance.context;
  await world.instance.post(world.owner.form.id, { message: 'something to be deleted' });
  const newest = await store.submissions.list(world.owner.teamId, world.owner.form.id, { before: null, limit: 1 });
  const trashed = newest?.items[0]?.id ?? '';
  await store.trash.moveSubmissions([trashed], world.owner.teamId, clock());
  const addresses = new Set(['/dashboard/forms', `/dashboard/submissions/${trashed}`]);
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
  // With PostgreSQL, the key is in the settings: no page asks for a copy of it, and the steps of setting up are done.
  const isOfSteps = (route: string) => databaseOf(world.instance.dataDir) && /\/(key-copied|set-up)$/.test(route);
  expect(missing.filter((route) => !isOfSteps(route))).toEqual([]);
});
