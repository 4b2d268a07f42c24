import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TRASH_DAYS } from '../../../src/domain/submissions/submission.ts';
import { retentionJob } from '../../../src/jobs/retention.ts';
import { DAY, systemClock } from '../../../src/lib/clock.ts';
import { createWorkspace } from '../../../src/services/teams/teams.ts';
import { challengeSecretAad } from '../../../src/vault/vault.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { blobNames, formData } from '../visitor/files.ts';
import { keepMany } from './list-page.ts';
import { type SignedIn, signIn } from './signed-in.ts';

let ahead = 0;
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ clock: () => systemClock() + ahead });
});
afterAll(() => instance.stop());

async function visitor() {
  const owner = await instance.makeOwner();
  return { owner, me: await signIn(instance, owner), path: `/dashboard/forms/${owner.form.id}` };
}

/** Returns where the action leads. */
async function act(me: SignedIn, path: string, fields: Record<string, string> = {}): Promise<string> {
  const answer = await me.post(path, fields);
  expect([path, answer.status]).toEqual([path, 303]);
  return answer.headers.get('location') ?? '';
}

const formOf = ({ form, teamId }: Owner) => instance.context.store.forms.find(form.id, teamId);
const statusOf = async ({ form }: Owner) => (await instance.post(form.id, { message: 'Hello' })).status;
const actionsOf = async ({ teamId }: Owner) => {
  const entries = await instance.context.store.audit.listFrom(teamId, { since: 0, after: 0, limit: 100 });
  return entries.map(({ action, details }) => `${action} ${details.form_id ?? details.workspace_id}`);
};
const runRetention = async () => {
  const { context } = instance;
  await retentionJob({ ...context, config: { retentionDays: null } }).step(new AbortController().signal);
};

describe('the trash of forms', () => {
  test('asks before it takes a form with recent submissions, and changes nothing before the answer', async () => {
    const { owner, me, path } = await visitor();
    await instance.post(owner.form.id, { message: 'Find me' });
    const asked = await me.post(`${path}/trash`);
    const page = await asked.text();
    expect(asked.status).toBe(200);
    expect(page).toContain('Move “Contact” to trash?');
    expect(page).toContain('1 submission in the last 30 days');
    expect(page).toContain('name="confirmed"');
    expect(page).toContain(`href="${path}"`);
    expect([await statusOf(owner), (await formOf(owner))?.trashedAt]).toEqual([200, null]);
    expect(await actionsOf(owner)).not.toContain(`form.trashed ${owner.form.id}`);
    await act(me, `${path}/trash`, { confirmed: 'yes' });
    expect(await statusOf(owner)).toBe(404);
  });

  test('takes a form with its submissions, and the toast gives it back', async () => {
    const { owner, me, path } = await visitor();
    await instance.post(owner.form.id, { message: 'Find me' });
    const [submission] = await instance.stored(owner);
    const done = await act(me, `${path}/trash`, { confirmed: 'yes' });
    const page = await me.page(done);
    expect(page).toContain('“Contact” moved to trash. It will be deleted in 30 days.');
    expect(page).toContain(`<form method="post" action="${path}/restore">`);
    expect(page).not.toContain(`href="${path}"`);
    expect(await statusOf(owner)).toBe(404);
    expect(await me.page('/dashboard/inbox')).not.toContain('Find me');
    for (const gone of [
      path,
      `${path}/submissions`,
      `${path}/export.csv`,
      `/dashboard/submissions/${submission?.id}`,
    ]) {
      expect([gone, (await me.get(gone)).status]).toEqual([gone, 404]);
    }
    const trash = await me.page('/dashboard/forms/trash');
    expect(trash).toContain('1 submission');
    await act(me, `${path}/restore`);
    expect(await me.page('/dashboard/inbox')).toContain('Find me');
    expect(await statusOf(owner)).toBe(200);
    // A reload of the page with the toast offers nothing that is done.
    expect(await me.page(done)).not.toContain('class="toast"');
    expect((await me.post(`${path}/restore`)).status).toBe(404);
    const { id } = owner.form;
    expect(await actionsOf(owner)).toEqual([`form.trashed ${id}`, `form.restored ${id}`]);
  });

  test('is not offered to viewers, and only owners delete from it', async () => {
    const { owner, me, path } = await visitor();
    const [editor, viewer] = [await signIn(instance, owner, {}, 'editor'), await signIn(instance, owner, {}, 'viewer')];
    expect(await viewer.page('/dashboard/forms')).not.toContain(`${path}/trash`);
    expect((await viewer.post(`${path}/trash`)).status).toBe(403);
    await act(editor, `${path}/trash`);
    expect(await viewer.page(`/dashboard/forms?done=trashed&form=${owner.form.id}`)).not.toContain('toast');
    expect(await editor.page('/dashboard/forms/trash')).not.toContain(`${path}/delete`);
    expect((await editor.post(`${path}/delete`)).status).toBe(403);
    expect(await me.page('/dashboard/forms/trash')).toContain(`href="${path}/delete"`);
  });

  test('loses nothing for 30 days, and then the form is deleted with its files', async () => {
    const { owner, me, path } = await visitor();
    const body = formData([['cv', new File(['y'.repeat(1000)], 'cv.txt')]]);
    expect((await instance.post(owner.form.id, body)).status).toBe(200);
    await act(me, `${path}/trash`, { confirmed: 'yes' });
    const pass = async (days: number) => {
      // Shorter steps than a day, which would count as a clock jump.
      for (let half = 0; half < 2 * days; half++) {
        ahead += DAY / 2;
        await runRetention();
      }
    };
    await pass(TRASH_DAYS - 1);
    expect(blobNames(instance)).toHaveLength(1);
    // The first session has ended.
    const later = await signIn(instance, owner);
    expect(await later.page('/dashboard/forms/trash')).toContain('1 submission');
    await pass(2);
    expect(blobNames(instance)).toEqual([]);
    expect(await instance.context.store.forms.findStored(owner.form.id)).toBeNull();
    expect((await later.post(`${path}/restore`)).status).toBe(404);
    expect(await actionsOf(owner)).toContain(`form.deleted ${owner.form.id}`);
  });

  test('is emptied at once on request, after a question with the number of submissions', async () => {
    const { owner, me, path } = await visitor();
    await keepMany(instance.context, owner.form.id, 500, (n) => ({ text: `${n}` }));
    expect((await me.get(`${path}/delete`)).status).toBe(404);
    expect((await me.post(`${path}/delete`)).status).toBe(404);
    await act(me, `${path}/trash`, { confirmed: 'yes' });
    expect(await me.page(`${path}/delete`)).toContain('500 submissions');
    await act(me, `${path}/delete`);
    // A slow machine leaves a rest to the job, which the form cannot escape by being restored.
    expect((await me.post(`${path}/restore`)).status).toBe(404);
    await runRetention();
    expect(await instance.context.store.forms.findStored(owner.form.id)).toBeNull();
    expect(await instance.context.store.retention.countOlder(owner.form.id, Number.MAX_SAFE_INTEGER, 9)).toBe(0);
    expect(await actionsOf(owner)).toContain(`form.deleted ${owner.form.id}`);
  });
});

describe('a duplicate', () => {
  test('has all settings but the webhooks, and a challenge secret of its own', async () => {
    const { owner, me } = await visitor();
    const { store, vault } = instance.context;
    const fields = [{ name: 'email', label: 'Email', type: 'email', required: true }];
    const settings = {
      name: 'Offers',
      fields,
      notify: ['ada@home.example'],
      blockedWords: ['casino'],
      retentionDays: 9,
    };
    const challenge = { kind: 'turnstile', secret: 'the secret', verifyUrl: null } as const;
    const form = await instance.makeForm(owner, settings, challenge);
    await store.forms.setLogo(form.id, { type: 'image/png', image: Buffer.from([1, 2, 3]) });
    await store.forms.update(form.id, { archivedAt: 1 });
    await instance.post(form.id, { email: 'ada@home.example' });
    const done = await act(me, `/dashboard/forms/${form.id}/duplicate`);
    const copy = (await store.forms.list(owner.teamId)).find(({ name }) => name === 'Copy of Offers');
    expect(done).toBe(`/dashboard/forms/${copy?.id}?done=duplicated`);
    expect(await me.page(done)).toContain('Form duplicated. Its webhooks were not copied.');
    const own = { id: copy?.id ?? '', shortId: copy?.shortId ?? '', challengeSecret: copy?.challengeSecret ?? null };
    const created = { createdAt: copy?.createdAt ?? 0, name: 'Copy of Offers' };
    expect(copy).toEqual({ ...form, ...own, ...created });
    expect(own.shortId).not.toBe(form.shortId);
    expect(vault.open(own.challengeSecret ?? Buffer.of(), challengeSecretAad(own.id)).toString()).toBe('the secret');
    expect((await store.forms.findLogo(own.id))?.image).toEqual(Buffer.from([1, 2, 3]));
    expect(await actionsOf(owner)).toContain(`form.created ${own.id}`);
  });

  test('has a name of at most 200 characters', async () => {
    const { owner, me, path } = await visitor();
    await instance.context.store.forms.update(owner.form.id, { name: '🎻'.repeat(200) });
    await act(me, `${path}/duplicate`);
    const names = (await instance.context.store.forms.list(owner.teamId)).map(({ name }) => name);
    expect(names).toContain(`Copy of ${'🎻'.repeat(192)}`);
  });
});

describe('the archive', () => {
  test('hides a form from the lists and accepts nothing for it, until it is undone', async () => {
    const { owner, me, path } = await visitor();
    await instance.post(owner.form.id, { message: 'Find me' });
    const done = await act(me, `${path}/archive`);
    const page = await me.page(done);
    expect(page).toContain('Archived (1)');
    expect(page).toContain('class="toast"');
    expect(await statusOf(owner)).toBe(403);
    expect(await me.page('/dashboard/inbox')).not.toContain('Find me');
    expect(await me.page(`/dashboard/inbox?form=${owner.form.id}`)).toContain('Find me');
    expect(await me.page(`${path}/submissions`)).toContain('Find me');
    await act(me, `${path}/unarchive`);
    expect(await statusOf(owner)).toBe(200);
    expect(await me.page('/dashboard/inbox')).toContain('Find me');
  });

  test('leaves a paused form paused if it is undone', async () => {
    const { owner, me, path } = await visitor();
    await instance.context.store.forms.update(owner.form.id, { isActive: false });
    const page = await me.page(await act(me, `${path}/archive`));
    expect(page).toContain('<input type="hidden" name="paused" value="yes"/>');
    await act(me, `${path}/unarchive`, { paused: 'yes' });
    expect(await formOf(owner)).toMatchObject({ isActive: false, archivedAt: null });
  });

  test('is left by a form that the API or the settings activate', async () => {
    const { owner, me, path } = await visitor();
    await act(me, `${path}/archive`);
    const id = `/v1/forms/${owner.form.id}`;
    const { data } = (await (await instance.api('GET', id, { key: owner.readKey })).json()) as {
      data: { is_active: boolean };
    };
    expect(data.is_active).toBe(false);
    await instance.api('PATCH', id, { key: owner.writeKey, body: { name: 'Still archived' } });
    expect((await formOf(owner))?.archivedAt).not.toBeNull();
    await instance.api('PATCH', id, { key: owner.writeKey, body: { isActive: true } });
    expect(await formOf(owner)).toMatchObject({ isActive: true, archivedAt: null });
  });
});

describe('workspaces', () => {
  const add = (owner: Owner, name: string) =>
    createWorkspace({ ...instance.context, plans: instance.context.config.plans }, owner.teamId, name);

  test('take forms of their own team only', async () => {
    const { owner, me, path } = await visitor();
    const { owner: other } = await visitor();
    const target = await add(owner, 'Target');
    expect(await me.page(path)).toContain(`href="${path}/settings/danger#move"`);
    expect(await me.page(`${path}/settings/danger`)).toContain(`<option value="${target.id}">Target</option>`);
    await act(me, `${path}/move`, { workspace: target.id });
    expect((await formOf(owner))?.workspaceId).toBe(target.id);
    for (const [workspace, status] of [
      [other.workspaceId, 404],
      ['wsp_none', 404],
      ['', 400],
    ] as const) {
      expect((await me.post(`${path}/move`, { workspace })).status).toBe(status);
    }
    expect((await formOf(owner))?.workspaceId).toBe(target.id);
  });

  test('are sorted, and new ones come last', async () => {
    const { owner, me } = await visitor();
    const second = await add(owner, 'Second');
    await act(me, `/dashboard/workspaces/${second.id}/sort`, { direction: 'up' });
    await add(owner, 'Third');
    const names = (await instance.context.store.workspaces.list(owner.teamId)).map(({ name }) => name);
    expect(names).toEqual(['Second', 'Workspace', 'Third']);
  });

  test('are deleted when they are empty, and the last one never', async () => {
    const { owner, me, path } = await visitor();
    const own = `/dashboard/workspaces/${owner.workspaceId}/delete`;
    const refusal = async () => {
      const answer = await me.post(own);
      expect(answer.status).toBe(409);
      return answer.text();
    };
    expect(await refusal()).toContain('This is the only workspace of the team.');
    const heir = await add(owner, 'Heir');
    expect(await refusal()).toContain('This workspace has forms. Move or delete them first.');
    await act(me, `${path}/trash`, { confirmed: 'yes' });
    await act(me, own);
    await act(me, `${path}/restore`);
    expect((await formOf(owner))?.workspaceId).toBe(heir.id);
    expect(await actionsOf(owner)).toContain(`workspace.deleted ${owner.workspaceId}`);
  });
});

describe('the order of the list', () => {
  test('is by the last submission, by name, or by submissions', async () => {
    const { owner, me } = await visitor();
    const { store } = instance.context;
    await store.forms.update(owner.form.id, { name: 'b 10' });
    const forms = [
      owner.form,
      await instance.makeForm(owner, { name: 'b 9' }),
      await instance.makeForm(owner, { name: 'ä' }),
    ];
    const [ten, nine, umlaut] = forms.map(({ id }) => id) as [string, string, string];
    for (const id of [nine, nine, umlaut, ten]) await instance.post(id, { message: 'Hello' });
    const order = async (query: string) => {
      const page = await me.page(`/dashboard/forms${query}`);
      return [...page.matchAll(/class="cover" href="\/dashboard\/forms\/(\w+)"/g)].map(([, id]) => id);
    };
    expect(await order('')).toEqual([ten, umlaut, nine]);
    expect(await order('?sort=name')).toEqual([umlaut, nine, ten]);
    expect(await order('?sort=count')).toEqual([nine, ten, umlaut]);
  });
});
