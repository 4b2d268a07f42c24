import type { Form } from '../domain/form.ts';
import type { Payload, UploadedFile } from '../domain/submission.ts';
import { toSingleLine } from '../lib/one-line.ts';
import { type Row, renderHtml, renderText } from './layout.tsx';
import type { MailLocale } from './locale.ts';
import type { Message } from './mailer.ts';
import { toSubject } from './subject.ts';
import { EMPTY_TEXT, fileNameText, maskedBeginning, truncate, valueText } from './value-text.ts';

/**
 * The parts of a notification. `payload` is the original, `replyTo` is the result of `replyAddress`, and `url` is the
 * submission's page in the dashboard (null without `BASE_URL`).
 */
export type NotificationParts = Readonly<{
  locale: MailLocale;
  form: Form;
  submissionId: string;
  url: string | null;
  payload: Payload;
  files: readonly UploadedFile[];
  /** False if the form attaches files but these can't be attached. */
  areFilesAttachable: boolean;
  replyTo: string | null;
}>;

const MAX_VALUE_LENGTH = 2_000;
/** Keeps mails below about 100 KB; large providers clip longer ones. */
const MAX_TOTAL_LENGTH = 50_000;
const MAX_NAME_LENGTH = 100;

/** Composes the mail that notifies an owner of a new submission. */
export function notificationMail(parts: NotificationParts) {
  const { locale, form, submissionId, url, payload, files, areFilesAttachable, replyTo } = parts;
  const { language, texts } = locale;
  const { notification: t } = texts;
  const title = t.title(toSingleLine(form.name, MAX_NAME_LENGTH));
  const sentSubject = payload.find(([field]) => field === '_subject')?.[1] ?? null;
  const maskedSubject = maskedBeginning('_subject', sentSubject, MAX_VALUE_LENGTH);
  const subject = typeof maskedSubject === 'string' ? toSubject(maskedSubject) : '';
  // Unless the subject line shows `_subject` unchanged, the field is listed with the others.
  const fields = subject === maskedSubject ? payload.filter(([field]) => field !== '_subject') : payload;
  const name = texts.submission(submissionId);
  const content = {
    language,
    title,
    rows: [...fieldRows(locale, form, fields, url), ...fileRows(locale, files, areFilesAttachable ? null : url)],
    notes: [
      ...(areFilesAttachable ? [] : [t.notAttached]),
      replyTo === null ? t.noReply : t.reply(replyTo),
      url === null ? name : { text: name, url },
      texts.form(form.id),
    ],
  };
  return {
    replyTo,
    subject: subject || toSubject(title),
    text: renderText(content),
    html: renderHtml(content),
    autoSubmitted: 'auto-generated',
  } as const satisfies Partial<Message>;
}

function fieldRows({ texts, number }: MailLocale, { fields }: Form, payload: Payload, url: string | null): Row[] {
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  const dashboard = url === null ? {} : { link: { text: texts.openInDashboard, url } };
  const rows: Row[] = [];
  let remaining = MAX_TOTAL_LENGTH;
  for (const [name, value] of payload) {
    if (remaining <= 0) break;
    const maxLength = Math.min(MAX_VALUE_LENGTH, remaining);
    const text = valueText(maskedBeginning(name, value, maxLength));
    const row = {
      name: toSingleLine(labels.get(name) || name, MAX_NAME_LENGTH) || EMPTY_TEXT,
      text: truncate(text, maxLength, texts.shortened) || EMPTY_TEXT,
      ...(text.length > maxLength && dashboard),
    };
    remaining -= row.name.length + row.text.length;
    rows.push(row);
  }
  const more = payload.length - rows.length;
  if (more === 0) return rows;
  return [...rows, { name: null, text: texts.notification.more(number(more)), ...dashboard }];
}

/** Returns the names and sizes of the files, with a link if `url` is set. */
function fileRows({ texts, size: formatSize }: MailLocale, files: readonly UploadedFile[], url: string | null): Row[] {
  if (files.length === 0) return [];
  const lines = files.map((file) => `${fileNameText(file)} (${formatSize(file.size)})`);
  const link = url === null ? {} : { link: { text: texts.openInDashboard, url } };
  return [{ name: texts.notification.files(files.length), text: lines.join('\n'), ...link }];
}
