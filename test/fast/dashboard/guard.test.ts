import { afterAll, beforeAll, expect, test } from 'bun:test';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { signIn } from './signed-in.ts';

const DE = CATALOG.textsIn('de');

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(() => instance.stop());

const ask = (path: string, options: RequestInit = {}) => fetch(instance.url + path, { redirect: 'manual', ...options });

test('who is not signed in is led to sign in, and back afterwards', async () => {
  const answer = await ask('/dashboard/forms?x=1');
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/dashboard/sign-in?to=%2Fdashboard%2Fforms%3Fx%3D1');
  const home = await ask('/');
  expect(home.headers.get('location')).toBe('/dashboard');
});

test('an unknown page is a page that says so', async () => {
  const me = await signIn(instance, instance.owner);
  const answer = await me.get('/dashboard/nothing-here');
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await answer.text()).toContain('<h1>Page not found</h1>');
  const german = await me.get('/dashboard/nothing-here', { 'Accept-Language': 'de-CH, en;q=0.5' });
  expect(await german.text()).toContain('<html lang="de">');
});

test('what goes wrong is said in the language of the reader', async () => {
  const me = await signIn(instance, instance.owner, { language: 'de' });
  const answers = await Promise.all([
    me.post('/dashboard/submissions', {}, { Origin: 'https://evil.example' }),
    me.post('/dashboard/submissions', { list: 'x'.repeat(600_000) }),
    me.get('/dashboard/inbox?before=yesterday'),
  ]);
  const said = await Promise.all(answers.map(async (answer) => /<\/h1><p>([^<]*)</.exec(await answer.text())?.[1]));
  const { origin_not_allowed, body_too_large, invalid_input } = DE.failure.codes;
  expect(said).toEqual([origin_not_allowed, body_too_large, invalid_input]);
});

test('the style and the script are kept for good and compressed', async () => {
  const me = await signIn(instance, instance.owner);
  const markup = await (await me.get('/dashboard/nothing-here')).text();
  const addresses = Array.from(
    markup.matchAll(/(?:href|src)="(\/dashboard\/assets\/[^"]+)"/g),
    ([, path = '']) => path,
  );
  expect(addresses).toHaveLength(2);
  for (const path of addresses) {
    const asset = await ask(path);
    expect(asset.status).toBe(200);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect((await asset.text()).length).toBeGreaterThan(500);
  }
});
