import { fieldDescriber, sortByForm } from '../domain/fields/field-display.ts';
import type { Form } from '../domain/forms/form.ts';
import { describeReasons } from '../domain/spam/spam-reasons.ts';
import type { Payload, UploadedFile } from '../domain/submissions/submission.ts';
import type { Micros } from '../lib/clock.ts';
import { toSingleLine } from '../lib/one-line.ts';
import { getHeadline, type Headline } from './headline.ts';
import { type Link, MAX_ROWS_BYTES, type Row, renderHtml, renderText, rowBytes } from './layout.tsx';
import type { MailLocale } from './locale.ts';
import type { Message } from './mailer.ts';
import { MAX_COMPOSED_LENGTH, toSenderName, toSubject } from './subject.ts';
import { EMPTY_TEXT, fieldText, fileNameText, hasMasked, maskedBeginning, truncate } from './value-text.ts';

/**
 * The parts of a notification. `payload` is the original, `replyTo` is the result of `replyAddress`, and `url` is the
 * submission's page in the dashboard (null without `BASE_URL`).
 */
export type NotificationParts = Readonly<{
  locale: MailLocale;
  form: Form;
  receivedAt: Micros;
  url: string | null;
  payload: Payload;
  files: readonly UploadedFile[];
  /** The address to unsubscribe; null without one. */
  unsubscribeUrl: string | null;
  /** Why the submission may be spam; absent if it may not. */
  maybeSpam?: readonly string[];
  /** False if the form attaches files but these can't be attached. */
  areFilesAttachable: boolean;
  replyTo: string | null;
}>;

const MAX_VALUE_LENGTH = 2_000;
const MAX_NAME_LENGTH = 100;
/** Limit of the names of files together. */
const MAX_FILES_LENGTH = 3_000;
/** Limit of the visitor in a subject. */
const MAX_WHO_LENGTH = 40;
/** Limit of the spam reasons together. */
const MAX_REASONS_LENGTH = 300;
const MAX_PREVIEWED = 4;
const MAX_PREVIEW_LENGTH = 140;

/** Composes the mail that notifies an owner of a new submission. */
export function notificationMail(parts: NotificationParts) {
  const { locale, form, receivedAt, payload, replyTo, areFilesAttachable, unsubscribeUrl } = parts;
  const { language, texts } = locale;
  const { notification: t } = texts;
  const headline = getHeadline(form, payload);
  const title = t.title(toSingleLine(form.name, MAX_NAME_LENGTH));
  const { subject, isShownWhole } = getSubject(form, payload, headline, title, t.untitled);
  // Unless the subject line shows `_subject` unchanged, the field is listed with the others.
  const ordered = sortByForm(form.fields, payload);
  const fields = isShownWhole ? ordered.filter(([field]) => field !== '_subject') : ordered;
  const rows = [...maybeSpamRows(parts), ...toRows(parts, fields)];
  const content = {
    language,
    title,
    subtitle: t.received(locale.time(receivedAt, form.timeZone)),
    preview: headline.words ?? getPreview(parts),
    rows,
    actions: getActions(parts),
    notes: [
      ...(areFilesAttachable ? [] : [t.notAttached]),
      replyTo === null ? t.noReply : t.reply(replyTo),
      ...(unsubscribeUrl === null ? [] : [{ text: texts.unsubscribe, url: unsubscribeUrl }]),
    ],
  };
  return {
    replyTo,
    senderName: getSender(form, headline),
    subject,
    text: renderText(content),
    html: renderHtml(content),
    autoSubmitted: 'auto-generated',
  } as const satisfies Partial<Message>;
}

/**
 * Returns the subject that the visitor's page set as `_subject`, else the visitor and the first words of the message.
 * Threads keep one subject, because mailboxes open a new thread for another one.
 */
function getSubject(form: Form, payload: Payload, { name, address, words }: Headline, title: string, untitled: string) {
  const sent = payload.find(([field]) => field === '_subject')?.[1] ?? null;
  const masked = maskedBeginning('_subject', sent, MAX_VALUE_LENGTH);
  const own = typeof masked === 'string' ? toSubject(masked) : '';
  if (own !== '') return { subject: own, isShownWhole: own === masked };
  const who = name ?? (address && toSingleLine(address, MAX_WHO_LENGTH));
  // The name in From says the form, unless it has its own.
  const formName = form.senderName === null ? null : toSingleLine(form.name, MAX_WHO_LENGTH);
  const parts = [who ?? formName, words ?? (who === null ? null : formName) ?? untitled].filter(Boolean);
  const isComposed = !form.threadMails && (formName === null || who !== null || words !== null);
  const subject = toSubject(isComposed ? parts.join(' · ') : title, MAX_COMPOSED_LENGTH);
  return { subject, isShownWhole: own === masked };
}

/** Returns the name in From: the form's own, else the visitor's name with that of the form. */
function getSender(form: Form, { name }: Headline): string | null {
  if (form.senderName !== null) return toSenderName(form.senderName);
  // A name with an address in it would look like the sender's address.
  return toSenderName(name === null || name.includes('@') ? form.name : `${name} via ${form.name}`);
}

/** Returns links to pages that ask before they change anything. */
function getActions({ locale, url, replyTo, maybeSpam }: NotificationParts): Link[] {
  const { actions: t } = locale.texts;
  if (url === null) return [];
  return [
    { text: t.open, url },
    ...(replyTo === null ? [] : [{ text: t.reply, url: `${url}#reply` }]),
    ...(maybeSpam ? [{ text: t.genuine, url: `${url}/genuine` }] : []),
    { text: t.spam, url: `${url}/spam` },
  ];
}

/** Returns the line that warns of possible spam. */
function maybeSpamRows({ locale, maybeSpam }: NotificationParts): Row[] {
  if (!maybeSpam) return [];
  const reasons = describeReasons(maybeSpam, locale.language).join('; ');
  return [{ name: null, text: locale.texts.maybeSpam(toSingleLine(reasons, MAX_REASONS_LENGTH)) }];
}

/** Returns the fields that fit into a mail, and the files. */
function toRows(parts: NotificationParts, fields: Payload): readonly Row[] {
  const { locale, url, files, areFilesAttachable } = parts;
  const { texts, number } = locale;
  const dashboard = url === null ? {} : { links: [{ text: texts.openInDashboard, url }] };
  const ofFiles = fileRows(locale, files, areFilesAttachable ? {} : dashboard);
  const remaining = MAX_ROWS_BYTES - ofFiles.reduce((sum, row) => sum + rowBytes(row), 0);
  const ofFields = fieldRows(parts, fields, remaining, dashboard);
  const more = fields.length - ofFields.length;
  const rest = more === 0 ? [] : [{ name: null, text: texts.notification.more(number(more)), ...dashboard }];
  return [...ofFields, ...rest, ...ofFiles];
}

function fieldRows(
  { locale: { texts }, form }: NotificationParts,
  payload: Payload,
  maxBytes: number,
  dashboard: Pick<Row, 'links'>,
): readonly Row[] {
  const describe = fieldDescriber(form.fields, texts.values);
  const rows: Row[] = [];
  let remaining = maxBytes;
  for (const [name, value] of payload) {
    const { label, text } = fieldText(describe, name, maskedBeginning(name, value, MAX_VALUE_LENGTH));
    const row = {
      name: toSingleLine(label, MAX_NAME_LENGTH) || EMPTY_TEXT,
      text: truncate(text, MAX_VALUE_LENGTH, texts.shortened) || EMPTY_TEXT,
      isLinked: true,
      ...(text.length > MAX_VALUE_LENGTH && dashboard),
    };
    remaining -= rowBytes(row);
    if (remaining < 0) break;
    rows.push(row);
  }
  return rows;
}

/** Returns the names and sizes of the files, with a link if there is one. */
function fileRows(
  { texts, size: formatSize }: MailLocale,
  files: readonly UploadedFile[],
  dashboard: Pick<Row, 'links'>,
): Row[] {
  if (files.length === 0) return [];
  const lines = files.map((file) => `${fileNameText(file)} (${formatSize(file.size)})`);
  const text = truncate(lines.join('\n'), MAX_FILES_LENGTH, texts.shortened);
  return [{ name: texts.notification.files(files.length), text, ...dashboard }];
}

/** Returns the first values on one line, without masked ones. */
function getPreview({ locale, form, payload }: NotificationParts): string {
  const describe = fieldDescriber(form.fields, locale.texts.values);
  const values = sortByForm(form.fields, payload)
    .slice(0, MAX_PREVIEWED)
    .flatMap(([name, value]) => {
      if (hasMasked(name, value)) return [];
      const { label, text } = fieldText(describe, name, maskedBeginning(name, value, MAX_NAME_LENGTH));
      return text === '' ? [] : `${toSingleLine(label, MAX_NAME_LENGTH)}: ${toSingleLine(text, MAX_NAME_LENGTH)}`;
    });
  return toSingleLine(values.join(' · '), MAX_PREVIEW_LENGTH);
}
