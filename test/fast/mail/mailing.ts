import PostalMime, { type Email } from 'postal-mime';
import type { Form, FormSettings } from '../../../src/domain/forms/form.ts';
import type { Role } from '../../../src/domain/teams/roles.ts';
import { type Clock, DAY } from '../../../src/lib/clock.ts';
import { newId } from '../../../src/lib/ids.ts';
import { markSubmission } from '../../../src/services/submissions/mark-submission.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { type Received, type SmtpSink, startSmtp } from '../../support/smtp.ts';

/** A received mail: its envelope and its parsed content. */
export type Arrived = Readonly<{ envelope: Received; mail: Email }>;

type Send = (form: Form, body: Parameters<Instance['post']>[1], headers?: Record<string, string>) => Promise<Arrived[]>;

export type Mailing = Readonly<{
  instance: Instance;
  smtp: SmtpSink;
  /** Creates a form of the instance's owner. */
  form: (settings?: Partial<FormSettings & Pick<Form, 'name'>>) => Promise<Form>;
  /** Posts to a form, requires 200, and returns the mails sent until the queue is empty. */
  sent: Send;
  /** Like `sent`, but marks flagged submissions as genuine first. */
  released: Send;
  /** Posts to several forms at once, marks flagged submissions as genuine, and returns the mails of each form. */
  releasedEach: (posts: ReadonlyArray<Parameters<Send>>) => Promise<Arrived[][]>;
  /** Sends all due mails and returns them. */
  drained: () => Promise<Arrived[]>;
  stop: () => Promise<void>;
}>;

export const OWNER = 'owner@shop.example';
export const SENDER = 'forms@mail.example';

/** Starts an instance with a mail server of its own. */
export async function startMailing(env: Record<string, string> = {}, clock?: Clock): Promise<Mailing> {
  const smtp = await startSmtp();
  const instance = await startInstance({
    env: { SMTP_URL: smtp.url, MAIL_FROM: `Forms <${SENDER}>`, ...env },
    ...(clock && { clock }),
  });
  /** Repeats until no mail is queued: the job loop may have claimed one in the meantime. */
  const drain = async () => {
    const { mail, store } = instance.context;
    do await mail?.outbox.drain();
    while ((await store.mails.list({ state: 'queued', limit: 1 })).length > 0);
  };
  /** Count of the mails that were returned. */
  let seen = 0;
  const drainedSince = async (start: number) => {
    await drain();
    seen = smtp.mails.length;
    return Promise.all(smtp.mails.slice(start, seen).map(parsed));
  };
  // With those that the job loop has sent meanwhile.
  const drained = () => drainedSince(seen);
  const post = async (...[form, body, headers]: Parameters<Send>) => {
    const answer = await instance.post(form.id, body, headers);
    if (answer.status !== 200) throw new Error(`the post was refused: ${await answer.text()}`);
  };
  const sent: Send = async (form, body, headers) => {
    const before = smtp.mails.length;
    await post(form, body, headers);
    return drainedSince(before);
  };
  const released: Send = async (form, body, headers) => {
    const mails = await sent(form, body, headers);
    const flagged = await instance.context.store.submissions.listRecent(form.id, { onlySpam: true, limit: 10 });
    for (const { id } of flagged ?? []) await markSubmission(instance.context, id, false);
    return [...mails, ...(await drained())];
  };
  const releasedEach: Mailing['releasedEach'] = async (posts) => {
    const { store } = instance.context;
    const before = smtp.mails.length;
    await Promise.all(posts.map((one) => post(...one)));
    for (const [{ id }] of posts) {
      const flagged = await store.submissions.listRecent(id, { onlySpam: true, limit: 10 });
      for (const submission of flagged ?? []) await markSubmission(instance.context, submission.id, false);
    }
    const arrived = await drainedSince(before);
    const known = await store.mails.list({ state: 'sent', limit: 10_000 });
    const formIds = new Map(known.map(({ messageId, formId }) => [messageId, formId]));
    return posts.map(([form]) => arrived.filter(({ envelope }) => formIds.get(envelope.messageId) === form.id));
  };
  return {
    instance,
    smtp,
    form: (settings) => instance.makeForm(instance.owner, { notify: [OWNER], ...settings }),
    sent,
    released,
    releasedEach,
    drained,
    stop: async () => {
      await instance.stop();
      await smtp.stop();
    },
  };
}

/** Creates a user with this address and adds them to a team. */
export async function addMember(
  { context: { store, clock } }: Instance,
  teamId: string,
  email: string,
  { role = 'owner', language = null }: Partial<Readonly<{ role: Role; language: string | null }>> = {},
): Promise<void> {
  const secret = newId('secret');
  const createdAt = clock();
  const times = { createdAt, expiresAt: createdAt + DAY };
  await store.users.createLink(secret, {
    teamId,
    userId: null,
    role,
    email: null,
    newEmail: null,
    createdBy: null,
    ...times,
  });
  await store.users.createByLink(
    secret,
    { id: newId('usr'), email, name: null, theme: null, language, timeZone: null, createdAt },
    'hash',
  );
}

/** Returns the only mail; throws if there are none or several. */
export function only(mails: readonly Arrived[]): Arrived {
  const [mail, ...rest] = mails;
  if (mail && rest.length === 0) return mail;
  throw new Error(`expected one mail, got ${mails.length}`);
}

export async function parsed(envelope: Received): Promise<Arrived> {
  return { envelope, mail: await PostalMime.parse(envelope.raw) };
}

/** Returns the values of a header, in order. */
export function header({ mail }: Arrived, name: string): string[] {
  return mail.headers.filter(({ key }) => key === name).map(({ value }) => value);
}
