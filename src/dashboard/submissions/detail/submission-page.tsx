/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { logoPath } from '../../../domain/forms/form-logo.ts';
import { asQuote, quoteText } from '../../../domain/submissions/quote.ts';
import { isUnconfirmed, type Payload, type StoredSubmission } from '../../../domain/submissions/submission.ts';
import { reaches } from '../../../domain/teams/roles.ts';
import { toSingleLine } from '../../../lib/one-line.ts';
import { readMessage, replyTarget } from '../../../services/submissions/messages.ts';
import * as reading from '../../../services/submissions/read-submission.ts';
import { flash, type Page, type PageContext } from '../../page.ts';
import { getSection, getSelection, isSearched } from '../../ui/inbox-list.ts';
import type { Viewer } from '../../viewer.ts';
import type { Draft, MailEntry, Opened, ReplyRoute, ThreadEntry } from './opened.ts';
import { SubmissionView } from './submission-view.tsx';
import { SUBMISSION_TEXTS } from './texts.ts';

/** Returns the page of a submission, with what was entered in a reply or note that could not be stored. */
export async function showOpened(page: PageContext<'read'>, opened: Opened, draft: Draft | null): Promise<Page> {
  const { context, viewer, team, query, user } = page;
  const { store, vault, log, mail } = context;
  const { sender } = mail;
  const { submission, form, list } = opened;
  const payload = reading.readPayload(vault, log, submission);
  const isTrashed = submission.trashedAt !== null;
  const props = {
    ...opened,
    ...(await readThread(context, submission.id)),
    viewer,
    payload,
    files: reading.readFiles(vault, log, submission),
    spamNote: reading.readSpamNote(vault, log, submission),
    source: reading.readSource(vault, log, submission),
    consent: reading.readConsent(vault, log, submission),
    logo: logoPath(form, await store.forms.findLogo(form.id)),
    sendsMail: sender !== null,
    neighbours: await getNeighbours(page, opened),
    members: viewer.can('edit')
      ? (await store.members.list(team.id)).filter(
          ({ userId, workspaceIds }) => reaches(workspaceIds, form.workspaceId) || userId === submission.assignedTo,
        )
      : [],
    userId: user.id,
    replyRoute: isUnconfirmed(submission) ? null : getReplyRoute(sender, form, payload, user.email),
    replySubject: getReplySubject(viewer, form, payload),
    mailTo: sender !== null || isTrashed ? null : getMailTo(viewer, form, payload, submission),
    draft,
    wasTrashed: query.get('done') === 'trashed',
    showsAll: query.get('thread') === 'all',
    firstField: Math.max(0, Math.trunc(Number(query.get('fields'))) || 0),
  };
  const t = SUBMISSION_TEXTS[viewer.language];
  const title = `${t.title} · ${form.name}`;
  return { title, section: getSection(list), done: flash(t.done, query), body: <SubmissionView {...props} /> };
}

/** None in a searched list, because a search can take long. */
async function getNeighbours({ context, viewer, team, user }: PageContext<'read'>, { submission, form, list }: Opened) {
  if (isSearched(list)) return null;
  const { store } = context;
  const forms = list.in === 'inbox' ? await store.forms.list(team.id) : [form];
  return store.inbox.findNeighbours(getSelection(list, forms, viewer.timeZone, user.id), submission.createdAt);
}

/** Reads the notes and replies of a submission, and its other mails. */
async function readThread(
  { store, vault, log }: Pick<Context, 'store' | 'vault' | 'log'>,
  submissionId: string,
): Promise<Readonly<{ entries: readonly ThreadEntry[]; mails: readonly MailEntry[] }>> {
  const stored = await store.inbox.listMailsOf(submissionId);
  const mails = stored.map((mail) => ({ mail, reason: reading.readMailReason(vault, log, mail) }));
  const messages = await store.messages.list([submissionId]);
  const entries = messages.map((message) => ({
    message,
    body: readMessage(vault, log, message),
    mail: mails.find(({ mail }) => mail.replyId === message.id) ?? null,
  }));
  return { entries, mails: mails.filter(({ mail }) => mail.kind !== 'reply') };
}

/** Characters of a link that every mail program takes. */
const MAX_BODY_LENGTH = 1_600;
const MAX_SUBJECT_LENGTH = 120;

/** Returns sender and recipient of a reply from the page; null without a mail server or an address. */
function getReplyRoute(sender: string | null, form: Form, payload: Payload | null, author: string): ReplyRoute | null {
  const to = replyTarget(payload);
  if (sender === null || to === null) return null;
  return { to, from: `${form.senderName ?? form.name} <${sender}>`, answersTo: form.replyTo ?? author };
}

/** Returns the subject of a reply: the submission's, else the form's name. */
function getReplySubject(viewer: Viewer, form: Form, payload: Payload | null): string {
  const subject = payload?.find(([name]) => name === '_subject')?.[1];
  const text = typeof subject === 'string' ? toSingleLine(subject, MAX_SUBJECT_LENGTH) : '';
  return SUBMISSION_TEXTS[viewer.language]
    .answer(text || toSingleLine(form.name, MAX_SUBJECT_LENGTH))
    .replace(/^(re: )+/i, 'Re: ');
}

/** Returns the link that opens a mail program with the submission quoted; null without an address. */
function getMailTo(
  viewer: Viewer,
  form: Form,
  payload: Payload | null,
  { createdAt }: StoredSubmission,
): string | null {
  const to = replyTarget(payload);
  if (to === null || payload === null) return null;
  const [user = '', domain = ''] = to.split('@');
  const subject = encodeURIComponent(getReplySubject(viewer, form, payload));
  const wrote = SUBMISSION_TEXTS[viewer.language].wrote(viewer.formatTime(createdAt), to);
  const getBody = (length: number) => {
    const quote = quoteText(form, payload, length);
    return quote === '' ? '' : encodeURIComponent(`\r\n\r\n${wrote}\r\n${asQuote(quote).replaceAll('\n', '\r\n')}`);
  };
  let length = MAX_BODY_LENGTH;
  while (getBody(length).length > MAX_BODY_LENGTH && length > 1) length = Math.floor(length / 2);
  const body = getBody(length);
  return `mailto:${encodeURIComponent(user)}@${domain}?subject=${subject}${body && `&body=${body}`}`;
}
