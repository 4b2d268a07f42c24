import { afterAll, describe, expect, test } from 'bun:test';
import type { FormSettings } from '../../../src/domain/forms/form.ts';
import { startInstance } from '../../support/instance.ts';
import { expectAccepted, expectRefused, URLENCODED } from './helpers.ts';

const NOON = Date.UTC(2026, 11, 1, 12) * 1_000;
const SECOND = 1_000_000;
let now = NOON;

const instance = await startInstance({ clock: () => now });
afterAll(instance.stop);
const { store } = instance.context;

const FIELDS = [{ name: 'email', label: 'Email', type: 'email', required: true }] as const;
const PAGE = { Accept: 'text/html' };

const makeForm = (settings: Partial<FormSettings>) => instance.makeForm(instance.owner, settings);
const iso = (micros: number) => new Date(micros / 1_000).toISOString();
const ids = async (form: Awaited<ReturnType<typeof makeForm>>) =>
  (await instance.stored(instance.owner, form)).map(({ id }) => id);
const codeOf = async (answer: Response) => ((await answer.json()) as { code?: string }).code ?? answer.status;

describe('a form with opening hours', () => {
  test('accepts from the instant of opening to the one before closing', async () => {
    const form = await makeForm({ opensAt: iso(NOON + SECOND), closesAt: iso(NOON + 3 * SECOND) });
    const outcomes: unknown[] = [];
    for (const offset of [0, SECOND - 1, SECOND, 3 * SECOND - 1, 3 * SECOND]) {
      now = NOON + offset;
      outcomes.push(await codeOf(await instance.post(form.id, { a: String(offset) })));
    }
    expect(outcomes).toEqual(['form_not_open', 'form_not_open', 200, 200, 'form_closed']);
    expect(await ids(form)).toHaveLength(2);
  });

  test('says when, in the time zone of the form and the language of the visitor', async () => {
    now = NOON;
    const opening = await makeForm({
      opensAt: '2026-12-24T17:00:00Z',
      timeZone: 'Europe/Berlin',
      hasHostedPage: true,
      fields: FIELDS,
    });
    const english = await (await fetch(`${instance.url}/f/${opening.shortId}`)).text();
    expect(english).toContain('It opens on Dec 24, 2026, 6:00 PM.');
    expect(english).not.toContain('<input');
    const german = await instance.post(opening.id, { a: '1' }, { 'Accept-Language': 'de' });
    expect(((await german.json()) as { message: string }).message).toBe(
      'Dieses Formular ist noch nicht geöffnet. Es öffnet am 24. Dez. 2026, 18:00.',
    );
    const open = await makeForm({
      closesAt: '2026-12-24T17:00:00Z',
      timeZone: 'Europe/Berlin',
      hasHostedPage: true,
      fields: FIELDS,
    });
    const page = async (language: string) =>
      (await fetch(`${instance.url}/f/${open.shortId}`, { headers: { 'Accept-Language': language } })).text();
    expect(await page('en')).toContain('Open until Dec 24, 2026, 6:00 PM');
    expect(await page('fr')).toContain('Ouvert jusqu’au 24 déc. 2026');
    const closed = await makeForm({ closesAt: '2026-11-30T23:00:00Z', closedMessage: 'See you in <b>May</b>.' });
    expect(await (await instance.post(closed.id, 'a=1', { ...PAGE, 'Content-Type': URLENCODED })).text()).toContain(
      'See you in &lt;b&gt;May&lt;/b&gt;.',
    );
  });

  test('refuses a replay once it has closed', async () => {
    now = NOON;
    const form = await makeForm({ closesAt: iso(NOON + SECOND) });
    const post = () => instance.post(form.id, { a: '1' }, { 'Idempotency-Key': 'once' });
    await expectAccepted(await post());
    await expectAccepted(await post());
    now = NOON + SECOND;
    await expectRefused(await post(), 403, 'form_closed');
  });

  test('tells scripts before the visitor types', async () => {
    now = NOON;
    const [open, closed, full] = [
      await makeForm({}),
      await makeForm({ closesAt: iso(NOON) }),
      await makeForm({ maxSubmissions: 1 }),
    ];
    await expectAccepted(await instance.post(full.id, { a: '1' }));
    const answers = await Promise.all(
      [open, closed, full].map(({ id }) => fetch(`${instance.url}/v1/forms/${id}/stamp`)),
    );
    expect(await Promise.all(answers.map(codeOf))).toEqual([200, 'form_closed', 'form_full']);
    expect(answers[1]?.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('a form with a limit of submissions', () => {
  test('stores exactly as many of posts at once', async () => {
    const form = await makeForm({ maxSubmissions: 5 });
    for (const a of ['1', '2']) await expectAccepted(await instance.post(form.id, { a }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, a) => instance.post(form.id, { a: `at once ${a}` })),
    );
    const codes = await Promise.all(answers.map(codeOf));
    expect(codes.filter((code) => code === 200)).toHaveLength(3);
    expect(new Set(codes)).toEqual(new Set([200, 'form_full']));
    expect(await ids(form)).toHaveLength(5);
  });

  test('has a place again after a spam mark, the trash and a deletion, and none after their withdrawal', async () => {
    const form = await makeForm({ maxSubmissions: 1, hasHostedPage: true, fields: FIELDS });
    const { teamId } = instance.owner;
    const isFull = async () => (await fetch(`${instance.url}/f/${form.shortId}`)).status === 403;
    await expectAccepted(await instance.post(form.id, { email: 'ada@example.com' }));
    const [id = ''] = await ids(form);
    expect(await isFull()).toBe(true);
    await store.submissions.mark(id, true, null, []);
    expect(await isFull()).toBe(false);
    await store.submissions.mark(id, false, null, []);
    expect(await isFull()).toBe(true);
    await store.trash.moveSubmissions([id], teamId, now);
    expect(await isFull()).toBe(false);
    await store.trash.moveSubmissions([id], teamId, null);
    await expectRefused(await instance.post(form.id, { email: 'bob@example.com' }), 403, 'form_full');
    expect(
      (await instance.api('DELETE', `/v1/submissions/${id}`, { key: instance.owner.writeKey })).status,
    ).toBeLessThan(300);
    await expectAccepted(await instance.post(form.id, { email: 'bob@example.com' }));
  });

  test('answers a replay as the first time, and offers no fields to visitors', async () => {
    const form = await makeForm({ maxSubmissions: 1, hasHostedPage: true, fields: FIELDS });
    const post = (key: string) => instance.post(form.id, { email: 'ada@example.com' }, { 'Idempotency-Key': key });
    await expectAccepted(await post('first'));
    await expectAccepted(await post('first'));
    await expectRefused(await post('second'), 403, 'form_full');
    const page = await fetch(`${instance.url}/f/${form.shortId}`, { headers: PAGE });
    expect([page.status, (await page.text()).includes('<input')]).toEqual([403, false]);
  });
});

describe('a form that accepts an address once', () => {
  test('compares it without blanks and with its domain in lower case only', async () => {
    const form = await makeForm({ oncePerAddress: true });
    const post = (email: string) => instance.post(form.id, { email });
    await expectAccepted(await post('Ada@Example.com'));
    for (const email of ['Ada@example.com', ' Ada@EXAMPLE.COM ']) {
      await expectRefused(await post(email), 409, 'already_submitted');
    }
    for (const email of ['ada@example.com', 'Ada+1@example.com', 'A.da@example.com'])
      await expectAccepted(await post(email));
    for (const email of ['', 'none', 'none']) await expectAccepted(await instance.post(form.id, { email, a: '1' }));
  });

  test('stores one of posts at once, answers its replay, and keeps no address in the clear', async () => {
    const form = await makeForm({ oncePerAddress: true });
    const post = (key: string) => instance.post(form.id, { email: 'ada@example.com' }, { 'Idempotency-Key': key });
    const codes = await Promise.all(
      (await Promise.all(Array.from({ length: 20 }, (_, key) => post(`k${key}`)))).map(codeOf),
    );
    expect(codes.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 'already_submitted')]);
    await expectAccepted(await post(`k${codes.indexOf(200)}`));
    expect(await ids(form)).toHaveLength(1);
  });

  test('forgets those in the trash, counts spam, and compares nothing from before it was on', async () => {
    const form = await makeForm({});
    const post = () => instance.post(form.id, { email: 'ada@example.com' });
    await expectAccepted(await post());
    await store.forms.update(form.id, { oncePerAddress: true });
    await expectAccepted(await post());
    const [id = ''] = await ids(form);
    await store.submissions.mark(id, true, null, []);
    await expectRefused(await post(), 409, 'already_submitted');
    await store.trash.moveSubmissions([id], instance.owner.teamId, now);
    await expectAccepted(await post());
  });
});

test('a form can not close before it opens', async () => {
  const form = await makeForm({ opensAt: '2026-12-24T17:00:00Z' });
  const path = `/v1/forms/${form.id}/settings`;
  const { writeKey: key } = instance.owner;
  const patch = (body: unknown) => instance.api('PATCH', path, { key, body });
  const refused = await patch({ closes_at: '2026-12-24T18:00:00+01:00' });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(/opens_at.*closes_at/)]);
  expect((await patch({ closes_at: '2026-12-24T18:00:01+01:00' })).status).toBe(200);
  expect((await patch({ closes_at: '2026-12-24 18:00' })).status).toBe(400);
  expect((await patch({ max_submissions: 0 })).status).toBe(400);
  const settings = (await (await instance.api('GET', path, { key })).json()) as { data: Record<string, unknown> };
  expect(settings.data).toMatchObject({ opens_at: '2026-12-24T17:00:00Z', closes_at: '2026-12-24T17:00:01Z' });
});
