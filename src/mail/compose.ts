import type { Form } from '../domain/form.ts';
import { type CapWarning, replyAddress, type Summary } from '../domain/mail.ts';
import { maskPayload } from '../domain/masking.ts';
import type { Plans } from '../domain/plan.ts';
import type { StoredSubmission, UploadedFile } from '../domain/submission.ts';
import type { Clock } from '../lib/clock.ts';
import { sanitizeFileName, truncateFileName } from '../lib/file-name.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { ClaimedMail, Store } from '../storage/store.ts';
import { openFile } from '../vault/file-cipher.ts';
import { filesAad, payloadAad, UnreadableRecordError, type Vault } from '../vault/vault.ts';
import { autoReply } from './auto-reply.ts';
import { capWarning } from './cap-warning.ts';
import { submissionUrl } from './dashboard-link.ts';
import type { Attachment, Message } from './mailer.ts';
import { notification } from './notification.ts';
import { summaryMail } from './summary.ts';

/**
 * What mails are made of and with; `attachLimit` is in bytes, for the files of one mail together, and `baseUrl` null where
 * no one knows under which address this instance is reached.
 */
export type MailDeps = Readonly<{
  store: Store;
  vault: Vault;
  blobs: Blobs;
  attachLimit: number;
  baseUrl: string | null;
  plans: Plans;
  clock: Clock;
}>;

const MAX_FILE_NAME = 150;

/**
 * The message of a mail, made anew of what it is about each time. Null if it is not to be sent any more: what it is about
 * is gone, over or spam by now, or whom it is for is no longer told or answered. Throws `UnreadableRecordError` if the
 * submission was damaged.
 */
export async function composeMail(deps: MailDeps, mail: ClaimedMail): Promise<Message | null> {
  const { to, thread, parts } = (await partsOf(deps, mail)) ?? {};
  if (!to || !parts) return null;
  const [, domain = 'localhost'] = mail.messageId.split(/@|>/);
  const references = thread ? `<${thread}@${domain}>` : null;
  return { ...parts, to, messageId: mail.messageId, date: mail.createdAt, references };
}

/** `thread` is what names the conversation that it belongs to. */
type Parts = Readonly<{
  to: string | null;
  thread: string | null;
  parts: Omit<Message, 'to' | 'messageId' | 'date' | 'references'> | null;
}>;

async function partsOf(deps: MailDeps, mail: ClaimedMail): Promise<Parts | null> {
  switch (mail.kind) {
    case 'notification':
    case 'auto_reply':
      return ofSubmission(deps, mail);
    case 'digest':
    case 'held_back':
      return ofForm(deps, mail);
    case 'cap_warning':
      return ofTeam(deps, mail);
  }
}

async function ofSubmission(
  deps: MailDeps,
  { kind, submissionId, recipient }: ClaimedMail & Readonly<{ submissionId: string }>,
): Promise<Parts | null> {
  const found = await deps.store.findSubmissionWithForm(submissionId);
  if (!found || found.submission.isSpam) return null;
  const { submission, form } = found;
  const sent = deps.vault.openPayload(submission.payload, payloadAad(submission.id, form.id));
  const payload = maskPayload(sent);
  const replyTo = replyAddress(sent);
  if (kind === 'auto_reply') {
    return { to: form.autoReplyText === null ? null : replyTo, thread: null, parts: autoReply(form, payload) };
  }
  const to = toldBy(form, recipient);
  if (to === null) return null;
  const files = filesOf(deps, submission);
  const attachments = form.attachFiles ? await attachmentsOf(deps, files) : [];
  const url = submissionUrl(deps.baseUrl, submission.id);
  const parts = notification({ form, submissionId, url, payload, files, attachments, replyTo });
  return { to, thread: threadOf(form), parts };
}

async function ofForm(deps: MailDeps, mail: ClaimedMail & Summary): Promise<Parts | null> {
  const form = await deps.store.findPublicForm(mail.formId);
  if (!form) return null;
  const to = toldBy(form, mail.recipient);
  return to === null ? null : { to, thread: threadOf(form), parts: await summaryMail(deps, form, mail) };
}

async function ofTeam({ store, plans, clock }: MailDeps, mail: ClaimedMail & CapWarning): Promise<Parts | null> {
  if (mail.coversUntil <= clock()) return null;
  const person = mail.recipient === null ? null : await store.findUserByEmail(mail.recipient);
  const memberships = person ? await store.listMembershipsOf(person.id) : [];
  const team = memberships.find((membership) => membership.team.id === mail.teamId)?.team;
  if (!team) return null;
  const used = await store.countUsage(team.id, mail.coversFrom);
  return { to: mail.recipient, thread: null, parts: capWarning(plans, team, mail, used) };
}

function toldBy({ notify }: Form, recipient: string | null): string | null {
  return recipient !== null && notify.includes(recipient) ? recipient : null;
}

function threadOf({ id, threadMails }: Form): string | null {
  return threadMails ? id : null;
}

function filesOf({ vault }: MailDeps, { id, formId, files }: StoredSubmission): readonly UploadedFile[] {
  return files === null ? [] : vault.openFiles(files, filesAad(id, formId));
}

/** All of them; null beyond the limit or where one is missing or damaged: the mail names them anyway. */
async function attachmentsOf(deps: MailDeps, files: readonly UploadedFile[]): Promise<Attachment[] | null> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > deps.attachLimit) return null;
  const attachments: Attachment[] = [];
  for (const file of files) {
    if (!(await isWhole(deps, file))) return null;
    attachments.push({
      name: attachedName(file),
      contentType: attachedType(file.contentType),
      bytes: bytesOf(deps, file),
    });
  }
  return attachments;
}

/** Read once before it is sent: one that turns out to be damaged on the way would take the mail down with it. */
async function isWhole(deps: MailDeps, file: UploadedFile): Promise<boolean> {
  try {
    let size = 0;
    for await (const bytes of bytesOf(deps, file)) size += bytes.length;
    return size === file.size;
  } catch (error) {
    if (error instanceof UnreadableRecordError) return false;
    throw error;
  }
}

async function* bytesOf({ blobs }: MailDeps, { blob, key }: UploadedFile): AsyncGenerator<Uint8Array> {
  const sealed = await blobs.read(blob);
  if (!sealed) throw new UnreadableRecordError('missing');
  yield* openFile(Buffer.from(key, 'base64'), sealed.bytes);
}

/** What a file is called in a mail. What looks encoded (RFC 2047) would be decoded by some who read it. */
export function attachedName({ name, id }: Pick<UploadedFile, 'name' | 'id'>): string {
  return truncateFileName(sanitizeFileName(name, id), MAX_FILE_NAME).replaceAll('=?', '=_');
}

/** Mails within a mail are taken apart on their way. */
function attachedType(contentType: string): string {
  return /^(?:message|multipart)\//.test(contentType) ? 'application/octet-stream' : contentType;
}
