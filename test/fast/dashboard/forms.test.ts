import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { FORM_TEMPLATES, TEMPLATE_NAMES } from '../../../src/domain/forms/form-templates.ts';
import { DAY, systemClock } from '../../../src/lib/clock.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { signIn } from './signed-in.ts';

let now = systemClock();
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ clock: () => now });
});
afterAll(() => instance.stop());

const INJECTION = `"><script>alert(1)</script>`;
const SHOWN = Bun.escapeHTML(INJECTION);

async function visitor() {
  const owner = await instance.makeOwner();
  return { owner, me: await signIn(instance, owner) };
}

describe('the list of forms', () => {
  test('shows submissions of the last 30 days, the unread count and the last submission', async () => {
    const { owner, me } = await visitor();
    const today = now;
    now = today - 30 * DAY;
    await instance.post(owner.form.id, { message: 'too long ago' });
    now = today - 29 * DAY;
    await instance.post(owner.form.id, { message: 'just within' });
    now = today;
    for (const message of ['a', 'b', 'c']) await instance.post(owner.form.id, { message });
    const page = await me.page('/dashboard/forms');
    expect(page).toContain('<b>4</b> in the last 30 days');
    const text = 'Last 30 days: 4 submissions and 0 spam, at most 3 on one day';
    expect(page).toContain(`aria-label="${text}"><title>${text}</title>`);
    expect(page).toContain('5 unread');
    expect(page).toContain(new Date(today / 1000).toISOString().slice(0, 16));
    const [, bars] = /<path d="([^"]*)" stroke="currentColor" stroke-width="3"/.exec(page) ?? [];
    expect(bars).toBe('M2 28v-9M118 28v-28');
    expect(page).not.toContain('style=');
  });

  test('counts unread submissions up to 99, without read ones and spam', async () => {
    const { owner, me } = await visitor();
    const posts = Array.from({ length: 101 }, (_, number) =>
      instance.post(owner.form.id, { message: `No. ${number}` }),
    );
    await Promise.all(posts);
    expect(await me.page('/dashboard/forms')).toContain('99+ unread');
    const rows = (await instance.stored(owner)).slice(0, 98);
    await Promise.all(rows.map(({ id }) => instance.context.store.submissions.mark(id, true, null, [])));
    expect(await me.page('/dashboard/forms')).toContain('3 unread');
  });

  test('marks a paused form, and links to the snippets of an empty one', async () => {
    const { owner, me } = await visitor();
    await instance.context.store.forms.update(owner.form.id, { isActive: false });
    const page = await me.page('/dashboard/forms');
    expect(page).toContain('<span class="badge bad">Paused</span>');
    expect(page).toContain('No submissions yet');
    expect(page).toContain(`href="/dashboard/forms/${owner.form.id}/connect"`);
  });

  test('explains what to do without forms', async () => {
    const team = {
      id: 'team_empty',
      name: 'Empty',
      plan: 'unlimited',
      requiresSecondFactor: false,
      learnsSpam: true,
      setUpAt: null,
      createdAt: 1,
    };
    await instance.context.store.teams.create(team);
    const me = await signIn(instance, { teamId: team.id });
    expect(await me.page('/dashboard/forms')).toContain('<details class="workspace" open="">');
    expect((await me.get('/dashboard/forms/new')).headers.get('location')).toBe('/dashboard/forms');
    await me.post('/dashboard/workspaces', { name: 'First' });
    const page = await me.page('/dashboard/forms');
    expect(page).toContain('No forms yet');
    expect(page).toContain('href="/dashboard/forms/new"');
  });

  test("does not show another team's forms", async () => {
    const { owner } = await visitor();
    const { me } = await visitor();
    expect(await me.page('/dashboard/forms')).not.toContain(owner.form.id);
  });
});

describe('a workspace', () => {
  test('is created and renamed', async () => {
    const { owner, me } = await visitor();
    const made = await me.post('/dashboard/workspaces', { name: ' Customer ' });
    expect([made.status, made.headers.get('location')]).toEqual([303, '/dashboard/forms?done=workspace']);
    const renamed = await me.post(`/dashboard/workspaces/${owner.workspaceId}`, { name: INJECTION });
    expect([renamed.status, renamed.headers.get('location')]).toEqual([303, '/dashboard/forms?done=renamed']);
    const names = (await instance.context.store.workspaces.list(owner.teamId)).map(({ name }) => name);
    expect(names).toEqual([INJECTION, 'Customer']);
    const page = await me.page('/dashboard/forms?done=renamed');
    expect(page).toContain('Workspace renamed.');
    expect(page).toContain(SHOWN);
    expect(page).not.toContain(INJECTION);
  });

  test('keeps the input if the name is invalid', async () => {
    const { owner, me } = await visitor();
    const long = 'x'.repeat(201);
    for (const path of ['/dashboard/workspaces', `/dashboard/workspaces/${owner.workspaceId}`]) {
      const answer = await me.post(path, { name: long });
      const page = await answer.text();
      expect([path, answer.status]).toEqual([path, 400]);
      expect(page).toContain('<p class="error" role="alert">Enter a name of 1 to 200 characters.</p>');
      expect(page).toContain(`value="${long}"`);
      expect((await me.post(path, { name: ' ' })).status).toBe(400);
    }
    const names = (await instance.context.store.workspaces.list(owner.teamId)).map(({ name }) => name);
    expect(names).toEqual(['Workspace']);
  });

  test('of another team is not found', async () => {
    const { owner } = await visitor();
    const { me } = await visitor();
    const answer = await me.post(`/dashboard/workspaces/${owner.workspaceId}`, { name: 'Mine' });
    expect(answer.status).toBe(404);
    expect((await instance.context.store.workspaces.find(owner.workspaceId))?.name).toBe('Workspace');
  });
});

describe('a new form', () => {
  test.each([...TEMPLATE_NAMES])('is created from the template "%s"', async (template) => {
    const { owner, me } = await visitor();
    const answer = await me.post('/dashboard/forms/new', {
      name: ` My ${template} `,
      workspace: owner.workspaceId,
      template,
    });
    expect(answer.status).toBe(303);
    const forms = await instance.context.store.forms.list(owner.teamId);
    const form = forms.find(({ name }) => name === `My ${template}`);
    expect(answer.headers.get('location')).toBe(`/dashboard/forms/${form?.id}/connect?done=created`);
    expect(form?.fields.map(({ name, type }) => [name, type])).toEqual(
      FORM_TEMPLATES[template].map(({ name, type }) => [name, type]),
    );
    expect(await me.page(answer.headers.get('location') ?? '')).toContain('Form created.');
  });

  test("has labels in the viewer's language and digests in their time zone", async () => {
    const owner = await instance.makeOwner();
    const me = await signIn(instance, owner, { language: 'de', timeZone: 'Europe/Berlin' });
    await me.post('/dashboard/forms/new', { name: 'Kontakt', workspace: owner.workspaceId, template: 'contact' });
    const form = (await instance.context.store.forms.list(owner.teamId)).at(-1);
    expect(form?.fields.map(({ label }) => label)).toEqual(['Name', 'E-Mail', 'Nachricht']);
    expect(form?.timeZone).toBe('Europe/Berlin');
  });

  test('reads the fields from pasted HTML, and says so if there are none', async () => {
    const { owner, me } = await visitor();
    const post = (html: string) =>
      me.post('/dashboard/forms/new', { name: 'Old', workspace: owner.workspaceId, template: 'contact', html });
    for (const html of ['<p>Hello', `<input name=a>${' '.repeat(256 * 1024)}`]) {
      const answer = await post(html);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('No fields found.');
    }
    await post('<form><label>Your name<input name=who></label><script>alert(1)</script></form>');
    const form = (await instance.context.store.forms.list(owner.teamId)).find(({ name }) => name === 'Old');
    expect(form?.fields).toEqual([{ name: 'who', label: 'Your name', type: 'text', required: false }]);
  });

  test('is not created without a name, and keeps the input', async () => {
    const { owner, me } = await visitor();
    const answer = await me.post('/dashboard/forms/new', { name: ' ', workspace: owner.workspaceId, template: 'rsvp' });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain('Enter a name of 1 to 200 characters.');
    expect(page).toContain('value="rsvp" checked');
    expect(await instance.context.store.forms.list(owner.teamId)).toHaveLength(1);
  });

  test("is not created in another team's workspace", async () => {
    const { owner } = await visitor();
    const { owner: other, me } = await visitor();
    const answer = await me.post('/dashboard/forms/new', {
      name: INJECTION,
      workspace: owner.workspaceId,
      template: 'blank',
    });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain('This workspace no longer exists.');
    expect(page).toContain(`value="${SHOWN}"`);
    for (const { teamId } of [owner, other]) {
      expect(await instance.context.store.forms.list(teamId)).toHaveLength(1);
    }
  });

  test('preselects the workspace of the query', async () => {
    const { owner, me } = await visitor();
    await me.post('/dashboard/workspaces', { name: 'Second' });
    const [, second] = await instance.context.store.workspaces.list(owner.teamId);
    const page = await me.page(`/dashboard/forms/new?workspace=${second?.id}`);
    expect(page).toContain(`<option value="${second?.id}" selected="">Second</option>`);
  });
});

test('a signed-out visitor is redirected to the sign-in and changes nothing', async () => {
  const { owner } = await visitor();
  const headers = { Origin: new URL(instance.url).origin };
  for (const path of ['/dashboard/forms/new', '/dashboard/workspaces', `/dashboard/workspaces/${owner.workspaceId}`]) {
    const body = new URLSearchParams({ name: 'New', workspace: owner.workspaceId, template: 'blank' });
    const answer = await fetch(instance.url + path, { method: 'POST', redirect: 'manual', headers, body });
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, '/dashboard/sign-in']);
  }
  expect(await instance.context.store.forms.list(owner.teamId)).toHaveLength(1);
  expect((await instance.context.store.workspaces.list(owner.teamId)).map(({ name }) => name)).toEqual(['Workspace']);
});
