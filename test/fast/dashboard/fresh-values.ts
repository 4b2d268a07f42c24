import { addNote } from '../../../src/services/submissions/messages.ts';
import { createWorkspace } from '../../../src/services/teams/teams.ts';
import { createEmailLink, createInvitation, createResetLink } from '../../../src/services/users/accounts.ts';
import { hashToken } from '../../../src/services/users/sessions.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { until } from '../../support/until.ts';
import { makePasskey, type SignedIn, signIn } from './signed-in.ts';
import type { World } from './world.ts';

/** What a request to a path of the dashboard may need and may use up, made in the world for that request alone. */
export async function freshValues(world: World, path: string, who: SignedIn): Promise<Record<string, string>> {
  const { instance, owner } = world;
  const { context } = instance;
  const values: Record<string, string> = {};
  if (path.includes(':sessionId')) values.sessionId = (await context.store.sessions.list(who.user.id, 1))[0]?.id ?? '';
  if (path.includes(':passkeyId')) values.passkeyId = await makePasskey(instance, who.user.id);
  if (path.includes(':userId')) values.userId = (await signIn(instance, owner, {}, 'viewer')).user.id;
  if (path.includes(':keyId')) values.keyId = (await instance.makeKey(owner)).id;
  if (path.endsWith(':webhookId/delete')) {
    const url = 'http://127.0.0.1:1/';
    values.webhookId = (await createWebhook(context, owner.form.id, 'standard', { url })).webhook.id;
  }
  if (path.includes(':viewId')) values.viewId = await makeView(world, who);
  Object.assign(values, await freshForm(world, path));
  if (path.includes('/email/:token')) {
    values.token = (await createEmailLink(context, who.user.id, `${crypto.randomUUID()}@x.example`)).token;
  } else if (path.includes('/reset/:token')) values.token = (await createResetLink(context, who.user.id)).token;
  else if (/:(?:token|invitationId)/.test(path)) {
    const { token } = await createInvitation(context, {
      teamId: owner.teamId,
      role: 'viewer',
      email: null,
      createdBy: null,
    });
    Object.assign(values, { token, invitationId: hashToken(token) });
  }
  if (/^\/v1\/submissions\/delete$|submissionId\/(?:delete|trash|restore|notes\/)|:mailId/.test(path)) {
    await instance.post(owner.form.id, { message: 'once more' });
    const found = await context.store.submissions.list(owner.teamId, owner.form.id, { before: null, limit: 1 });
    values.submissionId = found?.items[0]?.id ?? '';
    if (path.endsWith('/restore')) {
      await context.store.trash.moveSubmissions([values.submissionId], owner.teamId, context.clock());
    }
    if (path.includes(':messageId')) {
      const author = { user: who.user, teamId: owner.teamId };
      const submission = await context.store.submissions.find(values.submissionId, owner.teamId);
      if (submission) await addNote(context, submission, author, { id: '', subject: '', text: 'Call back.' });
      values.messageId = (await context.store.messages.list([values.submissionId]))[0]?.id ?? '';
    }
  }
  if (path.includes(':erasureId')) {
    await instance.post(owner.form.id, { email: 'gone@example.com' });
    values.erasureId = await searchPerson(who, 'gone@example.com');
    if (path.endsWith('receipt.json')) {
      await finished(who, await who.post(world.pathOf('/dashboard/erase/:erasureId/delete', values)));
    }
  }
  if (path.includes(':mailId')) {
    values.mailId = await until(async () => {
      const [mail] = await context.store.inbox.listMailsOf(values.submissionId ?? '');
      return mail?.state === 'retrying' ? mail.id : null;
    }, 'a mail that failed');
  }
  return values;
}

/** Searches for a person, waits for the end, and returns the id of the search; empty if that is refused. */
export async function searchPerson(who: SignedIn, address: string): Promise<string> {
  const path = await finished(who, await who.post('/dashboard/erase', { address }));
  return path.split('/').at(-1) ?? '';
}

/** Waits for the end of a search or an erasure, and returns the path of its page. */
async function finished(who: SignedIn, answer: Response): Promise<string> {
  const path = answer.headers.get('location') ?? '';
  const isRunning = async () => (await (await who.get(path)).text()).includes('data-follow');
  if (path) await until(async () => !(await isRunning()), 'the end of the search or the erasure');
  return path;
}

/** A form or workspace for an action that moves, archives or deletes it. */
export async function freshForm({ instance, owner }: World, path: string): Promise<Record<string, string>> {
  const { context } = instance;
  if (/:formId\/(?:trash|restore|delete|duplicate|archive|unarchive|move)$/.test(path)) {
    const { id } = await instance.makeForm(owner);
    if (/restore$|^\/dashboard\/.*\/delete$/.test(path))
      await context.store.trash.moveForm(id, owner.teamId, context.clock());
    return { formId: id };
  }
  if (!/:workspaceId\/(?:sort|delete)$/.test(path)) return {};
  const deps = { ...context, plans: context.config.plans };
  return { workspaceId: (await createWorkspace(deps, owner.teamId, 'Fresh')).id };
}

/** The query with which there is something behind a path. */
export async function freshQuery(world: World, path: string, who: SignedIn): Promise<string> {
  if (!path.endsWith('/export/progress')) return '';
  const run = `?run=${crypto.randomUUID().replaceAll('-', '')}`;
  await (await who.get(world.pathOf(path.replace('/progress', '.csv')) + run)).arrayBuffer();
  return run;
}

/** Saves a view of a user and returns its id. */
async function makeView({ instance, owner }: World, { user, post }: SignedIn): Promise<string> {
  await post('/dashboard/inbox/views', { name: 'Spam', list: 'part=spam' });
  return (await instance.context.store.inboxPreferences.listViews(user.id, owner.teamId)).at(-1)?.id ?? '';
}
