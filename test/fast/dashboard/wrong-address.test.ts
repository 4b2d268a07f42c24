import { afterAll, describe, expect, test } from 'bun:test';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import { startInstance } from '../../support/instance.ts';
import { signIn } from './signed-in.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { failure } = CATALOG.textsIn('en');
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

async function get(path: string, headers: Record<string, string>) {
  const answer = await fetch(instance.url + path, { headers, redirect: 'manual' });
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
}

describe('an unknown address', () => {
  test.each(['/nope', '/a/b', '/dashboard/nope', '/api/nope'])('%s is a page in a browser', async (path) => {
    const { status, type, text } = await get(path, { accept: HTML });
    expect([status, type]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain(`<h1>${failure.notFound}</h1>`);
    expect(text).not.toMatch(/<(?:style|script)[ >](?!src)|style=/);
  });

  test('is German for who reads German', async () => {
    const { text } = await get('/nope', { accept: HTML, 'accept-language': 'de' });
    expect(text).toContain(CATALOG.textsIn('de').failure.notFound);
  });

  test.each(['*/*', 'application/json', ''])('is JSON for clients that accept %p', async (accept) => {
    const { status, type, text } = await get('/nope', { accept });
    expect([status, type.split(';')[0]]).toEqual([404, 'application/json']);
    expect(text).toContain('"success":false');
  });

  test('keeps the navigation under the dashboard', async () => {
    const me = await signIn(instance, instance.owner);
    const answer = await me.get('/dashboard/nope');
    const text = await answer.text();
    expect(answer.status).toBe(404);
    expect(text).toContain('href="/dashboard/inbox"');
    expect(text).toContain(failure.notFound);
  });
});

test('a page without access says so', async () => {
  const viewer = await signIn(instance, instance.owner, {}, 'viewer');
  const answer = await viewer.get('/dashboard/keys');
  expect(answer.status).toBe(403);
  const text = await answer.text();
  expect(text).toContain(`<h1>${failure.forbidden}</h1>`);
  expect(text).not.toContain(failure.title);
});
