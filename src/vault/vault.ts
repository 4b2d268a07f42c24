import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Payload } from '../domain/submissions/submission.ts';
import { getRandomPart } from '../lib/ids.ts';
import { deriveKey, keyPurpose, type MasterKey } from './key-ring.ts';

const VERSION = 1;
const KEY_ID = 1;
const SALT = 5;
const NONCE = 21;
const CIPHERTEXT = 33;
const TAG_BYTES = 16;

const RECORD = keyPurpose('record/v1');
const FINGERPRINT = keyPurpose('fingerprint/v1');
const NO_SALT = new Uint8Array(0);

/**
 * Records that share a derived key. With random nonces of 96 bits, two records of the same key share a nonce with a
 * probability of 2^-77; NIST SP 800-38D (8.3) allows 2^32 records, at 2^-32.
 */
const RECORDS_PER_KEY = 1024;

/** The location of a sealed record, authenticated as AES-GCM associated data: a record that was moved does not open. */
export type AssociatedData = Readonly<{ table: string; row: string; form: string; column: string }>;

/** Returns a function that returns the AAD of a column, by the id of the row and of its form. */
const inForm = (table: string, column: string) => (row: string, form: string) => ({ table, row, form, column });

/** Returns a function that returns the AAD of a column whose rows belong to no form. */
const inTable = (table: string, column: string) => (row: string) => ({ table, row, form: '', column });

export const payloadAad = inForm('submissions', 'payload');
export const filesAad = inForm('submissions', 'files');
export const spamReasonsAad = inForm('submissions', 'spam_reasons');
export const sourceAad = inForm('submissions', 'source');
export const messageAad = inForm('messages', 'body');
export const webhookSettingsAad = inForm('webhooks', 'settings');
export const inboxViewAad = inTable('inbox_views', 'view');
export const mailServerAad = inTable('mail_servers', 'settings');
export const consentAad = inTable('consents', 'text');
export const apiResponseAad = inTable('api_requests', 'response');
export const spamModelAad = inTable('spam_models', 'weights');
export const spamLessonAad = inTable('spam_lessons', 'changes');
export const totpSecretAad = inTable('users', 'totp_secret');
/** Of a TOTP secret during setup, which only the page stores until the user confirms it. */
export const totpOfferAad = inTable('sessions', 'totp_offer');

/** AAD of the cookie of a sign-in by a provider. */
export const signInStateAad: AssociatedData = { table: 'sessions', row: '', form: '', column: 'sign_in_state' };

/** Returns the AAD of a mail's last delivery error; `formId` is null for a mail that belongs to no form. */
export function mailReasonAad(mailId: string, formId: string | null): AssociatedData {
  return { table: 'outbox', row: mailId, form: formId ?? '', column: 'reason' };
}

export function challengeSecretAad(formId: string): AssociatedData {
  return { table: 'forms', row: formId, form: formId, column: 'challenge_secret' };
}

/** Returns the AAD of the fingerprint key that is sealed under the key `keyId`. */
export function fingerprintKeyAad(keyId: number): AssociatedData {
  return { table: 'vault_keys', row: String(keyId), form: '', column: 'fingerprint_key' };
}

/** A record that was modified, truncated, moved to another row, or sealed under a key that is not in the key ring. */
export class UnreadableRecordError extends Error {}

type RingOptions = Readonly<{ fingerprintKey?: Uint8Array; findKey?: (id: number) => MasterKey | null }>;

/**
 * Encryption at rest of payloads and secrets. The format of a sealed record is
 *
 *     version (1 byte) | key id (4) | salt (16) | nonce (12) | ciphertext | tag (16)
 *
 * Each record is sealed with AES-256-GCM under a key derived from the salt. `RECORDS_PER_KEY` successive records share
 * salt and key.
 */
export class Vault {
  /** Header of the record being sealed. Reusing its buffers saves a tenth of the time per post. */
  readonly #head = Buffer.alloc(CIPHERTEXT);
  readonly #salt = this.#head.subarray(SALT, NONCE);
  readonly #nonce = this.#head.subarray(NONCE);
  /** Key of the salt in `#head`; null before the next salt. */
  #sealingKey: KeyObject | null = null;
  #sealed = 0;
  /** Key of the last opened record, and the key id and salt that it was derived from. */
  #opened: Readonly<{ origin: Buffer; key: KeyObject }> | null = null;

  readonly #keys = new Map<number, MasterKey>();
  readonly #fingerprintKey: Uint8Array;
  readonly #findKey: (id: number) => MasterKey | null;
  #key: MasterKey;

  /**
   * Makes `key` the active key. `fingerprintKey` is the key of keyed hashes and survives rotations; by default it is
   * derived from `key`. `findKey` looks up other keys by the id in a record; found keys are cached.
   */
  constructor(key: MasterKey, { fingerprintKey, findKey = () => null }: RingOptions = {}) {
    this.#key = key;
    this.#fingerprintKey = fingerprintKey ?? deriveKey(key, NO_SALT, FINGERPRINT);
    this.#findKey = findKey;
    this.#head[0] = VERSION;
    this.setActiveKey(key);
  }

  /** Id of the active key. */
  get keyId(): number {
    return this.#key.id;
  }

  /** Makes `key` the active key. The key must be durably stored and listed as current in the database. */
  setActiveKey(key: MasterKey): void {
    this.#keys.set(key.id, key);
    this.#key = key;
    this.#head.writeUInt32BE(key.id, KEY_ID);
    this.#sealingKey = null;
  }

  /** Makes the key of the key ring with this id the active key. Returns false if there is none. */
  activate(keyId: number): boolean {
    const key = this.#keyOf(keyId);
    if (key) this.setActiveKey(key);
    return key !== null;
  }

  /** Seals the fingerprint key under `key`, so that fingerprints stay the same after a rotation to it. */
  sealFingerprintKey(key: MasterKey): Uint8Array {
    return new Vault(key).seal(this.#fingerprintKey, fingerprintKeyAad(key.id));
  }

  sealPayload(payload: Payload, aad: AssociatedData): Uint8Array {
    return this.seal(JSON.stringify(payload), aad);
  }

  /** Opens a payload. Throws `UnreadableRecordError` unless the record is authentic and was sealed with this AAD. */
  openPayload(record: Uint8Array, aad: AssociatedData): Payload {
    return JSON.parse(this.open(record, aad).toString());
  }

  /** Computes a keyed hash (HMAC-SHA-256) of a text for one purpose: 64 hex digits. */
  fingerprint(purpose: string, text: string): string {
    return createHmac('sha256', this.#fingerprintKey).update(`${purpose}\0${text}`).digest('hex');
  }

  /** Computes the fingerprint that replaces an email address where it must not be stored in the clear. */
  readonly addressHash = (address: string): string => this.fingerprint('address', address);

  seal(plaintext: string | Uint8Array, aad: AssociatedData): Uint8Array {
    this.#sealingKey ??= this.#nextSealingKey();
    crypto.getRandomValues(this.#nonce);
    const cipher = createCipheriv('aes-256-gcm', this.#sealingKey, this.#nonce);
    this.#sealed += 1;
    if (this.#sealed === RECORDS_PER_KEY) this.#sealingKey = null;
    cipher.setAAD(encodeAad(aad));
    const ciphertext = typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
    cipher.final();
    return Buffer.concat([this.#head, ciphertext, cipher.getAuthTag()]);
  }

  /** Opens a record. Throws `UnreadableRecordError` like `openPayload`. */
  open(record: Uint8Array, aad: AssociatedData): Buffer {
    const bytes = Buffer.isBuffer(record) ? record : Buffer.from(record);
    if (bytes.length < CIPHERTEXT + TAG_BYTES) throw new UnreadableRecordError('truncated');
    if (bytes[0] !== VERSION) throw new UnreadableRecordError('unknown format version');
    const decipher = createDecipheriv('aes-256-gcm', this.#openingKey(bytes), bytes.subarray(NONCE, CIPHERTEXT));
    decipher.setAAD(encodeAad(aad));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plaintext = decipher.update(bytes.subarray(CIPHERTEXT, -TAG_BYTES));
    try {
      decipher.final();
    } catch (cause) {
      throw new UnreadableRecordError('modified or moved', { cause });
    }
    return plaintext;
  }

  #nextSealingKey(): KeyObject {
    crypto.getRandomValues(this.#salt);
    this.#sealed = 0;
    return createSecretKey(deriveKey(this.#key, this.#salt, RECORD));
  }

  /** Returns the key of a record. Successive records often share it. */
  #openingKey(record: Buffer): KeyObject {
    const origin = record.subarray(KEY_ID, NONCE);
    if (this.#opened?.origin.equals(origin)) return this.#opened.key;
    const master = this.#keyOf(getKeyId(record));
    if (!master) throw new UnreadableRecordError('sealed under an unknown key');
    const key = createSecretKey(deriveKey(master, record.subarray(SALT, NONCE), RECORD));
    this.#opened = { origin: Buffer.from(origin), key };
    return key;
  }

  #keyOf(id: number): MasterKey | null {
    const known = this.#keys.get(id);
    if (known) return known;
    const found = this.#findKey(id);
    if (found) this.#keys.set(id, found);
    return found;
  }
}

/** Reads the key id from a record's header. */
export function getKeyId(record: Uint8Array): number {
  return new DataView(record.buffer, record.byteOffset).getUint32(KEY_ID);
}

/** Encodes associated data. The time in the id of a submission is set after its records were sealed. */
function encodeAad({ table, row, form, column }: AssociatedData): Buffer {
  const name = table === 'submissions' ? getRandomPart(row) : row;
  return Buffer.from(`${table}\0${name}\0${form}\0${column}`);
}
