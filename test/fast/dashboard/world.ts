import { HOUR } from '../../../src/lib/clock.ts';
import { addNote } from '../../../src/services/submissions/messages.ts';
import { readFiles } from '../../../src/services/submissions/read-submission.ts';
import { createWorkspace } from '../../../src/services/teams/teams.ts';
import { createEmailLink } from '../../../src/services/users/accounts.ts';
import { hashToken, newToken } from '../../../src/services/users/sessions.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { Receiver } from '../../support/receiver.ts';
import { type SmtpSink, startSmtp } from '../../support/smtp.ts';
import { pagesAndActions } from './declarations.ts';
import { searchPerson } from './fresh-values.ts';
import { makePasskey, type SignedIn, signIn } from './signed-in.ts';

type Route = Readonly<{ method: string; path: string }>;

/** An instance with one of everything that pages show, in the team of `me`; `stranger` belongs to another. */
export type World = Readonly<{
  instance: Instance;
  smtp: SmtpSink;
  me: SignedIn;
  stranger: SignedIn;
  owner: Owner;
  /** The routes of the dashboard that the app has, but those of its assets and the one for what is not there. */
  routes: readonly Route[];
  /**
   * A route's path with what there is of `owner` in place of its parameters, unless `own` has something else. Throws for
   * one that it does not know.
   */
  pathOf: (path: string, own?: Readonly<Record<string, string>>) => string;
  stop: () => Promise<void>;
}>;

/** What no page may take for markup, as field names, values, names of files and forms. */
export type Texts = Readonly<{ formName: string; fields: Record<string, string>; fileName: string; keyName: string }>;

const PLAIN: Texts = {
  formName: 'Contact',
  fields: { name: 'Ada', email: 'ada@example.com', message: 'Do you repair harps?' },
  fileName: 'harp.txt',
  keyName: 'Backup',
};

/** A picture of one dot. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Makes such an instance. The caller stops it. */
export async function startWorld(texts: Texts = PLAIN): Promise<World> {
  const smtp = await startSmtp();
  // With a limit, so that there is a page of the usage.
  const plan = { api_access: true, submissions_limit: 10_000, storage_bytes: 1e9 };
  const PLANS = JSON.stringify({ unlimited: plan, roomy: { api_access: true, submissions_limit: null } });
  const env = { SMTP_URL: smtp.url, MAIL_FROM: 'Forms <forms@mail.example>', MCP: 'on', PLANS };
  const instance = await startInstance({ env });
  const { context } = instance;
  const owner = await instance.makeOwner();
  const me = await signIn(instance, owner);
  const stranger = await signIn(instance, await instance.makeOwner());
  const settings = { name: texts.formName, notify: ['owner@shop.example'], blockedWords: ['casino'] };
  const form = await instance.makeForm(owner, settings);
  await createWorkspace({ ...context, plans: context.config.plans }, owner.teamId, 'Second');
  const [archived, trashed] = [await instance.makeForm(owner), await instance.makeForm(owner)];
  await context.store.forms.update(archived.id, { archivedAt: context.clock() });
  await context.store.trash.moveForm(trashed.id, owner.teamId, context.clock());
  const receiver = new Receiver();
  const { webhook } = await createWebhook(context, form.id, 'standard', { url: `${receiver.url}/hook` });

  const body = new FormData();
  for (const [name, value] of Object.entries(texts.fields)) body.append(name, value);
  body.append('upload', new File(['the strings of a harp'], texts.fileName, { type: 'text/plain' }));
  body.append('picture', new File([PNG], 'harp.png', { type: 'image/png' }));
  await instance.post(form.id, body);
  await instance.post(form.id, { ...texts.fields, spam: 'casino' });
  await context.mail?.outbox.drain();
  await context.webhooks.drain();
  // What comes from now on waits, so that no delivery changes a row while a test compares them.
  await context.store.webhooks.update(webhook.id, { isActive: false });
  const [delivery] = await context.store.deliveries.list(webhook.id, { before: null, limit: 1 });

  const [submission] =
    (await context.store.submissions.listRecent(form.id, { onlySpam: false, limit: 10 }))?.slice(1) ?? [];
  if (!submission) throw new Error('nothing is stored');
  const [file, image] = readFiles(context.vault, context.log, submission);
  await addNote(
    context,
    submission,
    { user: me.user, teamId: owner.teamId },
    { id: '', subject: '', text: 'Call back.' },
  );
  const [note] = await context.store.messages.list([submission.id]);
  const [mail] = await context.store.mails.list({ state: null, limit: 1 });
  const key = await instance.makeKey(owner);
  const [session] = await context.store.sessions.list(me.user.id, 1);
  const makeLink = async (whose: Readonly<{ teamId: string | null; userId: string | null }>) => {
    const token = newToken();
    const now = context.clock();
    await context.store.users.createLink(hashToken(token), {
      ...whose,
      role: 'owner',
      email: null,
      newEmail: null,
      createdBy: null,
      createdAt: now,
      expiresAt: now + HOUR,
    });
    return token;
  };
  const welcome = await makeLink({ teamId: owner.teamId, userId: null });
  const reset = await makeLink({ teamId: null, userId: me.user.id });
  const { token: newEmail } = await createEmailLink(context, me.user.id, 'new@example.com');

  const erasureId = await searchPerson(me, 'ada@example.com');

  await me.post('/dashboard/inbox/views', { name: 'Spam', list: 'part=spam' });
  const [view] = await context.store.inboxPreferences.listViews(me.user.id, owner.teamId);

  const values: Record<string, string | undefined> = {
    erasureId,
    formId: form.id,
    submissionId: submission.id,
    fileId: file?.id,
    imageId: image?.id,
    messageId: note?.id,
    mailId: mail?.id,
    webhookId: webhook.id,
    deliveryId: delivery?.id,
    keyId: key.id,
    viewId: view?.id,
    sessionId: session?.id,
    passkeyId: await makePasskey(instance, me.user.id),
    workspaceId: owner.workspaceId,
    userId: me.user.id,
    invitationId: hashToken(welcome),
    section: 'general',
    preview: 'notification',
    index: '0',
    chapter: 'spam',
    // Of no asset.
    hash: 'none',
    name: 'none.css',
  };
  const tokenOf = (path: string) => (path.includes('email') ? newEmail : path.includes('reset') ? reset : welcome);
  const routes = pagesAndActions(context).filter(({ path }) => !path.includes('*'));
  return {
    instance,
    smtp,
    me,
    stranger,
    owner: { ...owner, form },
    routes: routes.map(({ method, path }) => ({ method, path })),
    pathOf: (path, own = {}) =>
      path.replace(/:(\w+)/g, (_, name: string) => {
        if (name === 'formId' && /:formId\/(?:restore|delete)$/.test(path)) return own[name] ?? trashed.id;
        const value = own[name] ?? (name === 'token' ? tokenOf(path) : values[name]);
        if (value === undefined) throw new Error(`nothing is known to put in place of :${name}`);
        return value;
      }),
    stop: async () => {
      await instance.stop();
      await smtp.stop();
      await receiver.stop();
    },
  };
}
