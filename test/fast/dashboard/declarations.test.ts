import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createApp } from '../../../src/app.ts';
import { getDeclaration } from '../../../src/dashboard/runner.ts';
import { DECLARED, pagesAndActions } from './declarations.ts';
import { signIn } from './signed-in.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

test('page() or action() made every route of the dashboard, with the access and the audit action of the table', () => {
  const routes = pagesAndActions(world.instance.context);
  const found = routes.map(({ method, path, handler }) => [`${method} ${path}`, getDeclaration(handler)] as const);
  expect(Object.fromEntries(found)).toEqual(DECLARED);
  expect(found.length).toBe(Object.keys(DECLARED).length);
});

test('the application itself only hands requests to the dashboard', () => {
  const { routes } = createApp(world.instance.context);
  const led = routes.filter(({ path }) => path.startsWith('/dashboard')).map(({ method, path }) => `${method} ${path}`);
  expect(led).toEqual(['GET /dashboard', 'ALL /dashboard/*']);
});

test('a request looks up its session once, and a request without a cookie not at all', async () => {
  const { context } = world.instance;
  let lookups = 0;
  const { store } = context;
  const find: typeof store.sessions.find = (hash) => {
    lookups++;
    return store.sessions.find(hash);
  };
  const app = createApp({ ...context, store: { ...store, sessions: { ...store.sessions, find } } });
  const origin = 'http://localhost';
  const ask = async (method: string, path: string, cookie: string | null) => {
    lookups = 0;
    const body = method === 'POST' ? new URLSearchParams({ name: '' }) : null;
    const length = body && { 'Content-Length': String(body.toString().length) };
    const headers = { Origin: origin, Host: 'localhost', ...length, ...(cookie && { Cookie: cookie }) };
    const answer = await app.handle(new Request(origin + path, { method, headers, body }));
    await answer.arrayBuffer();
    return lookups;
  };
  for (const { method, path } of world.routes) {
    const address = world.pathOf(path);
    expect([method, path, await ask(method, address, null)]).toEqual([method, path, 0]);
    const { cookie } = await signIn(world.instance, world.owner);
    expect([method, path, await ask(method, address, cookie)]).toEqual([method, path, 1]);
  }
});
