import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addNote } from '../../../src/services/submissions/messages.ts';
import { createWorkspace } from '../../../src/services/teams/teams.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { contentsOf } from '../dashboard/contents.ts';
import { makeAccount, signIn } from '../dashboard/signed-in.ts';
import { startWorld, type World } from '../dashboard/world.ts';
import { signInLimited } from './callers.ts';

/** A word in all names and values of the workspace out of reach, and the beginning that is searched for. */
const WORD = 'zanzibar';
const SEARCHED = WORD.slice(0, 6);
const MEMBERS = ['editor', 'viewer'] as const;

let world: World;
/** The workspace in reach, and the ids of its objects by parameter. */
let second: string;
let own: Readonly<Record<string, string>>;
let foreign: Readonly<Record<string, string>>;

beforeAll(async () => {
  world = await startWorld({
    formName: `Form ${WORD}`,
    fields: { name: `Ada ${WORD}`, email: `${WORD}@example.com`, [`field-${WORD}`]: WORD, message: WORD },
    fileName: `${WORD}.txt`,
    keyName: WORD,
  });
  await world.smtp.stop();
  const { instance, owner, me } = world;
  const { context, dataDir } = instance;
  const { store } = context;
  await store.workspaces.rename(owner.workspaceId, `Space ${WORD}`, owner.teamId);
  second = (await store.workspaces.list(owner.teamId)).find(({ name }) => name === 'Second')?.id ?? '';
  const form = await instance.makeForm(
    { ...owner, workspaceId: second },
    { name: 'Open form', notify: ['a@b.example'] },
  );
  for (const id of [form.id, owner.form.id]) {
    await instance.post(id, { message: id === form.id ? 'plain' : `${WORD} once more` });
  }
  await context.mail?.outbox.drain();
  const submission = (await store.submissions.list(owner.teamId, form.id, { before: null, limit: 1 }))?.items[0];
  if (!submission) throw new Error('nothing is stored');
  await addNote(context, submission, { user: me.user, teamId: owner.teamId }, { id: '', subject: '', text: 'A note.' });
  const { webhook } = await createWebhook(context, form.id, 'standard', { url: 'http://127.0.0.1:1/' });
  own = { formId: form.id, submissionId: submission.id, webhookId: webhook.id, workspaceId: second };
  const names = ['formId', 'submissionId', 'fileId', 'imageId', 'messageId', 'mailId', 'webhookId', 'deliveryId'];
  const all = [...names, 'keyId', 'erasureId', 'workspaceId', 'invitationId'];
  foreign = Object.fromEntries(all.map((name) => [name, world.pathOf(`:${name}`)]));
  // Alarms: a disabled webhook, and failed mails of the form out of reach and of the whole team.
  queryDatabase(dataDir, `UPDATE webhooks SET disabled_reason = 'failing' WHERE id = '${foreign.webhookId}'`);
  const [mail] = await store.mails.listOfTeam(owner.teamId, { state: 'retrying', before: null, limit: 1 });
  queryDatabase(dataDir, `UPDATE outbox SET state = 'dead' WHERE id = '${foreign.mailId}'`);
  queryDatabase(
    dataDir,
    `UPDATE outbox SET state = 'dead', form_id = NULL, submission_id = NULL, team_id = '${owner.teamId}',
      kind = 'cap_warning', recipient = 'team@${WORD}.example' WHERE id = '${mail?.id}'`,
  );
});
afterAll(() => world.stop());

const limited = (role: (typeof MEMBERS)[number]) => signInLimited(world, role);

/** Parameters that are no objects of the team, or the viewer's own. */
const HARMLESS = new Set(['token', 'section', 'preview', 'index', 'sessionId', 'passkeyId', 'viewId', 'userId']);
const paramsOf = (path: string) =>
  Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name).filter((name) => !HARMLESS.has(name));

/** Returns what a response tells of the other workspace; empty if nothing. */
function leaksIn(markup: string): string[] {
  const shown = markup.toLowerCase().includes(WORD) ? [WORD] : [];
  // Files and pictures are numbered in each submission.
  const ids = Object.entries(foreign).filter(([name]) => name !== 'fileId' && name !== 'imageId');
  return [...shown, ...ids.map(([, id]) => id).filter((id) => markup.includes(id))];
}

/** The rows about the other workspace, without what requests change of themselves. */
function foreignRows() {
  const { audit, sessions, members, users, inbox_views, inbox_layouts, counters, ...tables } = contentsOf(
    world.instance,
  );
  const ids = Object.values(foreign).filter((id) => id.length > 8);
  const isForeign = (row: Record<string, unknown>) =>
    Object.values(row).some((value) => typeof value === 'string' && ids.some((id) => value.includes(id)));
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.filter(isForeign)]));
}

describe.each(MEMBERS)('a limited %s', (role) => {
  test('gets 403 or 404 from every address with a foreign id, and changes nothing', async () => {
    const who = await limited(role);
    const before = foreignRows();
    const wrong: string[] = [];
    for (const { method, path } of world.routes) {
      const params = paramsOf(path);
      // Each foreign id among own ones, and all foreign.
      const mixes = params.map((name) => ({ ...own, [name]: foreign[name] ?? '' }));
      for (const values of params.length === 0 ? [] : [foreign, ...mixes]) {
        const address = world.pathOf(path, values);
        const answer =
          method === 'GET' ? await who.get(address) : await who.post(address, { name: 'x', role: 'viewer' });
        const markup = await answer.text();
        if (![403, 404].includes(answer.status)) wrong.push(`${method} ${address}: ${answer.status}`);
        for (const leak of leaksIn(markup.replaceAll(address, ''))) wrong.push(`${method} ${address}: ${leak}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(foreignRows()).toEqual(before);
  });

  test('finds nothing foreign on any page, in any part, search, count or export', async () => {
    const who = await limited(role);
    const wrong: string[] = [];
    const seen = new Set<string>();
    const addresses = new Set(['/dashboard/forms', '/dashboard/inbox', '/dashboard/mail', '/dashboard/team']);
    for (const part of ['all', 'inbox', 'unread', 'spam', 'unconfirmed', 'starred', 'assigned', 'maybe', 'trash']) {
      addresses.add(`/dashboard/inbox?part=${part}`);
      addresses.add(`/dashboard/inbox?part=${part}&q=${SEARCHED}`);
    }
    for (const state of ['queued', 'retrying', 'dead', 'sent']) addresses.add(`/dashboard/mail?state=${state}`);
    for (const { method, path } of world.routes) {
      if (method !== 'GET' || path.includes('erase')) continue;
      if (paramsOf(path).every((name) => name in own)) addresses.add(world.pathOf(path, own));
    }
    for (const address of addresses) {
      if (seen.size > 250) break;
      const { pathname } = new URL(address, 'http://here.invalid');
      if (/sign-out|\/docs|\/assets\//.test(pathname)) continue;
      const markup = await (await who.get(address)).text();
      seen.add(address);
      const asked = new RegExp(`value="${SEARCHED}"|q=${SEARCHED}`, 'g');
      for (const leak of leaksIn(markup.replaceAll(asked, ''))) wrong.push(`${address}: ${leak}`);
      for (const [, to = ''] of markup.matchAll(/ href="(\/dashboard[^"#]*)/g))
        addresses.add(to.replaceAll('&amp;', '&'));
    }
    expect(wrong).toEqual([]);
    expect(seen.size).toBeGreaterThan(30);
    expect(await who.page('/dashboard/inbox?part=all')).toContain('plain');
    // The same address tells an unlimited member.
    const everything = await signIn(world.instance, world.owner, {}, role);
    expect(leaksIn(await everything.page(`/dashboard/inbox?part=all`))).not.toEqual([]);
  });

  test('is shown no alarm of other workspaces, and no mail of the team', async () => {
    const strip = (markup: string) => /<aside class="strip.*?<\/aside>/s.exec(markup)?.[0] ?? '';
    const everything = await signIn(world.instance, world.owner, {}, role);
    expect(await everything.page('/dashboard/mail?state=dead')).toContain(`team@${WORD}.example`);
    const who = await limited(role);
    expect(await who.page('/dashboard/mail?state=dead')).not.toContain(WORD);
    // The whole page: alarms may be in a strip or in the sections.
    const [all, some] = [await everything.page('/dashboard/forms'), await who.page('/dashboard/forms')];
    if (role === 'editor') expect(leaksIn(all).length).toBeGreaterThan(0);
    expect(strip(some)).toBe('');
    expect(leaksIn(some)).toEqual([]);
  });

  test('does not see what belongs to the whole team', async () => {
    const who = await limited(role);
    for (const name of ['usage', 'audit', 'keys', 'erase', 'status', 'spam']) {
      expect([name, (await who.get(`/dashboard/${name}`)).status]).toEqual([name, 403]);
    }
    const stranger = await signIn(world.instance, world.owner, {}, 'viewer');
    const { store } = world.instance.context;
    const { teamId, workspaceId } = world.owner;
    await store.members.changeRole(teamId, stranger.user.id, 'viewer', undefined, [workspaceId]);
    const team = await who.page('/dashboard/team');
    expect(team).toContain(world.me.user.email);
    expect(team).toContain(who.user.email);
    expect(team).not.toContain(stranger.user.email);
  });
});

describe('a limited editor who posts foreign ids', () => {
  test('changes no foreign row by bulk actions, moves, new forms, mails or workspaces', async () => {
    const who = await limited('editor');
    const before = foreignRows();
    const { formId = '', submissionId = '', workspaceId = '' } = foreign;
    const commands = ['read', 'unread', 'spam', 'genuine', 'trash', 'restore', 'star', 'unstar', 'delete', 'empty'];
    for (const command of commands) {
      const fields = { do: command, submission: submissionId, confirmed: 'yes', part: 'all', in: 'inbox' };
      await who.post('/dashboard/submissions', fields);
      await who.post('/dashboard/submissions', { ...fields, all: 'yes', form: formId, upto: '2100-01-01T00:00:00Z' });
      await who.post('/dashboard/submissions', { ...fields, do: `${command} ${submissionId}` });
    }
    await who.post('/dashboard/mail/retry', { state: 'retrying' });
    await who.post('/dashboard/mail/dismiss', { state: 'dead' });
    expect((await who.post('/dashboard/forms/new', { name: 'X', workspace: workspaceId })).status).toBe(400);
    expect((await who.post(`/dashboard/forms/${own.formId}/move`, { workspace: workspaceId })).status).toBe(404);
    expect((await who.post('/dashboard/workspaces', { name: 'X' })).status).toBe(403);
    expect(foreignRows()).toEqual(before);
  });

  test('cannot assign to members who do not see the form', async () => {
    const { instance, owner, me } = world;
    const { store } = instance.context;
    const inner = await limited('editor');
    expect(await me.page(world.pathOf('/dashboard/submissions/:submissionId'))).not.toContain(inner.user.email);
    const assign = (id = '') => store.messages.assignSubmission([id], owner.teamId, inner.user.id);
    expect(await assign(foreign.submissionId)).toEqual([]);
    const ids = (await store.submissions.list(owner.teamId, own.formId ?? '', { before: null, limit: 1 }))?.items;
    const id = ids?.[0]?.id ?? own.submissionId ?? '';
    expect(await assign(id)).toEqual([id]);
    // An assignment ends with the access.
    await store.members.changeRole(owner.teamId, inner.user.id, 'editor', undefined, [owner.workspaceId]);
    expect((await store.submissions.findStored(id, owner.teamId))?.assignedTo).toBeNull();
  });
});

test('a saved view of another workspace is not shown to a member who was limited', async () => {
  const { instance, owner } = world;
  const who = await signIn(instance, owner, {}, 'viewer');
  await who.post('/dashboard/inbox/views', { name: 'Harps only', list: `form=${foreign.formId}` });
  await who.post('/dashboard/inbox/views', { name: 'Everything', list: 'part=all' });
  expect(await who.page('/dashboard/inbox')).toContain('Harps only');
  await instance.context.store.members.changeRole(owner.teamId, who.user.id, 'viewer', undefined, [second]);
  const inbox = await who.page('/dashboard/inbox');
  expect(inbox).not.toContain('Harps only');
  expect(inbox).toContain('Everything');
  expect((await who.get(`/dashboard/inbox?form=${foreign.formId}`)).status).toBe(404);
});

test('a form moved out of reach is gone with the next request, and a deleted workspace leaves nothing', async () => {
  const { instance, owner } = world;
  const { context } = instance;
  const { store } = context;
  const third = await createWorkspace({ ...context, plans: context.config.plans }, owner.teamId, 'Third');
  const form = await instance.makeForm({ ...owner, workspaceId: third.id }, { name: 'Wanderer' });
  const who = await signIn(instance, owner, {}, 'editor');
  await store.members.changeRole(owner.teamId, who.user.id, 'editor', undefined, [third.id]);
  const path = `/dashboard/forms/${form.id}`;
  expect((await who.get(path)).status).toBe(200);
  await store.forms.update(form.id, { workspaceId: second }, owner.teamId);
  expect((await who.get(path)).status).toBe(404);
  expect(await store.workspaces.delete(third.id, owner.teamId)).toBe(true);
  const list = await who.page('/dashboard/forms');
  for (const name of ['Wanderer', 'Open form', WORD]) expect(list).not.toContain(name);
  expect((await who.get(`/dashboard/inbox?workspace=${second}`)).status).toBe(404);
  expect(await world.me.page('/dashboard/team')).toContain('sees only <bdi>nothing');
});

describe('owners choose workspaces', () => {
  const welcomeIn = (markup: string) => /\/dashboard\/welcome\/[\w-]{43}/.exec(markup)?.[0] ?? '';
  const reachOf = async (userId: string) =>
    (await world.instance.context.store.members.list(world.owner.teamId)).find((one) => one.userId === userId)
      ?.workspaceIds;

  test('in an invitation, which says what one will see', async () => {
    const { me, instance, owner } = world;
    expect(await me.page('/dashboard/team')).toContain(`name="workspace" value="${second}"`);
    const made = await me.post('/dashboard/team/invitations', { role: 'viewer', workspace: second });
    const path = welcomeIn(await made.text());
    const guest = await signIn(instance, await instance.makeOwner());
    const page = await guest.page(path);
    expect(page).toContain('Second');
    expect(page).not.toContain(WORD);
    expect((await guest.post(path, { join: 'yes' })).status).toBe(303);
    expect(await reachOf(guest.user.id)).toEqual([second]);
    const unknown = await me.post('/dashboard/team/invitations', { role: 'viewer', workspace: own.formId ?? '' });
    expect(unknown.status).toBe(404);
    // Owners see all, also one who was limited before.
    const account = await makeAccount(instance, owner, {}, 'viewer');
    await me.post(`/dashboard/team/members/${account.id}`, { role: 'viewer', workspace: second });
    await instance.context.store.members.changeRole(owner.teamId, account.id, 'owner');
    expect(await reachOf(account.id)).toBeNull();
  });

  test('of a member, and none is an error instead of all', async () => {
    const { me, instance, owner } = world;
    const { user } = await signIn(instance, owner, {}, 'viewer');
    const path = `/dashboard/team/members/${user.id}`;
    expect(await reachOf(user.id)).toBeNull();
    expect((await me.post(path, { role: 'viewer', workspaces: 'some', workspace: second })).status).toBe(303);
    expect(await reachOf(user.id)).toEqual([second]);
    expect((await me.post(path, { role: 'editor' })).status).toBe(303);
    expect(await reachOf(user.id)).toEqual([second]);
    expect((await me.post(path, { role: 'editor', workspaces: 'some' })).status).toBe(400);
    expect((await me.post(path, { role: 'editor', workspace: [second, 'wsp_none'] })).status).toBe(404);
    expect(await reachOf(user.id)).toEqual([second]);
    expect((await me.post(path, { role: 'editor', workspaces: 'all', workspace: second })).status).toBe(303);
    expect(await reachOf(user.id)).toBeNull();
    expect(await me.page('/dashboard/audit')).toContain('Workspaces');
  });
});

test('a limited store itself finds and changes nothing foreign, also in transactions', async () => {
  const { instance, owner } = world;
  const { store, clock } = instance.context;
  const { formId = '', submissionId = '', webhookId = '', workspaceId = '' } = foreign;
  const { teamId } = owner;
  const before = foreignRows();
  for (const reach of [[second], []]) {
    const some = store.within(reach);
    expect(await some.submissions.find(submissionId, teamId)).toBeNull();
    expect(await some.submissions.findStored(submissionId, teamId)).toBeNull();
    expect((await some.submissions.findForms([submissionId], teamId)).size).toBe(0);
    expect(await some.forms.update(formId, { name: 'Mine' }, teamId)).toBeNull();
    expect(await some.webhooks.update(webhookId, { isActive: true }, teamId)).toBeNull();
    expect(await some.workspaces.find(workspaceId)).toBeNull();
    expect(await some.trash.moveForm(formId, teamId, clock())).toBe(false);
    expect(await some.inbox.markRead([submissionId], teamId, clock())).toEqual([]);
    expect([...(await some.forms.readStats(teamId, clock())).keys()]).not.toContain(formId);
    expect(await some.usage.countFileGrowth(teamId, 0)).toBe(0);
  }
  expect(await store.submissions.find(submissionId, teamId)).not.toBeNull();
  expect(await store.usage.countFileGrowth(teamId, 0)).toBeGreaterThan(0);
  expect(foreignRows()).toEqual(before);
});

/** Queries by team that no limited member can ask: those of jobs and commands. */
const UNLIMITED = ['stores/reach.ts', 'stores/stats.ts', 'sqlite/accept-statements.ts'];

test('no query of the stores compares the team of a workspace by itself', () => {
  const folder = join(import.meta.dir, '../../../src/storage');
  const found: string[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || UNLIMITED.includes(name)) continue;
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      // The deletion of a team asks by `id`.
      if (/eq\(workspaces\.teamId, (?!id\))|\bw\.team_id = \$\{/.test(line)) found.push(`${name}: ${line.trim()}`);
    }
  }
  expect(found).toEqual([]);
});
