import type { Context } from '../../../context/context.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { asQuote, quoteText } from '../../../domain/submissions/quote.ts';
import type { Payload, StoredSubmission } from '../../../domain/submissions/submission.ts';
import { toSingleLine } from '../../../lib/one-line.ts';
import { replyTarget } from '../../../services/submissions/messages.ts';
import type { Viewer } from '../../viewer.ts';
import type { ReplyRoute } from './opened.ts';

/** Characters of a link that every mail program takes. */
const MAX_BODY_LENGTH = 1_600;
const MAX_SUBJECT_LENGTH = 120;

/** Returns sender and recipient of a reply from the page; null without a mail server or an address. */
export function getReplyRoute(
  mail: Context['mail'],
  form: Form,
  payload: Payload | null,
  author: string,
): ReplyRoute | null {
  const to = replyTarget(payload);
  if (!mail || to === null) return null;
  return { to, from: `${form.senderName ?? form.name} <${mail.sender}>`, answersTo: form.replyTo ?? author };
}

/** Returns the subject of a reply: the submission's, else the form's name. */
export function getReplySubject(viewer: Viewer, form: Form, payload: Payload | null): string {
  const subject = payload?.find(([name]) => name === '_subject')?.[1];
  const text = typeof subject === 'string' ? toSingleLine(subject, MAX_SUBJECT_LENGTH) : '';
  return viewer.texts.submission
    .answer(text || toSingleLine(form.name, MAX_SUBJECT_LENGTH))
    .replace(/^(re: )+/i, 'Re: ');
}

/** Returns the link that opens a mail program with the submission quoted; null without an address. */
export function getMailTo(
  viewer: Viewer,
  form: Form,
  payload: Payload | null,
  { createdAt }: StoredSubmission,
): string | null {
  const to = replyTarget(payload);
  if (to === null || payload === null) return null;
  const [user = '', domain = ''] = to.split('@');
  const subject = encodeURIComponent(getReplySubject(viewer, form, payload));
  const wrote = viewer.texts.submission.wrote(viewer.formatTime(createdAt), to);
  const getBody = (length: number) => {
    const quote = quoteText(form, payload, length);
    return quote === '' ? '' : encodeURIComponent(`\r\n\r\n${wrote}\r\n${asQuote(quote).replaceAll('\n', '\r\n')}`);
  };
  let length = MAX_BODY_LENGTH;
  while (getBody(length).length > MAX_BODY_LENGTH && length > 1) length = Math.floor(length / 2);
  const body = getBody(length);
  return `mailto:${encodeURIComponent(user)}@${domain}?subject=${subject}${body && `&body=${body}`}`;
}
