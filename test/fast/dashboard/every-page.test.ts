import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { contentsOf } from './contents.ts';
import { DECLARED } from './declarations.ts';
import { freshValues } from './fresh-values.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** What anybody may ask for, signed in or not. */
const OPEN = [
  ...['/dashboard/sign-in', '/dashboard/passkey'],
  ...['/dashboard/welcome/:token', '/dashboard/reset', '/dashboard/reset/:token'],
];
/** What is no whole page: files, and parts that scripts ask for. */
const isPart = (path: string) =>
  /\/(?:files|images)\/|export\.|receipt\.|progress|\/dashboard\/passkey$|\/preview\/|inbox\/new$|:formId\/submissions\/new$/.test(
    path,
  );
/** Of the user rather than the team. */
const ONES_OWN = ['/dashboard/account/sessions/:sessionId/end'];

const pages = () => world.routes.filter(({ method }) => method === 'GET');
const actions = () => world.routes.filter(({ method }) => method === 'POST');

test('there are pages and actions, and no other methods', () => {
  expect(pages().length).toBeGreaterThan(20);
  expect(actions().length).toBeGreaterThan(15);
  expect(world.routes.length).toBe(pages().length + actions().length);
});

test('who is not signed in is led to sign in by every page and action but those for them', async () => {
  const { url } = world.instance;
  const led: string[] = [];
  for (const { method, path } of world.routes) {
    const headers = { Origin: new URL(url).origin };
    const answer = await fetch(url + world.pathOf(path), { method, headers, redirect: 'manual' });
    const isLed = answer.headers.get('location')?.startsWith('/dashboard/sign-in') ?? false;
    if (isLed) expect(answer.status).toBe(303);
    else if (path !== '/dashboard/sign-out') expect(OPEN).toContain(path);
    if (isLed) led.push(path);
  }
  for (const path of OPEN) expect(led).not.toContain(path);
});

describe('what is another team’s', () => {
  test('is not there, on every page', async () => {
    for (const { path } of pages().filter(({ path }) => path.includes(':') && !OPEN.includes(path))) {
      const answer = await world.stranger.get(world.pathOf(path));
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  test('is not there for any action either, and nothing changes', async () => {
    const before = contentsOf(world.instance);
    for (const { path } of actions().filter(({ path }) => path.includes(':') && !OPEN.includes(path))) {
      const answer = await world.stranger.post(world.pathOf(path), { name: 'Taken', confirmed: 'yes' });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect(contentsOf(world.instance)).toEqual(before);
  });

  test('nor is it on the pages of lists', async () => {
    const { form, workspaceId } = world.owner;
    for (const { path } of pages().filter(({ path }) => !path.includes(':') && !OPEN.includes(path))) {
      const answer = await world.stranger.get(path);
      const markup = await answer.text();
      for (const id of [form.id, form.shortId, workspaceId]) expect(markup).not.toContain(id);
    }
    expect(ONES_OWN.every((path) => world.routes.some((route) => route.path === path))).toBe(true);
  });
});

test('an action that comes from another site is refused, and nothing changes', async () => {
  const before = contentsOf(world.instance);
  for (const { path } of actions()) {
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: new URL(world.instance.url).origin, 'Sec-Fetch-Site': 'cross-site' },
      { Origin: new URL(world.instance.url).origin, 'Sec-Fetch-Site': 'same-site' },
    ]) {
      const answer = await world.me.post(world.pathOf(path), { name: 'Taken' }, headers);
      expect([path, answer.status]).toEqual([path, 403]);
    }
  }
  expect(contentsOf(world.instance)).toEqual(before);
});

test('no page changes a row; an export alone leaves its entry in the audit', async () => {
  // What was used last is noted in memory and written by a job, which is not the page's doing.
  const { audit: before, ...others } = contentsOf(world.instance);
  for (const { path } of pages()) await (await world.me.get(world.pathOf(path))).arrayBuffer();
  const { audit: after, ...othersAfter } = contentsOf(world.instance);
  expect(othersAfter).toEqual(others);
  const recorded = (after ?? []).toSorted((a, b) => Number(a.id) - Number(b.id)).slice(before?.length);
  const exports = pages().flatMap(({ path }) => DECLARED[`GET ${path}`]?.audit ?? []);
  expect(exports.length).toBeGreaterThan(2);
  expect(recorded.map(({ action }) => action)).toEqual(exports);
});

test('every form that posts carries the team of its page', async () => {
  let forms = 0;
  for (const { path } of pages().filter(({ path }) => !isPart(path))) {
    const markup = await world.me.page(world.pathOf(path)).catch(() => '');
    for (const [form] of markup.matchAll(/<form[^>]*method="post".*?<\/form>/gs)) {
      forms += 1;
      expect(form.match(/name="page_team" value="([^"]+)"/g)).toEqual([
        `name="page_team" value="${world.owner.teamId}"`,
      ]);
    }
  }
  expect(forms).toBeGreaterThan(40);
});

test('every page is small, allows no script or style but its own files, and is kept by no one', async () => {
  const nonces = new Set<string | undefined>();
  // A page asks about a mail that failed.
  await world.smtp.stop();
  for (const { path } of pages().filter(({ path }) => !isPart(path))) {
    const values = path.startsWith('/dashboard/mail/:mailId') ? await freshValues(world, path, world.me) : {};
    const answer = await world.me.get(world.pathOf(path, values), { 'Accept-Encoding': 'identity' });
    const markup = await answer.text();
    if (answer.status === 303) continue;
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const [, scripts = '', nonce] = /script-src ('nonce-([\w-]{36})')$/.exec(policy) ?? [];
    expect(scripts).not.toBe('');
    for (const script of markup.match(/<script[^>]*>/g) ?? []) expect(script).toContain(` nonce="${nonce}"`);
    expect(nonces.has(nonce)).toBe(false);
    nonces.add(nonce);
    expect(markup).not.toMatch(/<[^>]+\s(?:style|on[a-z]+)=/i);
    const assets = Array.from(
      markup.matchAll(/(?:href|src)="(\/dashboard\/assets\/[^"]+)"/g),
      ([, asset = '']) => asset,
    );
    let bytes = 0;
    const sizes = await Promise.all(
      assets.map(async (asset) => {
        const source = await (await world.me.get(asset)).arrayBuffer();
        bytes += source.byteLength;
        return Bun.gzipSync(source).length;
      }),
    );
    const total = Bun.gzipSync(markup).length + sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThan(50_000);
    expect(bytes).toBeLessThanOrEqual(61_440);
  }
});
