import type { Clock, Micros } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';

/** A file attached to a mail. */
export type Attachment = Readonly<{
  name: string;
  contentType: string;
  /** In bytes. */
  size: number;
  bytes: AsyncIterable<Uint8Array>;
}>;

/** A mail to one recipient; the mailer adds the sender. Only `text` and `html` may contain line breaks. */
export type Message = Readonly<{
  to: string;
  /** The sender's name; by default the mailer's. */
  senderName?: string | null;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  date: Micros;
  /** The Message-IDs of the thread, oldest first, separated by spaces. */
  references: string | null;
  /** The address at which the recipient unsubscribes with one click (RFC 8058). */
  unsubscribeUrl?: string | null;
  /** The Auto-Submitted header (RFC 3834); `no` for a mail from a person. */
  autoSubmitted: 'auto-generated' | 'auto-replied' | 'no';
  attachments: readonly Attachment[];
}>;

/**
 * The outcome of one attempt. `failed` may be retried, `refused` is permanent, `too_large` too unless the message gets
 * smaller, and `login` means that the server rejected our credentials, which is not counted against the message. `reason`
 * is the server's response or the network error. `isUnreachable` means that connecting, TLS or the login failed. After a
 * timeout, `otherPorts` are worth a try.
 */
export type Delivery =
  | Readonly<{ outcome: 'sent' }>
  | Readonly<{
      outcome: 'failed' | 'refused' | 'too_large' | 'login';
      reason: string;
      isUnreachable?: boolean;
      otherPorts?: readonly string[];
    }>;

/** A mailer and the address of its mails without a name; null without a mail server. */
export type SenderMailer = Readonly<{ mailer: Mailer; sender: string | null }>;

/** Sends a mail at once instead of by the outbox. */
export function sendNow(
  { mailer, sender }: SenderMailer,
  clock: Clock,
  message: Omit<Message, 'messageId' | 'date' | 'references'>,
): Promise<Delivery> {
  const messageId = `<${newId('mail')}@${sender?.slice(sender.lastIndexOf('@') + 1)}>`;
  return mailer.send({ ...message, messageId, date: clock(), references: null });
}

/** The port to a mail server. */
export interface Mailer {
  /** Never throws; takes at most one minute. */
  send(message: Message): Promise<Delivery>;
  /** Connects and logs in without sending; `sent` means success. Never throws; takes at most one minute. */
  check(): Promise<Delivery>;
  close(): void;
}
