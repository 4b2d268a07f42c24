import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createApp } from '../../../src/app.ts';
import { toServerContext } from '../../../src/context/server-context.ts';
import { dashboardRoutes } from '../../../src/dashboard/index.ts';
import { ROLES, type Role } from '../../../src/domain/teams/roles.ts';
import { bodyOf, queryOf } from '../api/support.ts';
import { contentsOf } from '../dashboard/contents.ts';
import { DECLARED, mayUse } from '../dashboard/declarations.ts';
import { freshQuery, freshValues } from '../dashboard/fresh-values.ts';
import { startWorld, type World } from '../dashboard/world.ts';
import { CALLERS, type Caller, makeCallers } from './callers.ts';
import { CODES } from './codes.ts';

type Route = Readonly<{ name: string; method: string; path: string }>;

let world: World;
let callerOf: (name: string) => Promise<Caller>;
let routes: readonly Route[];

beforeAll(async () => {
  world = await startWorld();
  // Later mails fail, so that they can be retried.
  await world.smtp.stop();
  callerOf = await makeCallers(world);
  const { context } = world.instance;
  const inDashboard = dashboardRoutes(toServerContext(context)).routes;
  const others = createApp(context).routes.filter(({ path }) => !path.startsWith('/dashboard'));
  routes = [...others, ...inDashboard].map(({ method, path }) => ({
    // Asset paths contain a hash of the content.
    name: `${method} ${path.replace(/\/assets\/\w+\//, '/assets/:hash/')}`,
    method,
    path: path.replace('*', 'nothing-here'),
  }));
});
afterAll(() => world.stop());

const expected = (route: string, caller: string) => CODES[route]?.[CALLERS.indexOf(caller)] ?? 'none';

/** Returns the status, or `in` for a redirect to the sign-in or the second factor. */
function codeOf({ status, headers }: Response): string {
  const isLed = /^\/dashboard\/(?:sign-in|second-factor)(?:\?to=|$)/.test(headers.get('location') ?? '');
  return status === 303 && isLed ? 'in' : String(status);
}

/** Missing headers of all responses. */
const faults = new Set<string>();

/** Returns the security headers that a response lacks. Our own pages frame previews, and nothing else. */
function headerFaults(name: string, { headers }: Response): string[] {
  const policy = headers.get('content-security-policy') ?? '';
  const frames =
    name === 'GET /dashboard/forms/:formId/preview/:preview'
      ? /frame-ancestors '(none|self)'/
      : /frame-ancestors 'none'/;
  return [
    ...['default-src', 'base-uri'].filter((part) => !policy.includes(`${part} 'none'`)),
    ...(frames.test(policy) ? [] : ['frame-ancestors']),
    ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['nosniff']),
    ...(/^(?:no-referrer|same-origin)$/.test(headers.get('referrer-policy') ?? '') ? [] : ['referrer-policy']),
  ];
}

const isRefusal = (code: string) => ['401', '403', '404', 'in'].includes(code);
const isRole = (name: string): name is Role => ROLES.some((role) => role === name);

const isLimited = (name: string) => name === 'inner' || name === 'guest';

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** Sends a valid request for the route; `fresh` values replace those of the world. */
async function ask({ name, method, path }: Route, { headers, who }: Caller, fresh = {}, query = ''): Promise<Response> {
  const { url } = world.instance;
  const isApi = path.startsWith('/v1/') || path === '/mcp';
  const body = isApi
    ? path === '/mcp'
      ? '{"jsonrpc":"2.0","id":1,"method":"ping"}'
      : JSON.stringify(bodyOf(name, world.owner.workspaceId, world.pathOf(':submissionId', fresh)) ?? { name: 'Ada' })
    : new URLSearchParams({ team: world.owner.teamId, page_team: (await who?.team()) ?? '' });
  const answer = await fetch(url + world.pathOf(path, fresh) + (query || queryOf(name)), {
    method,
    redirect: 'manual',
    headers: { ...headers, Origin: new URL(url).origin, ...(isApi && JSON_HEADERS) },
    ...((method === 'POST' || method === 'PATCH') && { body }),
  });
  await answer.arrayBuffer();
  const found = headerFaults(name, answer);
  const isForSome = isRefusal(expected(name, 'nobody'));
  if (isForSome && answer.ok && answer.headers.get('cache-control') !== 'no-store') found.push('cache-control');
  for (const fault of found) faults.add(`${name} ${answer.status}: ${fault}`);
  return answer;
}

/** Sends a request of an authorized caller with objects created for it. */
async function askFresh(route: Route, caller: Caller): Promise<Response> {
  const who = caller.who ?? world.me;
  const path = route.method === 'DELETE' ? `${route.path}/delete` : route.path;
  return ask(route, caller, await freshValues(world, path, who), await freshQuery(world, path, who));
}

test('the table has exactly one row per route', () => {
  expect(routes.map(({ name }) => name).sort()).toEqual(Object.keys(CODES).sort());
  for (const [name, codes] of Object.entries(CODES)) expect([name, codes.length]).toEqual([name, CALLERS.length]);
});

test('the table agrees with the declared access', () => {
  const refused = (role: Role) => Object.keys(DECLARED).filter((name) => expected(name, role) === '403');
  for (const role of ROLES) {
    expect([role, refused(role)]).toEqual([role, Object.keys(DECLARED).filter((name) => !mayUse(role, name))]);
  }
});

test('unauthorized callers get the code of the table and change nothing', async () => {
  const wrong: string[] = [];
  const callers = new Map(await Promise.all(CALLERS.map(async (name) => [name, await callerOf(name)] as const)));
  const before = await contentsOf(world.instance);
  for (const route of routes) {
    for (const [name, caller] of callers) {
      const code = expected(route.name, name);
      if (!isRefusal(code)) continue;
      const found = codeOf(await ask(route, caller));
      if (found !== code) wrong.push(`${route.name} by ${name}: ${found}, not ${code}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await contentsOf(world.instance)).toEqual(before);
});

test.each(CALLERS)('%s gets the code of the table', async (name) => {
  const wrong: string[] = [];
  for (const route of routes) {
    const code = expected(route.name, name);
    if (isRefusal(code)) continue;
    const caller = await callerOf(name);
    const isOwn =
      isRole(name) || name === 'write' || (isLimited(name) && /:(?:token|sessionId|passkeyId)/.test(route.path));
    const found = codeOf(await (isOwn ? askFresh(route, caller) : ask(route, caller)));
    if (found !== code) wrong.push(`${route.name}: ${found}, not ${code}`);
  }
  expect(wrong).toEqual([]);
});

test('every response has the security headers and the right caching policy', () => {
  expect([...faults]).toEqual([]);
});
