import { afterAll, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { settle } from '../dashboard/visitor.ts';

const instance = await startInstance({ env: { TRUSTED_PROXIES: '127.0.0.0/8', POSTS_PER_MINUTE: '1' } });
afterAll(instance.stop);

const signIn = (headers: Record<string, string>) => fetch(`${instance.url}/dashboard/sign-in`, { headers });

// The rest of a header is not parsed, as the parsers take milliseconds for one as long as the server accepts.
test('Accept-Language counts up to 500 characters', async () => {
  const languageOf = async (before: string) => {
    const answer = await signIn({ 'Accept-Language': `${before}de` });
    return /<html lang="(\w+)"/.exec(await answer.text())?.[1];
  };
  expect(await languageOf('xx,'.repeat(100))).toBe('de');
  expect(await languageOf('xx,'.repeat(200))).toBe('en');
});

test('Accept-Encoding counts up to 500 characters', async () => {
  const encodingOf = async (before: string) => {
    const answer = await signIn({ 'Accept-Encoding': `${before}gzip` });
    await answer.arrayBuffer();
    return answer.headers.get('content-encoding');
  };
  expect([await encodingOf('xx,'.repeat(100)), await encodingOf('xx,'.repeat(200))]).toEqual(['gzip', null]);
});

test('Accept counts up to 500 characters', async () => {
  const typeOf = async (before: string) => {
    const url = `${instance.url}/v1/forms/none/submissions`;
    const answer = await fetch(url, { method: 'POST', headers: { Accept: `${before}text/html` }, body: 'a=b' });
    await answer.arrayBuffer();
    return answer.headers.get('content-type');
  };
  expect(await typeOf('x/y,'.repeat(100))).toContain('text/html');
  expect(await typeOf('x/y,'.repeat(200))).toBe('application/json');
});

test('User-Agent counts up to 500 characters', async () => {
  const { user, browser } = await settle(instance);
  const signedIn = (agent: string) =>
    browser.post(
      '/dashboard/sign-in',
      { email: user.email, password: 'correct horse battery' },
      { 'User-Agent': agent },
    );
  await signedIn(`${'Version/1 '.repeat(1_000)}Firefox/1 Safari/1`);
  const [session] = await instance.context.store.sessions.list(user.id, 1);
  expect(session?.browser).toBe('');
});

test('X-Forwarded-For counts up to 20 addresses from the right', async () => {
  const statusOf = async (hops: number, client: string) => {
    const chain = [client, ...Array<string>(hops).fill('127.0.0.2')].join(', ');
    const { form } = instance.owner;
    return (await instance.post(form.id, { a: 'b' }, { 'X-Forwarded-For': chain })).status;
  };
  expect([await statusOf(19, '192.0.2.1'), await statusOf(19, '192.0.2.2')]).toEqual([200, 200]);
  expect([await statusOf(20, '192.0.2.3'), await statusOf(20, '192.0.2.4')]).toEqual([200, 429]);
});
