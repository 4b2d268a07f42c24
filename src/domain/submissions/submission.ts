import type { Micros } from '../../lib/clock.ts';

/** A submitted value. Form encodings have strings and lists of strings; JSON may nest. */
export type PayloadValue =
  | string
  | number
  | boolean
  | null
  | readonly PayloadValue[]
  | { readonly [name: string]: PayloadValue };

/** Returns a value as text: structures as JSON, null and a missing value as nothing. */
export function asText(value: PayloadValue | undefined): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

/** The submitted fields in their original order, with unique names. */
export type Payload = ReadonlyArray<readonly [name: string, value: PayloadValue]>;

/**
 * An uploaded file. `field` and `name` are as submitted; `contentType` is detected from the content, or else as
 * declared. `size` is in bytes and `sha256` in hex. The blob is sealed under the file's own `key`, in base64.
 */
export type UploadedFile = Readonly<{
  id: string;
  field: string;
  name: string;
  contentType: string;
  size: number;
  sha256: string;
  blob: string;
  key: string;
}>;

/** A stored submission. `payload`, `files` and `spamReasons` are sealed records; null means no files or reasons. */
export type StoredSubmission = Readonly<{
  id: string;
  formId: string;
  createdAt: Micros;
  isSpam: boolean;
  /** True if it may be spam, until somebody marks it. Never true for spam. */
  isMaybeSpam: boolean;
  payload: Uint8Array;
  files: Uint8Array | null;
  spamReasons: Uint8Array | null;
  /** Time at which it was opened or marked as read; null while unread. */
  readAt: Micros | null;
  isStarred: boolean;
  /** The user who takes care of it. */
  assignedTo: string | null;
  /** The time at which it was moved to the trash; null outside of it. */
  trashedAt: Micros | null;
  /** A sealed `Source`; null unless the form keeps it. */
  source: Uint8Array | null;
  /** Keyed hash of the address to be confirmed, and the times of the mail and the confirmation; null without. */
  confirmHash: string | null;
  confirmMailedAt: Micros | null;
  confirmedAt: Micros | null;
  /** The version of the consent text that the visitor agreed to, and its sealed text; null without. */
  consent: string | null;
  consentText: Uint8Array | null;
}>;

/** Days until an unconfirmed submission is deleted; its link expires with it. */
export const CONFIRM_DAYS = 7;

/** Returns whether a submission waits for the visitor to confirm their address. */
export function isUnconfirmed({ confirmHash, confirmedAt }: Pick<StoredSubmission, 'confirmHash' | 'confirmedAt'>) {
  return confirmHash !== null && confirmedAt === null;
}

/** The page that a submission was sent from, without its query, and the browser that sent it. */
export type Source = Readonly<{ page: string | null; browser: string | null }>;

/** Days until submissions and forms in the trash are deleted. */
export const TRASH_DAYS = 30;

/** Limits of every submission, before the form's own rules. Names and values are measured in bytes of UTF-8. */
export const SUBMISSION_LIMITS = { fields: 1_000, nameBytes: 256, valueBytes: 256 * 1024, jsonDepth: 32 } as const;
