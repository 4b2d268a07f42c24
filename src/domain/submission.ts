import type { Micros } from '../lib/clock.ts';

/** A value as it was sent. Text forms know strings and lists of strings; JSON may nest. */
export type PayloadValue =
  | string
  | number
  | boolean
  | null
  | readonly PayloadValue[]
  | { readonly [name: string]: PayloadValue };

/** What a visitor filled in, in the order it was sent; every name once. */
export type Payload = ReadonlyArray<readonly [name: string, value: PayloadValue]>;

/**
 * A file that came with a submission. `field` and `name` are as sent, `contentType` is what its contents show or else what
 * was claimed, `size` in bytes, `sha256`
 * in hex. The bytes lie sealed in the blob, under a key of their own in base64.
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

/**
 * A submission at rest: `payload`, `files` and `spamReasons` are sealed records; null where there are no files or no
 * reasons.
 */
export type StoredSubmission = Readonly<{
  id: string;
  formId: string;
  createdAt: Micros;
  isSpam: boolean;
  payload: Uint8Array;
  files: Uint8Array | null;
  spamReasons: Uint8Array | null;
  /** When somebody read it or said so; null while nobody has. */
  readAt: Micros | null;
}>;

/**
 * What is at most accepted, before any form says less. Text is counted as it arrived; names and values in bytes of
 * UTF-8.
 */
export const SUBMISSION_LIMITS = {
  fields: 1_000,
  nameBytes: 256,
  valueBytes: 256 * 1024,
  jsonDepth: 32,
} as const;
