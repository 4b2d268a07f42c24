import type { Micros } from '../lib/clock.ts';

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

/** The opened content of a message. `author` is the author's name or address when it was written. */
export type MessageBody = Readonly<{ author: string; text: string; subject: string | null }>;

/** Length limit of a message, in UTF-16 units. */
export const MAX_MESSAGE_LENGTH = 20_000;
