import type { Form } from '../domain/forms/form.ts';
import { logoPath } from '../domain/forms/form-logo.ts';
import * as mails from '../domain/mail/mail.ts';
import { CONFIRM_DAYS, type UploadedFile } from '../domain/submissions/submission.ts';
import type { Plans } from '../domain/teams/plan.ts';
import { type Clock, DAY } from '../lib/clock.ts';
import { sanitizeFileName, truncateFileName } from '../lib/file-name.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { ClaimedMail } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { confirmToken } from '../vault/confirm-token.ts';
import { openFile } from '../vault/file-cipher.ts';
import { openMessage } from '../vault/open-message.ts';
import { openFiles, openPayload, openSpamReasons } from '../vault/open-submission.ts';
import { unsubscribeToken } from '../vault/unsubscribe-token.ts';
import { UnreadableRecordError, type Vault } from '../vault/vault.ts';
import { autoReplyMail } from './auto-reply.ts';
import { capWarningMail } from './cap-warning.ts';
import { confirmationMail } from './confirmation.ts';
import { submissionUrl, UNSUBSCRIBE_URL } from './dashboard-link.ts';
import { formAlarmMail } from './form-alarm.ts';
import { type MailLocale, mailLocale } from './locale.ts';
import type { Attachment, Message } from './mailer.ts';
import { notificationMail } from './notification.ts';
import { replyMail } from './reply.tsx';
import type { SharedWork } from './shared-work.ts';
import { summaryMail } from './summary.ts';
import { webhookFailingMail } from './webhook-failing.ts';

/**
 * Dependencies of `composeMail`. `attachLimit` is the total size of attachments per mail in bytes; `baseUrl` is null if
 * `BASE_URL` is not set. The contents in `shared` are dropped by the caller.
 */
export type MailDeps = Readonly<{
  store: Store;
  vault: Vault;
  blobs: Blobs;
  attachLimit: number;
  baseUrl: string | null;
  plans: Plans;
  clock: Clock;
  shared: SharedWork;
}>;

const MAX_FILE_NAME_LENGTH = 150;
const MAX_REFERENCES = 10;

/**
 * Composes a queued mail from current data, on every attempt. Unless it `attachesFiles`, it names them. Returns
 * `spam` if its submission is now spam, and null if it is obsolete: its subject was deleted or has expired, or the
 * recipient was removed. Throws `UnreadableRecordError` if the submission is damaged.
 */
export async function composeMail(deps: MailDeps, mail: ClaimedMail, attachesFiles: boolean) {
  await deps.shared.turns.next();
  const drafted = await draft(deps, mail, attachesFiles);
  if (drafted === 'spam') return drafted;
  const { to, thread = [], content } = drafted ?? {};
  if (!to || !content) return null;
  const [, domain = 'localhost'] = mail.messageId.split(/@|>/);
  const references = thread.map((id) => `<${id}@${domain}>`).join(' ') || null;
  const unsubscribeUrl = getUnsubscribeUrl(deps, mail, to);
  const { text, html } = content;
  const own = (shared: string) => shared.replaceAll(UNSUBSCRIBE_URL, unsubscribeUrl ?? '');
  const headers = { to, messageId: mail.messageId, date: mail.createdAt, references, unsubscribeUrl };
  return { ...content, text: own(text), html: own(html), ...headers } satisfies Message;
}

/** Returns the address to unsubscribe a recipient of a form, or null if the mail has another reason. */
function getUnsubscribeUrl({ baseUrl, vault }: MailDeps, { kind, formId }: ClaimedMail, to: string): string | null {
  const isToRecipient = kind === 'notification' || kind === 'digest' || kind === 'held_back';
  return baseUrl !== null && formId !== null && isToRecipient
    ? `${baseUrl}/unsubscribe/${formId}/${unsubscribeToken(vault, formId, to)}`
    : null;
}

/** A mail before its headers are added. `thread` has the ids of the mails that it follows in a conversation. */
type Draft = Readonly<{
  to: string | null;
  thread?: readonly string[];
  content: Omit<Message, 'to' | 'messageId' | 'date' | 'references'> | null;
}>;

async function draft(deps: MailDeps, mail: ClaimedMail, attachesFiles: boolean): Promise<Draft | 'spam' | null> {
  switch (mail.kind) {
    case 'notification':
    case 'auto_reply':
      return draftForSubmission(deps, mail, attachesFiles);
    case 'digest':
    case 'held_back':
      return draftForForm(deps, mail);
    case 'confirmation':
      return draftConfirmation(deps, mail);
    case 'cap_warning':
      return draftForTeam(deps, mail);
    case 'reply':
      return draftReply(deps, mail);
    default:
      return draftForOwner(deps, mail);
  }
}

async function draftForSubmission(
  deps: MailDeps,
  mail: ClaimedMail & Readonly<{ submissionId: string }>,
  attachesFiles: boolean,
): Promise<Draft | 'spam' | null> {
  const { submissionId, kind, recipient } = mail;
  const submission = await deps.store.mails.findFormOfSubmission(submissionId);
  if (!submission) return null;
  if (submission.isSpam) return 'spam';
  const { form } = submission;
  if (kind === 'auto_reply') return draftAutoReply(deps, form, submissionId, mail.language);
  const to = currentRecipient(form, recipient);
  if (to === null) return null;
  const locale = await getLocale(deps, mail);
  const key = [submissionId, attachesFiles, locale.language, JSON.stringify(form)].join(' ');
  const composed = await deps.shared.get(key, () =>
    notification(attachesFiles ? deps : { ...deps, attachLimit: 0 }, locale, form, submissionId),
  );
  if (composed === null) return null;
  const attachments = composed.attached.map(attachment(deps));
  return { to, thread: getThread(form), content: { ...composed.content, attachments } };
}

async function draftAutoReply(deps: MailDeps, form: Form, submissionId: string, language: string | null) {
  const row = await deps.store.mails.findSubmissionWithForm(submissionId);
  if (row === null || form.autoReplyText === null) return null;
  const payload = openPayload(deps.vault, row.submission);
  const logo = await findLogoUrl(deps, form);
  return { to: mails.replyAddress(payload), content: autoReplyMail(form, payload, logo, language) };
}

/** Returns the URL of a form's logo; null if it has none, or could not be read. */
async function findLogoUrl({ store, baseUrl }: MailDeps, form: Form): Promise<string | null> {
  const path = baseUrl && logoPath(form, await store.forms.findLogo(form.id).catch(() => null));
  return path && `${baseUrl}${path}`;
}

/** Drafts the mail that asks the visitor to confirm the address. Obsolete once that is done, or no longer possible. */
async function draftConfirmation(
  deps: MailDeps,
  { submissionId, language }: ClaimedMail & Readonly<{ submissionId: string }>,
): Promise<Draft | null> {
  const { store, vault, baseUrl, clock } = deps;
  const row = await store.mails.findSubmissionWithForm(submissionId);
  const { confirmHash = null, confirmedAt, trashedAt, createdAt = 0 } = row?.submission ?? {};
  const isOver = confirmedAt !== null || trashedAt !== null || createdAt <= clock() - CONFIRM_DAYS * DAY;
  if (row === null || confirmHash === null || baseUrl === null || isOver) return null;
  const url = `${baseUrl}/confirm/${submissionId}/${confirmToken(vault, submissionId, confirmHash)}`;
  const to = mails.visitorAddress(openPayload(vault, row.submission));
  const logo = await findLogoUrl(deps, row.form);
  return { to, content: confirmationMail(row.form, language ?? 'en', { url, logo }) };
}

/**
 * Drafts a reply, which is sent even if the submission was marked as spam or moved to the trash meanwhile. It follows the
 * auto-reply and earlier replies, whose Message-IDs have the ids of their messages.
 */
async function draftReply(deps: MailDeps, mail: ClaimedMail & mails.Reply): Promise<Draft | null> {
  const { store, vault } = deps;
  const row = await store.mails.findSubmissionWithForm(mail.submissionId);
  const messages = await store.messages.list([mail.submissionId]);
  const message = messages.find(({ id }) => id === mail.replyId);
  if (!row || !message) return null;
  const author = await store.users.find(message.authorId);
  const earlier = messages.filter(({ kind, createdAt }) => kind === 'reply' && createdAt < message.createdAt);
  const payload = openPayload(vault, row.submission);
  const content = replyMail({
    locale: await getLocale(deps, { formId: mail.formId, teamId: null, recipient: author?.email ?? null }),
    form: row.form,
    payload,
    sentAt: row.submission.createdAt,
    message: openMessage(vault, message),
    author: author?.email ?? null,
  });
  const thread = [mails.mailName(mail.submissionId, 'reply'), ...earlier.slice(-MAX_REFERENCES).map(({ id }) => id)];
  return { to: mails.replyAddress(payload), thread, content };
}

/** Returns the content of a notification, the same for all recipients with a language, and the files to attach. */
async function notification(deps: MailDeps, locale: MailLocale, form: Form, submissionId: string) {
  const row = await deps.store.mails.findSubmissionWithForm(submissionId);
  if (row === null) return null;
  const { submission } = row;
  const payload = openPayload(deps.vault, submission);
  const files = openFiles(deps.vault, submission);
  const areFilesAttachable = !form.attachFiles || (await areAttachable(deps, files));
  const content = notificationMail({
    locale,
    form,
    receivedAt: submission.createdAt,
    url: submissionUrl(deps.baseUrl, submissionId),
    unsubscribeUrl: deps.baseUrl && UNSUBSCRIBE_URL,
    payload,
    files,
    areFilesAttachable,
    replyTo: mails.replyAddress(payload),
    ...(submission.isMaybeSpam && { maybeSpam: openSpamReasons(deps.vault, submission) }),
  });
  return { content, attached: form.attachFiles && areFilesAttachable ? files : [] };
}

async function draftForForm(deps: MailDeps, mail: ClaimedMail & mails.Summary): Promise<Draft | null> {
  const form = await deps.store.forms.findStored(mail.formId);
  if (!form) return null;
  const to = currentRecipient(form, mail.recipient);
  if (to === null) return null;
  const locale = await getLocale(deps, mail);
  return { to, thread: getThread(form), content: await summaryMail({ ...deps, locale }, form, mail, to) };
}

async function draftForTeam(deps: MailDeps, mail: ClaimedMail & mails.CapWarning): Promise<Draft | null> {
  const { store, clock } = deps;
  if (mail.coversUntil <= clock()) return null;
  const user = mail.recipient === null ? null : await store.users.findByEmail(mail.recipient);
  const memberships = user ? await store.users.listMemberships(user.id) : [];
  const membership = memberships.find(({ team }) => team.id === mail.teamId);
  // The figures are those of all workspaces.
  if (!membership || membership.workspaceIds !== null) return null;
  const { team } = membership;
  const used = await store.usage.count(team.id, mail.coversFrom);
  const locale = await getLocale(deps, mail);
  return { to: mail.recipient, content: capWarningMail({ ...deps, locale }, team, mail, used) };
}

async function draftForOwner(deps: MailDeps, mail: ClaimedMail & mails.OwnerMail): Promise<Draft | null> {
  const { store } = deps;
  const form = await store.forms.findStored(mail.formId);
  const workspace = form && (await store.workspaces.find(form.workspaceId));
  const members = workspace ? await store.members.list(workspace.teamId) : [];
  const isOwner = members.some(({ email, role }) => role === 'owner' && email === mail.recipient);
  const isLimit = mail.kind === 'replies_limited' || mail.kind === 'confirmations_limited';
  const isNotified = form && isLimit && currentRecipient(form, mail.recipient) !== null;
  if (!form || !(isOwner || isNotified)) return null;
  const withLocale = { ...deps, locale: await getLocale(deps, mail) };
  const content =
    mail.kind === 'webhook_failing'
      ? await webhookFailingMail(withLocale, form)
      : await formAlarmMail(withLocale, form, mail.kind);
  return { to: mail.recipient, content };
}

/** Returns the locale of the recipient's account, or of the team's first owner. */
async function getLocale({ store }: MailDeps, mail: Pick<ClaimedMail, 'recipient' | 'formId' | 'teamId'>) {
  return mailLocale(await store.mails.findLanguage(mail));
}

/** Returns the recipient if the form still notifies that address, else null. */
function currentRecipient({ notify }: Form, recipient: string | null): string | null {
  return recipient !== null && notify.includes(recipient) ? recipient : null;
}

const getThread = ({ id, threadMails }: Form): readonly string[] => (threadMails ? [id] : []);

/** Returns false if the files exceed the limit, or if one is missing or damaged. */
async function areAttachable(deps: MailDeps, files: readonly UploadedFile[]): Promise<boolean> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > deps.attachLimit) return false;
  for (const file of files) if (!(await isReadable(deps, file))) return false;
  return true;
}

const attachment =
  (deps: MailDeps) =>
  (file: UploadedFile): Attachment => ({
    name: attachmentName(file),
    contentType: attachmentType(file.contentType),
    size: file.size,
    bytes: readFile(deps, file),
  });

/** Returns whether a file can be read to its end. Checked before sending: damage found while sending fails the mail. */
async function isReadable(deps: MailDeps, file: UploadedFile): Promise<boolean> {
  try {
    let size = 0;
    for await (const bytes of readFile(deps, file)) size += bytes.length;
    return size === file.size;
  } catch (error) {
    if (error instanceof UnreadableRecordError) return false;
    throw error;
  }
}

async function* readFile({ blobs }: MailDeps, { blob, key }: UploadedFile): AsyncGenerator<Uint8Array> {
  const sealed = await blobs.read(blob);
  if (!sealed) throw new UnreadableRecordError('missing');
  yield* openFile(Buffer.from(key, 'base64'), sealed.bytes);
}

/** Returns an attachment's name. `=?` is replaced, since some clients decode it as an RFC 2047 encoded word. */
export function attachmentName({ name, id }: Pick<UploadedFile, 'name' | 'id'>): string {
  return truncateFileName(sanitizeFileName(name, id), MAX_FILE_NAME_LENGTH).replaceAll('=?', '=_');
}

/** Replaces the types of mails: mail servers take apart a mail inside a mail. */
function attachmentType(contentType: string): string {
  return /^(?:message|multipart)\//.test(contentType) ? 'application/octet-stream' : contentType;
}
