import { HOUR, MINUTE, type Micros } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { parseAddress } from './email-address.ts';
import type { Form } from './form.ts';
import type { Payload, PayloadValue } from './submission.ts';

/** What a mail of that kind is about; the rest is null. */
type SubjectOf<Kind extends string, Has> = Readonly<{ kind: Kind }> & Readonly<Has> & Omit<NoSubject, keyof Has>;

/** What a mail of no kind is about. */
export const NO_SUBJECT = {
  formId: null,
  submissionId: null,
  teamId: null,
  coversFrom: null,
  coversUntil: null,
  percent: null,
} as const;

type NoSubject = typeof NO_SUBJECT;

/**
 * What a mail is for: to tell the owner of a submission, or to answer who sent it; to sum up what came to a form, or what of
 * it was held back as spam, from `coversFrom` up to, not including, `coversUntil`; to warn that a team has used so much of
 * what its plan takes in that time.
 */
export type MailSubject =
  | SubjectOf<'notification' | 'auto_reply', { formId: string; submissionId: string }>
  | SubjectOf<'digest' | 'held_back', { formId: string; coversFrom: Micros; coversUntil: Micros }>
  | SubjectOf<'cap_warning', { teamId: string; percent: number; coversFrom: Micros; coversUntil: Micros }>;

export type MailKind = MailSubject['kind'];

/** A mail about all submissions of a form in a span. */
export type Summary = Extract<MailSubject, { kind: 'digest' | 'held_back' }>;

/** A mail to a person of a team, about what it has used of its plan. */
export type CapWarning = Extract<MailSubject, { kind: 'cap_warning' }>;

/** `queued` was not tried yet, `retrying` failed and is tried again, `dead` is given up. */
export const MAIL_STATES = ['queued', 'retrying', 'sent', 'dead'] as const;

export type MailState = (typeof MAIL_STATES)[number];

/** How long after each failure a mail is tried again; after these every six hours. */
const BACKOFF: readonly Micros[] = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * MINUTE);
const MAX_BACKOFF = 6 * HOUR;
const MAX_RETRY_SPAN = 96 * HOUR;

/** The longest that a mail can wait: a row that is due later was written under another clock. */
export const MAX_WAIT = MAX_BACKOFF * 1.25;

/**
 * When a mail that has failed so often is tried again, or null when it is given up, four days after the first try. It
 * counts tries and not the clock, which may jump. `random` from 0 to 1 spreads mails that failed together by a fifth.
 */
export function nextAttemptAt(failures: number, now: Micros, random: number): Micros | null {
  if (totalBackoff(failures - 1) > MAX_RETRY_SPAN) return null;
  return now + Math.round(backoffAfter(failures) * (1 + random / 5));
}

function backoffAfter(failure: number): Micros {
  return BACKOFF[failure - 1] ?? MAX_BACKOFF;
}

function totalBackoff(failures: number): Micros {
  let sum = 0;
  for (let failure = 1; failure <= failures; failure++) sum += backoffAfter(failure);
  return sum;
}

/** One mail. `recipient` is null where it is the visitor, whose address only the submission holds. */
export type Mail = MailSubject &
  Readonly<{ id: string; recipient: string | null; messageId: string; createdAt: Micros }>;

/** A mail as it lies in the outbox; `reason` is the sealed word of the server on its last failure. */
export type StoredMail = Mail &
  Readonly<{ state: MailState; failures: number; dueAt: Micros; settledAt: Micros | null; reason: Uint8Array | null }>;

/**
 * A mail of a submission, to be sent once that is kept. `addressee` is the keyed hash of a visitor's address: of the auto-replies
 * of a form one a day goes to an address, and so many an hour in all; those beyond are left out.
 */
export type NewMail = Readonly<{
  id: string;
  kind: 'notification' | 'auto_reply';
  recipient: string | null;
  addressee: string | null;
  messageId: string;
}>;

/** Addresses behind which no one reads, or which answer by themselves (RFC 3834, section 2). */
const AUTOMATED_ADDRESS =
  /(?:^|[._+-])(?:no[._-]?reply|do[._-]?not[._-]?reply|mailer[._-]?daemon|postmaster|bounces?)(?:[._+-][^@]*)?@|-(?:request|owner)@|^owner-/i;

/** The one valid address that an answer goes to: `email`, or where that is not there or empty, `_replyto`. */
export function replyAddress(payload: Payload): string | null {
  const email = trimmedField('email', payload);
  const address = email === '' ? trimmedField('_replyto', payload) : email;
  return typeof address === 'string' ? parseAddress(address) : null;
}

function trimmedField(field: string, payload: Payload): PayloadValue {
  const value = payload.find(([name]) => name === field)?.[1] ?? '';
  return typeof value === 'string' ? value.trim() : value;
}

/**
 * The address of the visitor that the form answers; null where it does not, or where it could be answered by a program, or
 * by the form's own mails: `sender` is what those come from.
 */
function autoReplyAddress(form: Form, payload: Payload, sender: string): string | null {
  const visitor = form.autoReplyText === null ? null : replyAddress(payload);
  if (visitor === null || AUTOMATED_ADDRESS.test(visitor) || !hasPublicDomain(visitor)) return null;
  const own = [sender, ...form.notify].map(mailboxKey);
  return own.includes(mailboxKey(visitor)) ? null : visitor;
}

/** Whether its domain can be one of the internet's: `root@localhost` is for this machine's own mails. */
function hasPublicDomain(address: string): boolean {
  return /\.[a-z][a-z0-9-]*$/i.test(address.slice(address.lastIndexOf('@')));
}

/** Where an address leads, as far as can be told: in small letters, without what stands behind a `+`. */
function mailboxKey(address: string): string {
  return address.toLowerCase().replace(/(?<=.)\+[^@]*@/, '@');
}

/**
 * The mails of a submission that is not spam: one for each of those whom the form tells, and one in answer where the form
 * answers and there is an address. `sender` is the address they come from. Whether a digest takes the place of the former
 * is decided when the submission is kept, so that a form whose digests begin or end meanwhile tells of it once.
 */
export function mailsForSubmission(
  form: Form,
  submissionId: string,
  payload: Payload,
  sender: string,
  hashOf: (address: string) => string,
): NewMail[] {
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const mail = (kind: NewMail['kind'], recipient: string | null, addressee: string | null, name: string): NewMail => {
    return { id: newId('mail'), kind, recipient, addressee, messageId: `<${submissionId}.${name}@${domain}>` };
  };
  const mails = form.notify.map((recipient, index) => mail('notification', recipient, null, String(index)));
  const visitor = autoReplyAddress(form, payload, sender);
  return visitor === null ? mails : [...mails, mail('auto_reply', null, hashOf(mailboxKey(visitor)), 'reply')];
}
