import type { Micros } from '../../lib/clock.ts';
import { getRandomPart, newId } from '../../lib/ids.ts';
import type { Form } from '../forms/form.ts';
import type { Payload, PayloadValue } from '../submissions/submission.ts';
import { parseAddress } from './email-address.ts';

/** The subject columns of one mail kind; the others are null. */
type SubjectOf<Kind extends string, Has> = Readonly<{ kind: Kind }> & Readonly<Has> & Omit<NoSubject, keyof Has>;

/** Findings of the checks of a form that its owners are told. */
export const FORM_ALARMS = [
  'page_failing',
  'page_well',
  'form_silent',
  'replies_limited',
  'confirmations_limited',
] as const;

export type FormAlarm = (typeof FORM_ALARMS)[number];

/** Subject columns with no reference set. */
export const NO_SUBJECT = {
  formId: null,
  submissionId: null,
  teamId: null,
  coversFrom: null,
  coversUntil: null,
  percent: null,
  replyId: null,
} as const;

type NoSubject = typeof NO_SUBJECT;

/**
 * Kind and references of a mail: notification, auto-reply or request to confirm the address for a submission; digest of a
 * form's submissions or of its
 * spam; usage warning for a team; failing webhooks of a form; finding of its checks; reply of a member to the visitor of a
 * submission. `coversUntil` is exclusive.
 */
export type MailSubject =
  | SubjectOf<'notification' | 'auto_reply' | 'confirmation', { formId: string; submissionId: string }>
  | SubjectOf<'digest' | 'held_back', { formId: string; coversFrom: Micros; coversUntil: Micros }>
  | SubjectOf<'cap_warning', { teamId: string; percent: number; coversFrom: Micros; coversUntil: Micros }>
  | SubjectOf<'webhook_failing' | FormAlarm, { formId: string }>
  | SubjectOf<'reply', { formId: string; submissionId: string; replyId: string }>;

export type MailKind = MailSubject['kind'];

/** A digest of a form's submissions, or of its spam, in a time range. */
export type Summary = Extract<MailSubject, { kind: 'digest' | 'held_back' }>;

/** A warning to a team member about the team's use of its plan limit. */
export type CapWarning = Extract<MailSubject, { kind: 'cap_warning' }>;

/** A mail to an owner about failing webhooks of a form, or about what its checks found. */
export type OwnerMail = Extract<MailSubject, { kind: 'webhook_failing' | FormAlarm }>;

/** A reply of a member to a visitor. */
export type Reply = Extract<MailSubject, { kind: 'reply' }>;

/** The number of submissions of a form that are notified singly in an hour. A digest covers the others. */
export const NOTIFICATIONS_PER_HOUR = 60;

/** States of a mail: `queued` before its first attempt, `retrying` after a failure, `dead` after the last attempt. */
export const MAIL_STATES = ['queued', 'retrying', 'sent', 'dead'] as const;

export type MailState = (typeof MAIL_STATES)[number];

/** State of a row of the outbox. `canceled` if the submission is spam, the webhook was deleted, or a reply died long ago. */
export type SendState = MailState | 'canceled';

/** A mail. `recipient` is null for the visitor, whose address is only in the sealed submission. */
export type Mail = MailSubject &
  Readonly<{ id: string; recipient: string | null; language: string | null; messageId: string; createdAt: Micros }>;

/** A mail in the outbox. `reason` is the mail server's last error, as a sealed record. */
export type StoredMail = Mail &
  Readonly<{ state: SendState; failures: number; dueAt: Micros; settledAt: Micros | null; reason: Uint8Array | null }>;

/**
 * A mail to enqueue together with its submission. `addressee` is the keyed hash of the visitor's address, for the
 * limits of auto-replies: one per form, address and day, and a number per form and hour.
 */
export type NewMail = Readonly<{
  id: string;
  kind: 'notification' | 'auto_reply' | 'confirmation';
  recipient: string | null;
  addressee: string | null;
  /** The language of a mail to the visitor; null or absent for other mails. */
  language?: string | null;
  messageId: string;
}>;

/** Addresses of automated senders, which must not get an auto-reply (RFC 3834, section 2). */
const AUTOMATED_ADDRESS =
  /(?:^|[._+-])(?:no[._-]?reply|do[._-]?not[._-]?reply|mailer[._-]?daemon|postmaster|bounces?)(?:[._+-][^@]*)?@|-(?:request|owner)@|^owner-/i;

/** The end of a domain with a top-level domain; `root@localhost` has none. */
const PUBLIC_DOMAIN = /\.[a-z][a-z0-9-]*$/i;

/** Returns the visitor's address from the field `email`, or `_replyto` if that is empty or missing; null if invalid. */
export function replyAddress(payload: Payload): string | null {
  const email = trimmedField('email', payload);
  const address = email === '' ? trimmedField('_replyto', payload) : email;
  return typeof address === 'string' ? parseAddress(address) : null;
}

/** Returns the valid address of the field `email` with its domain in lower case, by which visitors are told apart; null without one. */
export function visitorAddress(payload: Payload): string | null {
  const email = trimmedField('email', payload);
  const address = typeof email === 'string' ? parseAddress(email) : null;
  return address?.replace(/[^@]*$/, (domain) => domain.toLowerCase()) ?? null;
}

function trimmedField(field: string, payload: Payload): PayloadValue {
  const value = payload.find(([name]) => name === field)?.[1] ?? '';
  return typeof value === 'string' ? value.trim() : value;
}

/**
 * Returns the recipient of the auto-reply. Returns null if auto-reply is off, or if the address is automated, not
 * public, the `sender` or a notification recipient, which could cause mail loops.
 */
function autoReplyAddress(form: Form, payload: Payload, sender: string): string | null {
  const visitor = form.autoReplyText === null ? null : replyAddress(payload);
  if (visitor === null || AUTOMATED_ADDRESS.test(visitor) || !PUBLIC_DOMAIN.test(visitor)) return null;
  const excluded = [sender, ...form.notify].map(mailboxKey);
  return excluded.includes(mailboxKey(visitor)) ? null : visitor;
}

/** Normalizes an address to its mailbox: lowercase, without a `+tag`. */
const mailboxKey = (address: string): string => address.toLowerCase().replace(/(?<=.)\+[^@]*@/, '@');

/** Returns the local part of a Message-ID of a submission, whose id gets its time later. */
export const mailName = (submissionId: string, name: string): string => `sub_${getRandomPart(submissionId)}.${name}`;

/** A new submission: with the addresses to notify, or null while the visitor has to confirm their address. */
type Arrival = Readonly<{
  id: string;
  payload: Payload;
  recipients: readonly string[] | null;
  language: string | null;
}>;

/**
 * Creates the mails of a genuine submission: one for each of its `recipients`, and an auto-reply if enabled and possible.
 * A digest replaces the notifications when the submission is stored, so that switching digests on or off reports it
 * once. While the visitor has to confirm their address, only the mail that asks for it.
 */
export function mailsForSubmission(
  form: Form,
  { id, payload, recipients, language }: Arrival,
  sender: string,
  hashOf: (address: string) => string,
): NewMail[] {
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const mail = (kind: NewMail['kind'], recipient: string | null, name: string): NewMail => {
    const messageId = `<${mailName(id, name)}@${domain}>`;
    return { id: newId('mail'), kind, recipient, addressee: null, language: null, messageId };
  };
  const toVisitor = (kind: 'auto_reply' | 'confirmation', address: string, name: string) => {
    return { ...mail(kind, null, name), addressee: hashOf(mailboxKey(address)), language };
  };
  if (recipients === null) return [toVisitor('confirmation', visitorAddress(payload) ?? '', 'confirm')];
  const mails = recipients.map((recipient, index) => mail('notification', recipient, String(index)));
  const visitor = autoReplyAddress(form, payload, sender);
  return visitor === null ? mails : [...mails, toVisitor('auto_reply', visitor, 'reply')];
}
