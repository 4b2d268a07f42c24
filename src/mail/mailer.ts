import type { Micros } from '../lib/clock.ts';

/** A file that goes with a mail. */
export type Attachment = Readonly<{ name: string; contentType: string; bytes: AsyncIterable<Uint8Array> }>;

/** A mail to one address; the sender is the mailer's. Nothing in it but `text` and `html` has line breaks. */
export type Message = Readonly<{
  to: string;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  date: Micros;
  /** The Message-ID of the conversation it belongs to. */
  references: string | null;
  /** RFC 3834: made by a program, or made in answer to someone. */
  autoSubmitted: 'auto-generated' | 'auto-replied';
  attachments: readonly Attachment[];
}>;

/**
 * What became of a message. `failed` may go better later; `refused` will not; `login` is no fault of the message: the
 * server does not take our credentials. `reason` is what the server or the network said.
 */
export type Delivery =
  | Readonly<{ outcome: 'sent' }>
  | Readonly<{ outcome: 'failed' | 'refused' | 'login'; reason: string }>;

/** Hands mails to a server. */
export interface Mailer {
  /** Never throws, and takes no longer than a minute. */
  send(message: Message): Promise<Delivery>;
  /** Whether the server lets us in; `sent` says that it would take a mail. Never throws, and takes no longer than a minute. */
  check(): Promise<Delivery>;
  close(): void;
}
