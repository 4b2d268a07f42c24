import { afterAll, beforeAll, expect, test } from 'bun:test';
import { OPERATIONS } from '../../../src/api/index.ts';
import { isCheckedPath } from '../../../src/api/limited-key.ts';
import type { Form } from '../../../src/domain/forms/form.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { contentsOf } from '../dashboard/contents.ts';
import { addressOf, bodyOf, dataOf, keep, managementRoutes, queryOf, refused, type ShownForm } from './support.ts';

type Ids = Readonly<{ formId: string; submissionId: string; fileId: string; webhookId: string; workspaceId: string }>;

let instance: Instance;
/** The only form of the key, and another one of the same team in another workspace. */
let [mine, hidden]: Ids[] = [];
let [key, readKey] = ['', ''];

beforeAll(async () => {
  instance = await startInstance({ env: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } });
  const { owner, context, makeForm, makeKey } = instance;
  const workspaceId = 'wsp_other';
  await context.store.workspaces.create({
    id: workspaceId,
    teamId: owner.teamId,
    name: 'Hidden',
    position: 1,
    createdAt: 1,
  });
  mine = await fill(owner.form, owner.workspaceId);
  hidden = await fill(await makeForm({ ...owner, workspaceId }, { name: 'Hidden' }), workspaceId);
  // By short id, to see that the id is stored.
  key = (await makeKey(owner, 'read_write', null, [owner.form.shortId])).secret;
  readKey = (await makeKey(owner, 'read', null, [owner.form.id, owner.form.id])).secret;
});
afterAll(() => instance.stop());

/** Stores a submission with a file and a webhook of the form. */
async function fill(form: Form, workspaceId: string): Promise<Ids> {
  const { owner, context } = instance;
  const body = new FormData();
  body.append('note', `note of ${form.id}`);
  body.append('cv', new File(['text'], 'cv.txt'));
  expect((await instance.post(form.id, body)).status).toBe(200);
  const page = await context.store.submissions.list(owner.teamId, form.id, { before: null, limit: 1 });
  const submissionId = page?.items[0]?.id ?? '';
  const { file_metadata } = await dataOf<{ file_metadata: { files: Array<{ id: string }> } }>(
    instance.api('GET', `/v1/submissions/${submissionId}`, { key: owner.readKey }),
  );
  const url = 'http://127.0.0.1:9/hook';
  const { webhook } = await createWebhook(context, form.id, 'standard', { url, isActive: false });
  const fileId = file_metadata.files[0]?.id ?? '';
  return { formId: form.id, submissionId, fileId, webhookId: webhook.id, workspaceId };
}

const routes = () => managementRoutes(instance).filter(({ method }) => method !== 'HEAD');

test('no route shows or changes a form outside the key, and all ids are unknown', async () => {
  const answers: Array<readonly [string, number]> = [];
  const before = contentsOf(instance);
  for (const { name, method, path } of routes()) {
    const body = bodyOf(name, hidden?.workspaceId ?? '', hidden?.submissionId);
    const answer = await instance.api(method, addressOf(path, hidden as Ids) + queryOf(name), { key, body });
    const text = await answer.text();
    for (const id of Object.values(hidden ?? {})) expect([name, text.includes(id)]).toEqual([name, false]);
    if (answer.status !== 200) expect([name, [403, 404]]).toEqual([name, expect.arrayContaining([answer.status])]);
    answers.push([name, answer.status]);
  }
  expect(contentsOf(instance)).toEqual(before);
  const readable = answers.filter(([, status]) => status === 200).map(([name]) => name);
  expect(readable.filter((name) => !/^GET \/v1\/(forms|workspaces|submissions|usage|me)$/.test(name))).toEqual([]);
  for (const [name, status] of answers) {
    if (/:(formId|submissionId|webhookId)/.test(name)) expect([name, status]).toEqual([name, 404]);
  }
});

test('its own form, submissions, files and webhooks are answered as to a key of the team', async () => {
  for (const { method, path, limitedKeys } of OPERATIONS.filter(({ method }) => method === 'GET')) {
    const name = `${method} ${path}`;
    const address = addressOf(path, mine as Ids) + queryOf(name);
    const answer = await instance.api(method, address, { key: readKey });
    const toTeam = await instance.api(method, address, { key: instance.owner.readKey });
    const isOpen = limitedKeys === 'open' || isCheckedPath(path);
    expect([name, answer.status]).toEqual([name, isOpen ? toTeam.status : 403]);
  }
  const { formId = '', submissionId = '' } = mine ?? {};
  await dataOf(instance.api('PATCH', `/v1/forms/${formId}`, { key, body: { name: 'Renamed' } }));
  const own = await keep(instance, instance.owner);
  await dataOf(instance.api('DELETE', `/v1/submissions/${own}`, { key }));
  await dataOf(instance.api('GET', `/v1/submissions/${submissionId}`, { key }));
});

test('lists have only its forms and their workspaces', async () => {
  const forms = await dataOf<ShownForm[]>(instance.api('GET', '/v1/forms', { key }));
  expect(forms.map(({ id }) => id)).toEqual([mine?.formId ?? '']);
  const workspaces = await dataOf<Array<{ id: string }>>(instance.api('GET', '/v1/workspaces', { key }));
  expect(workspaces.map(({ id }) => id)).toEqual([mine?.workspaceId ?? '']);
});

test('input is checked before the limits of the key, and its scope before that', async () => {
  const { formId = '' } = hidden ?? {};
  await refused(instance.api('PATCH', `/v1/forms/${formId}`, { key, body: '{' }), 400);
  await refused(instance.api('PATCH', `/v1/forms/${formId}`, { key: readKey, body: { name: 'A' } }), 403);
  await refused(instance.api('GET', `/v1/forms/${formId}/submissions?limit=0`, { key }), 400);
  await refused(instance.api('GET', '/v1/forms/frm_unknown', { key }), 404);
  await refused(instance.api('GET', '/v1/submissions/sub_unknown', { key }), 404);
});

test('a key whose forms are in the trash sees nothing, not everything', async () => {
  const { context, owner, makeForm, makeKey, api } = instance;
  const form = await makeForm(owner);
  const { secret } = await makeKey(owner, 'read', null, [form.id]);
  await context.store.trash.moveForm(form.id, owner.teamId, 1);
  expect(await dataOf<ShownForm[]>(api('GET', '/v1/forms', { key: secret }))).toEqual([]);
  expect(await dataOf<unknown[]>(api('GET', '/v1/workspaces', { key: secret }))).toEqual([]);
  await refused(api('GET', `/v1/forms/${form.id}`, { key: secret }), 404);
});

test('a key is not made for a form of another team', async () => {
  const other = await instance.makeOwner();
  await expect(instance.makeKey(instance.owner, 'read', null, [other.form.id])).rejects.toThrow(/no form/);
  const many = Array.from({ length: 101 }, () => instance.owner.form.id);
  await expect(instance.makeKey(instance.owner, 'read', null, many)).rejects.toThrow(/at most 100 forms/);
});
