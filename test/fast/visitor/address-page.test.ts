import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';

const instance = await startInstance();
afterAll(instance.stop);

const { form } = instance.owner;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const FIELDS = [{ name: 'email', label: 'Email', type: 'email', required: true }];

function open(id: string, headers: Record<string, string> = {}) {
  const url = `${instance.url}/v1/forms/${id}/submissions`;
  return fetch(url, { headers: { Accept: BROWSER, ...headers }, redirect: 'manual' });
}

describe('a browser that opens the address of a form', () => {
  test.each([form.id, form.shortId])('gets a page with status 401 that explains it: %s', async (id) => {
    const answer = await open(id);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    expect(page).toContain('<h1>This is the address of a form</h1>');
    expect(page).toContain(`action=&quot;${instance.url}/v1/forms/${form.shortId}/submissions&quot;`);
    expect(page).toContain('href="/docs/connect-forms"');
    expect(answer.headers.get('content-security-policy')).toStartWith("default-src 'none'; style-src 'sha256-");
    expect([answer.headers.get('x-robots-tag'), answer.headers.get('cache-control')]).toEqual(['noindex', 'no-store']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('learns nothing private about it', async () => {
    const settings = { name: 'Internal 7', publicName: 'Harps', notify: ['ada@example.com'] };
    const page = await (await open((await instance.makeForm(instance.owner, settings)).id)).text();
    expect(page).not.toMatch(/Internal|Harps|ada@|team_|wsp_|frm_/);
  });

  test("reads it in the browser's language", async () => {
    expect(await (await open(form.id, { 'Accept-Language': 'de' })).text()).toContain('Adresse eines Formulars');
  });

  test('is led to the hosted page if there is one', async () => {
    const hosted = await instance.makeForm(instance.owner, { hasHostedPage: true, fields: FIELDS });
    const answer = await open(hosted.id);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/f/${hosted.shortId}`]);
  });

  test.each(['nothere2', '%3Cscript%3E', 'frm_0'])('gets a page with status 404 for %s', async (id) => {
    const answer = await open(id);
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('<h1>Form not found</h1>')]);
  });

  test('cannot put anything into the page by the Host header', async () => {
    const page = await (await open(form.id, { Host: 'evil"><script>.example' })).text();
    expect(page).not.toContain('<script>');
  });
});

describe('the management API at the same address', () => {
  test.each(['*/*', 'application/json', 'application/json, text/html;q=0.5'])(
    'answers in JSON without a key to Accept: %s',
    async (accept) => {
      const answer = await open(form.id, { Accept: accept });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect((await answer.json()) as object).toMatchObject({ success: false, statusCode: 401 });
    },
  );

  test('answers a browser that sends a key, right or wrong', async () => {
    const answer = await open(form.id, { Authorization: `Bearer ${instance.owner.readKey}` });
    expect((await answer.json()) as object).toEqual({ success: true, data: { items: [], next_cursor: null } });
    expect((await open(form.id, { Authorization: 'Bearer fs_live_wrong' })).status).toBe(401);
  });

  test.each(['/v1/forms', `/v1/forms/${form.id}`, '/v1/submissions/sub_1', '/v1/usage'])(
    'has no page at %s',
    async (path) => {
      const answer = await fetch(instance.url + path, { headers: { Accept: BROWSER } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/json;charset=utf-8']);
    },
  );
});
