import { afterAll, describe, expect, spyOn, test } from 'bun:test';
import { loadConfig } from '../../../src/config/config.ts';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import { startInstance } from '../../support/instance.ts';
import { exchange } from '../visitor/wire.ts';
import { signIn } from './signed-in.ts';
import { visitor } from './visitor.ts';

const DE = CATALOG.textsIn('de');

const EN = CATALOG.textsIn('en');

const instance = await startInstance({ env: { PAGES_PER_MINUTE: '40', TRUSTED_PROXIES: '127.0.0.1' } });
// The clock that rates go by stands still, however long the requests of a test take.
const clock = spyOn(performance, 'now').mockReturnValue(performance.now());
afterAll(async () => {
  clock.mockRestore();
  await instance.stop();
});

/** What so many requests at once are answered with, counted. */
async function statuses(count: number, ask: () => Promise<Response>): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: count }, ask));
  const all = answers.map(({ status }) => status);
  return Object.fromEntries(all.map((status) => [status, all.filter((one) => one === status).length]));
}

test('the rate is 600 unless set', () => {
  expect(loadConfig({}).pagesPerMinute).toBe(600);
});

describe('a session', () => {
  test('is limited across pages and actions, with Retry-After', async () => {
    const me = await signIn(instance, instance.owner);
    expect(await statuses(30, () => me.get('/dashboard/team'))).toEqual({ 200: 30 });
    const prefer = () => me.post('/dashboard/account/preferences', { language: 'en' });
    expect(await statuses(20, prefer)).toEqual({ 303: 10, 429: 10 });
    const refused = await me.get('/dashboard/team');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^[1-9]\d?$/)]);
    expect(await refused.text()).toContain(EN.failure.codes.rate_limited);
    expect((await me.post('/dashboard/forms/new', { name: 'One more' })).status).toBe(429);
  });

  test('gets the error in German', async () => {
    const me = await signIn(instance, instance.owner, { language: 'de' });
    await statuses(40, () => me.get('/dashboard/team'));
    expect(await (await me.get('/dashboard/team')).text()).toContain(DE.failure.codes.rate_limited);
  });

  test('can still sign out, and does not limit other sessions or the API', async () => {
    const [me, other] = [await signIn(instance, instance.owner), await signIn(instance, instance.owner)];
    expect(await statuses(60, () => me.get('/dashboard/team'))).toEqual({ 200: 40, 429: 20 });
    expect((await other.get('/dashboard/team')).status).toBe(200);
    expect((await instance.api('GET', '/v1/usage', { key: instance.owner.readKey })).status).toBe(200);
    expect((await me.post('/dashboard/sign-out')).status).toBe(303);
    expect((await me.get('/dashboard/team')).status).toBe(303);
  });

  test.each(['csv', 'xlsx', 'jsonl', 'zip'])('has a lower limit for exports: %s', async (format) => {
    const me = await signIn(instance, instance.owner);
    const download = async () => {
      const answer = await me.get(`/dashboard/forms/${instance.owner.form.id}/export.${format}`);
      await answer.arrayBuffer();
      return answer;
    };
    expect(await statuses(5, download)).toEqual({ 200: 2, 429: 3 });
    expect((await me.get(`/dashboard/forms/${instance.owner.form.id}/export`)).status).toBe(200);
  });
});

describe('a client without a session', () => {
  const openPost = (client: string, length: number, body: string) => {
    const { host, origin } = new URL(instance.url);
    const lines = [`Host: ${host}`, `Origin: ${origin}`, `X-Forwarded-For: ${client}`, `Content-Length: ${length}`];
    const head = ['POST /dashboard/sign-in HTTP/1.1', ...lines, 'Connection: close', 'Accept: text/html', '', ''];
    return exchange(instance, head.join('\r\n') + body);
  };

  test('may post a tenth, and is refused with a page before the body is read', async () => {
    const browser = visitor(instance, { 'X-Forwarded-For': '192.0.2.1' });
    expect(await statuses(4, () => browser.post('/dashboard/sign-in'))).toEqual({ 400: 4 });
    const refused = await openPost('192.0.2.1', 1000, '');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^[1-9]\d?$/)]);
    expect(await refused.text()).toContain(EN.failure.codes.rate_limited);
    expect((await browser.post('/dashboard/reset')).status).toBe(429);
    expect((await browser.get('/dashboard/sign-in')).status).toBe(200);
    expect((await openPost('192.0.2.2', 2, 'a=')).status).toBe(400);
  });

  test('may send 16 KiB; more is refused before it is read', async () => {
    const KiB = 1024;
    expect((await openPost('192.0.2.3', 16 * KiB, 'a'.repeat(16 * KiB))).status).toBe(400);
    expect((await openPost('192.0.2.3', 16 * KiB + 1, '')).status).toBe(413);
    const me = await signIn(instance, instance.owner);
    const large = { language: 'en', more: 'a'.repeat(17 * KiB) };
    expect((await me.post('/dashboard/account/preferences', large)).status).toBe(303);
  });
});

test('0 turns the limits off', async () => {
  const open = await startInstance();
  const me = await signIn(open, open.owner);
  expect(await statuses(100, () => me.get('/dashboard/team'))).toEqual({ 200: 100 });
  const browser = visitor(open);
  expect(await statuses(100, () => browser.post('/dashboard/sign-in'))).toEqual({ 400: 100 });
  await open.stop();
});
