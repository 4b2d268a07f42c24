import type { Micros } from '../../lib/clock.ts';

/** A note is for the team only; a reply is sent to the visitor. */
export type MessageKind = 'note' | 'reply';

/** A stored note or reply. `body` is a sealed `MessageBody`. */
export type StoredMessage = Readonly<{
  id: string;
  submissionId: string;
  formId: string;
  kind: MessageKind;
  authorId: string;
  body: Uint8Array;
  createdAt: Micros;
}>;

/** A note or reply to be stored. */
export type NewMessage = Omit<StoredMessage, 'createdAt'>;

/** The opened content of a message. `author` is the author's name or address when it was written. */
export type MessageBody = Readonly<{ author: string; text: string; subject: string | null }>;

/** Length limit of a message, in UTF-16 units. */
export const MAX_MESSAGE_LENGTH = 20_000;

/** Length limit of a reply's subject, in UTF-16 units. */
export const MAX_SUBJECT_LENGTH = 150;

/** Limit of notes and replies per submission. */
export const MAX_MESSAGES = 200;

/** Limit of replies per submission in 60 minutes. */
export const REPLIES_PER_HOUR = 20;

/** Returns true for an id that `newId('msg')` could have made. */
export const isMessageId = (text: string): boolean => /^msg_[0-9a-f]{32}$/.test(text);
