import type { Form } from '../domain/form.ts';
import type { Payload, UploadedFile } from '../domain/submission.ts';
import { formatBytes } from '../lib/bytes.ts';
import { sanitizeFileName, truncateFileName } from '../lib/file-name.ts';
import { toSingleLine } from '../lib/one-line.ts';
import type { Attachment, Message } from './mailer.ts';
import { asHtml, asText, type Row } from './page.ts';
import { asSubject } from './subject.ts';
import { NOTHING, shorten, valueText } from './value-text.ts';

/**
 * What a notification is made of; `payload` is as it may be shown, `replyTo` as `replyAddress` found it, `url` where the
 * dashboard shows the submission: null where that is not known.
 */
export type Notified = Readonly<{
  form: Form;
  submissionId: string;
  url: string | null;
  payload: Payload;
  files: readonly UploadedFile[];
  /** Null where the files were to go with it and cannot. */
  attachments: readonly Attachment[] | null;
  replyTo: string | null;
}>;

const MAX_VALUE = 2_000;
/** Beyond some 100 KB the mail programs of large providers show only the beginning. */
const MAX_TOTAL = 50_000;
const MAX_NAME = 100;

/** Tells the owner of a submission. */
export function notification({ form, submissionId, url, payload, files, attachments, replyTo }: Notified) {
  const title = `New submission of “${toSingleLine(form.name, MAX_NAME)}”`;
  const given = payload.find(([field]) => field === '_subject')?.[1];
  const subject = typeof given === 'string' ? asSubject(given) : '';
  // One that the subject line does not show as it is stands among the rest.
  const shown = subject === given ? payload.filter(([field]) => field !== '_subject') : payload;
  const content = {
    title,
    rows: [...rowsOf(form, shown, url), ...filesRow(files)],
    notes: [
      ...(attachments === null ? ['The files are kept, but could not be attached to this mail.'] : []),
      replyTo === null ? 'It holds no e-mail address to answer to.' : `An answer to this mail goes to ${replyTo}.`,
      url === null ? `Submission ${submissionId}` : { text: `Submission ${submissionId}`, url },
      `Form ${form.id}`,
    ],
  };
  return {
    replyTo,
    subject: subject || asSubject(title),
    text: asText(content),
    html: asHtml(content),
    autoSubmitted: 'auto-generated',
    attachments: attachments ?? [],
  } as const satisfies Partial<Message>;
}

function rowsOf({ fields }: Form, payload: Payload, url: string | null): Row[] {
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  const whole = url === null ? {} : { link: { text: 'The whole is in the dashboard', url } };
  const rows: Row[] = [];
  let left = MAX_TOTAL;
  for (const [name, value] of payload) {
    if (left <= 0) break;
    const text = valueText(value);
    const longest = Math.min(MAX_VALUE, left);
    const row = {
      name: toSingleLine(labels.get(name) || name, MAX_NAME) || NOTHING,
      text: shorten(text, longest) || NOTHING,
      ...(text.length > longest && whole),
    };
    left -= row.name.length + row.text.length;
    rows.push(row);
  }
  const more = payload.length - rows.length;
  return more === 0
    ? rows
    : [...rows, { name: null, text: `… and ${more} more, which this mail has no room for.`, ...whole }];
}

function filesRow(files: readonly UploadedFile[]): Row[] {
  if (files.length === 0) return [];
  const lines = files.map(
    ({ name, id, size }) =>
      `${toSingleLine(truncateFileName(sanitizeFileName(name, id), 150), 150)} (${formatBytes(size)})`,
  );
  return [{ name: files.length === 1 ? 'File' : 'Files', text: lines.join('\n') }];
}
