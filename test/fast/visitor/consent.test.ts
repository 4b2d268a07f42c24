import { afterAll, beforeAll, expect, test } from 'bun:test';
import readSheets from 'read-excel-file/node';
import type { Form } from '../../../src/domain/forms/form.ts';
import { Semaphore } from '../../../src/lib/semaphore.ts';
import { erasePerson, newCounts, newSearch, searchPerson } from '../../../src/services/erasure/erasure.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { signIn } from '../dashboard/signed-in.ts';
import { formData } from './files.ts';

const FIRST = 'I agree that my data is stored to answer me. See https://example.com/privacy';
const SECOND = 'I agree to <b>everything</b> & "more".\nReally.';
const FIELDS = [
  { name: 'email', label: 'Email', type: 'email', required: true },
  { name: 'terms', label: 'Terms', type: 'consent', required: false },
];
type Kept = { consent?: { version: string; text: string | null } };

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(() => instance.stop());

const makeForm = (consentText: string | null = FIRST) =>
  instance.makeForm(instance.owner, { fields: FIELDS, consentText, hasHostedPage: true });
const kept = async (form: Form) =>
  ((await instance.stored(instance.owner, form)) as unknown as Kept[]).map(({ consent }) => consent?.text ?? null);
const change = (form: Form, consent_text: string | null) =>
  instance.api('PATCH', `/v1/forms/${form.id}/settings`, { key: instance.owner.writeKey, body: { consent_text } });

test.each([
  ['a box of a form', new URLSearchParams({ email: 'a@x.example', terms: 'on' }), FIRST],
  ['a box with a value of its own', new URLSearchParams({ email: 'a@x.example', terms: 'I agree' }), FIRST],
  ['JSON', { email: 'a@x.example', terms: true }, FIRST],
  ['JSON that says no', { email: 'a@x.example', terms: false }, null],
  ['a word that says no', new URLSearchParams({ email: 'a@x.example', terms: 'no' }), null],
  ['an empty value', new URLSearchParams({ email: 'a@x.example', terms: '' }), null],
  ['no value', new URLSearchParams({ email: 'a@x.example' }), null],
  ['a box after a hidden no', new URLSearchParams('email=a%40x.example&terms=no&terms=yes'), FIRST],
  ['two that say no', new URLSearchParams('email=a%40x.example&terms=no&terms=off'), null],
  [
    'several parts',
    formData([
      ['email', 'a@x.example'],
      ['terms', 'on'],
    ]),
    FIRST,
  ],
  [
    'a part that says no',
    formData([
      ['email', 'a@x.example'],
      ['terms', 'no'],
    ]),
    null,
  ],
  ['a JSON list that says no', { email: 'a@x.example', terms: ['no', false] }, null],
  ['an empty JSON list', { email: 'a@x.example', terms: [] }, null],
  ['a JSON object', { email: 'a@x.example', terms: { yes: 'yes' } }, null],
  ['blanks', { email: 'a@x.example', terms: ' ' }, null],
])('a submission keeps the text that it agreed to: %s', async (_, body, text) => {
  const form = await makeForm();
  expect((await instance.post(form.id, body)).status).toBe(200);
  expect(await kept(form)).toEqual([text]);
});

const REFUSED = [
  ['a form', new URLSearchParams({ email: 'a@x.example' })],
  ['a form that says no', new URLSearchParams('email=a%40x.example&terms=no&terms=off')],
  ['several parts', formData([['email', 'a@x.example']])],
  ['JSON', { email: 'a@x.example' }],
  ['JSON that says no', { email: 'a@x.example', terms: ['no'] }],
  ['JSON with blanks', { email: 'a@x.example', terms: ' ' }],
] as const;

test.each(REFUSED)('a missing required consent is refused: %s', async (_, body) => {
  const fields = FIELDS.map((field) => ({ ...field, required: true }));
  const form = await instance.makeForm(instance.owner, { fields, consentText: FIRST, enforcesRules: true });
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  // The second is the retry of the drop-in script.
  for (const _ of [1, 2]) {
    const refused = await instance.post(form.id, body, { Accept: 'application/json', ...key });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { code: 'invalid_fields', errors: [{ field: 'terms', message: 'Check this box to continue.' }] },
    ]);
  }
  const agreed = { email: 'a@x.example', terms: 'yes' };
  for (const _ of [1, 2]) expect((await instance.post(form.id, agreed, key)).status).toBe(200);
  expect(await kept(form)).toEqual([FIRST]);
});

test('a later text changes no earlier submission, and each text is stored once, sealed', async () => {
  const form = await makeForm();
  const post = (email: string) => instance.post(form.id, { email, terms: 'yes' });
  for (const email of ['a@x.example', 'b@x.example']) await post(email);
  expect((await change(form, SECOND)).status).toBe(200);
  await post('c@x.example');
  await change(form, null);
  await post('d@x.example');
  await change(form, FIRST);
  await post('e@x.example');
  expect(await kept(form)).toEqual([FIRST, null, SECOND, FIRST, FIRST]);
  const other = await makeForm();
  await instance.post(other.id, { email: 'a@x.example', terms: 'yes' });
  expect(await kept(other)).toEqual([FIRST]);
  const rows = queryDatabase<{ text: Uint8Array }>(
    instance.dataDir,
    'SELECT text FROM consents WHERE form_id IN (?, ?)',
    [form.id, other.id],
  );
  expect(rows).toHaveLength(3);
  for (const { text } of rows) expect(Buffer.from(text).includes('agree')).toBe(false);
});

/** Posts as the hosted page does. */
const postPage = (page: string, fields: Record<string, string>) =>
  fetch(`${instance.url}${/<form action="([^"]+)"/.exec(page)?.[1]}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { Origin: instance.url, Accept: 'text/html' },
  });

test('a hosted page from before a change of the text agrees to nothing, and shows the new text unticked', async () => {
  const form = await makeForm();
  const open = async () => (await fetch(`${instance.url}/f/${form.shortId}`)).text();
  const agreed = { email: 'a@x.example', terms: 'yes' };
  const [before, unasked] = [await open(), { email: 'b@x.example' }];
  await change(form, 'A later text');
  const refused = await postPage(before, agreed);
  const page = await refused.text();
  expect(refused.status).toBe(400);
  expect(page).toContain('A later text');
  expect(page).toContain('value="a@x.example"');
  expect(page).not.toContain('checked=');
  expect(await kept(form)).toEqual([]);
  expect((await postPage(before, unasked)).status).toBe(200);
  expect((await postPage(page, agreed)).status).toBe(200);
  expect(await kept(form)).toEqual(['A later text', null]);
  await change(form, null);
  const plain = await open();
  await change(form, FIRST);
  expect((await postPage(plain, agreed)).status).toBe(400);
});

test('a required consent is needed on the hosted page of a form that enforces no rules', async () => {
  const fields = FIELDS.map((field) => ({ ...field, required: true }));
  const form = await instance.makeForm(instance.owner, { fields, consentText: FIRST, hasHostedPage: true });
  const page = await (await fetch(`${instance.url}/f/${form.shortId}`)).text();
  expect(page).toMatch(/<input[^>]*name="terms"[^>]*required/);
  for (const terms of [undefined, 'no', ' ']) {
    const refused = await postPage(page, { email: 'a@x.example', ...(terms !== undefined && { terms }) });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('Check this box to continue.'),
    ]);
  }
  expect((await postPage(page, { email: 'a@x.example', terms: 'yes' })).status).toBe(200);
  expect(await kept(form)).toEqual([FIRST]);
});

test('the hosted page and the snippets show the text beside the box, as text', async () => {
  const form = await makeForm(SECOND);
  const page = await (await fetch(`${instance.url}/f/${form.shortId}`)).text();
  expect(page).toContain('I agree to &lt;b&gt;everything&lt;/b&gt; &amp; &quot;more&quot;.');
  expect(page).not.toContain('>Terms<');
  const posted = await postPage(page, { email: 'a@x.example', terms: 'yes' });
  expect(posted.status).toBe(200);
  expect(await kept(form)).toEqual([SECOND.replaceAll('\r', '')]);
  const me = await signIn(instance, instance.owner);
  const connect = await me.page(`/dashboard/forms/${form.id}/connect`);
  expect(connect).toContain('everything');
  const without = await makeForm(null);
  expect(await (await fetch(`${instance.url}/f/${without.shortId}`)).text()).toContain('Terms');
});

test('its page, exports and the receipt of an erasure show the text', async () => {
  const form = await makeForm();
  const email = 'zoe@consent.example';
  await instance.post(form.id, { email, terms: 'yes' });
  const [{ id, consent }] = (await instance.stored(instance.owner, form)) as unknown as [Kept & { id: string }];
  const me = await signIn(instance, instance.owner);
  expect(await me.page(`/dashboard/submissions/${id}`)).toContain(`<q>${FIRST}</q>`);
  const csv = await instance.api('GET', `/v1/forms/${form.id}/export?format=csv`, { key: instance.owner.readKey });
  const [head = '', row = ''] = (await csv.text()).split('\r\n');
  expect([head.split(',').at(-1), row.split(',').at(-1)]).toEqual(['consent', FIRST]);
  await change(form, null);
  const later = await instance.api('GET', `/v1/forms/${form.id}/export?format=csv`, { key: instance.owner.readKey });
  expect((await later.text()).split('\r\n')[1]?.split(',').at(-1)).toBe(FIRST);
  const lines = await instance.api('GET', `/v1/forms/${form.id}/export?format=jsonl`, { key: instance.owner.readKey });
  expect(JSON.parse((await lines.text()).trim())).toMatchObject({ consent });
  const sheet = await me.get(`/dashboard/forms/${form.id}/export.xlsx?extra=consent&extra=confirmed`);
  const [workbook] = await readSheets(Buffer.from(await sheet.arrayBuffer()));
  expect(workbook?.data.map((cells) => cells.slice(-2))).toEqual([
    ['Address confirmed', 'Consent text'],
    ['No', FIRST],
  ]);
  const people = await me.page(`/dashboard/forms/${form.id}/export.csv?for=people&extra=consent&extra=confirmed`);
  expect(people.split('\r\n').map((line) => line.split(',').slice(-2))).toEqual([
    ['Address confirmed', 'Consent text'],
    ['No', FIRST],
    [''],
  ]);
  const search = newSearch(instance.context.clock);
  const person = { teamId: instance.owner.teamId, address: email };
  const deps = { ...instance.context, semaphore: new Semaphore(1) };
  await searchPerson(deps, person, search);
  const { facts } = await erasePerson(deps, person, search, newCounts());
  expect(facts.consents).toEqual([{ version: consent?.version ?? '', text: FIRST }]);
});

test('versions are deleted with their form, and kept when a submission is erased', async () => {
  const form = await makeForm();
  await instance.post(form.id, { email: 'a@x.example', terms: 'yes' });
  const [stored] = await instance.stored(instance.owner, form);
  const versions = () => queryDatabase(instance.dataDir, 'SELECT id FROM consents WHERE form_id = ?', [form.id]).length;
  const key = instance.owner.writeKey;
  expect((await instance.api('DELETE', `/v1/submissions/${stored?.id}`, { key })).ok).toBe(true);
  expect(versions()).toBe(1);
  const { trash } = instance.context.store;
  await trash.moveForm(form.id, instance.owner.teamId, instance.context.clock());
  await trash.deleteForm(form.id);
  expect(versions()).toBe(0);
});

test('too long a text is refused', async () => {
  const form = await makeForm();
  expect((await change(form, 'x'.repeat(2_001))).status).toBe(400);
});
