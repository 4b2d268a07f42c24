import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Payload, UploadedFile } from '../domain/submission.ts';
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

/** The place a record belongs to. It is authenticated, so a record that is moved elsewhere does not open. */
export type AssociatedData = Readonly<{ table: string; row: string; form: string; column: string }>;

/** Where the payload of a submission lies. */
export function payloadAad(submissionId: string, formId: string): AssociatedData {
  return { table: 'submissions', row: submissionId, form: formId, column: 'payload' };
}

/** Where the list of a submission's files lies. */
export function filesAad(submissionId: string, formId: string): AssociatedData {
  return { table: 'submissions', row: submissionId, form: formId, column: 'files' };
}

/** Where the reasons lie for which a submission was flagged. */
export function spamReasonsAad(submissionId: string, formId: string): AssociatedData {
  return { table: 'submissions', row: submissionId, form: formId, column: 'spam_reasons' };
}

/** Where the last word of a server on a mail lies; the form is null where it is of none. */
export function mailReasonAad(mailId: string, formId: string | null): AssociatedData {
  return { table: 'outbox', row: mailId, form: formId ?? '', column: 'reason' };
}

/** Where the secret of a form's challenge lies. */
export function challengeSecretAad(formId: string): AssociatedData {
  return { table: 'forms', row: formId, form: formId, column: 'challenge_secret' };
}

/** Where the secret of a user's second factor lies. */
export function totpSecretAad(userId: string): AssociatedData {
  return { table: 'users', row: userId, form: '', column: 'totp_secret' };
}

/** Where one lies that is offered to a session and kept nowhere: the page carries it until it is confirmed. */
export function totpOfferAad(sessionId: string): AssociatedData {
  return { table: 'sessions', row: sessionId, form: '', column: 'totp_offer' };
}

/** Where what keyed hashes are made with lies, sealed under the key of this id. */
export function fingerprintKeyAad(keyId: number): AssociatedData {
  return { table: 'vault_keys', row: String(keyId), form: '', column: 'fingerprint_key' };
}

/** A record that was changed, cut short, moved to another row, or sealed under a key that is not in the ring. */
export class UnreadableRecordError extends Error {}

type RingOptions = Readonly<{ fingerprintKey?: Uint8Array; findKey?: (id: number) => MasterKey | null }>;

/**
 * Seals and opens what visitors sent. A record is
 *
 *     version (1 byte) | key id (4) | salt (16) | nonce (12) | ciphertext | tag (16)
 *
 * under AES-256-GCM with a key derived for this record alone, so that no nonce limit is ever near.
 */
export class Vault {
  /** The head of the record being sealed, reused: making a few buffers less for each is worth a tenth of a post. */
  readonly #head = Buffer.alloc(CIPHERTEXT);
  readonly #random = this.#head.subarray(SALT);
  readonly #salt = this.#head.subarray(SALT, NONCE);
  readonly #nonce = this.#head.subarray(NONCE);

  readonly #keys = new Map<number, MasterKey>();
  readonly #fingerprintKey: Uint8Array;
  readonly #findKey: (id: number) => MasterKey | null;
  #key: MasterKey;

  /**
   * Seals under `key`. `fingerprintKey` is what keyed hashes are made with, which outlives the keys that seal; without one it
   * is derived from `key`. `findKey` is asked for another key that a record names, until it has it.
   */
  constructor(key: MasterKey, { fingerprintKey, findKey = () => null }: RingOptions = {}) {
    this.#key = key;
    this.#fingerprintKey = fingerprintKey ?? deriveKey(key, NO_SALT, FINGERPRINT);
    this.#findKey = findKey;
    this.#head[0] = VERSION;
    this.setActiveKey(key);
  }

  /** The id of the key that it seals under. */
  get keyId(): number {
    return this.#key.id;
  }

  /** Seals under this key from now on. Only for one that is durably kept and noted as the current one. */
  setActiveKey(key: MasterKey): void {
    this.#keys.set(key.id, key);
    this.#key = key;
    this.#head.writeUInt32BE(key.id, KEY_ID);
  }

  /** What keyed hashes are made with, sealed under another key, so that they stay the same when that one takes over. */
  sealFingerprintKey(key: MasterKey): Uint8Array {
    return new Vault(key).seal(this.#fingerprintKey, fingerprintKeyAad(key.id));
  }

  sealPayload(payload: Payload, aad: AssociatedData): Uint8Array {
    return this.seal(JSON.stringify(payload), aad);
  }

  /** Throws `UnreadableRecordError` unless the record is, byte for byte, what was sealed for this place. */
  openPayload(record: Uint8Array, aad: AssociatedData): Payload {
    return JSON.parse(this.open(record, aad).toString());
  }

  sealFiles(files: readonly UploadedFile[], aad: AssociatedData): Uint8Array {
    return this.seal(JSON.stringify(files), aad);
  }

  /** Throws `UnreadableRecordError`, as `openPayload` does. */
  openFiles(record: Uint8Array, aad: AssociatedData): readonly UploadedFile[] {
    return JSON.parse(this.open(record, aad).toString());
  }

  /** The same text of the same purpose gives the same 64 hex digits, and no one without the key can tell of what. */
  fingerprint(purpose: string, text: string): string {
    return createHmac('sha256', this.#fingerprintKey).update(`${purpose}\0${text}`).digest('hex');
  }

  /** What tells an e-mail address from another where the address itself must not stand. */
  readonly addressHash = (address: string): string => this.fingerprint('address', address);

  seal(plaintext: string | Uint8Array, aad: AssociatedData): Uint8Array {
    crypto.getRandomValues(this.#random);
    const cipher = createCipheriv('aes-256-gcm', deriveKey(this.#key, this.#salt, RECORD), this.#nonce);
    cipher.setAAD(encodeAad(aad));
    const ciphertext = typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
    cipher.final();
    return Buffer.concat([this.#head, ciphertext, cipher.getAuthTag()]);
  }

  /** Throws `UnreadableRecordError`, as `openPayload` does. */
  open(record: Uint8Array, aad: AssociatedData): Buffer {
    const bytes = Buffer.isBuffer(record) ? record : Buffer.from(record);
    if (bytes.length < CIPHERTEXT + TAG_BYTES) throw new UnreadableRecordError('cut short');
    if (bytes[0] !== VERSION) throw new UnreadableRecordError('of an unknown version');
    const master = this.#keyOf(keyIdOf(bytes));
    if (!master) throw new UnreadableRecordError('sealed under an unknown key');
    const key = deriveKey(master, bytes.subarray(SALT, NONCE), RECORD);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(NONCE, CIPHERTEXT));
    decipher.setAAD(encodeAad(aad));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plaintext = decipher.update(bytes.subarray(CIPHERTEXT, -TAG_BYTES));
    try {
      decipher.final();
    } catch (cause) {
      throw new UnreadableRecordError('changed or moved', { cause });
    }
    return plaintext;
  }

  #keyOf(id: number): MasterKey | null {
    const known = this.#keys.get(id);
    if (known) return known;
    const found = this.#findKey(id);
    if (found) this.#keys.set(id, found);
    return found;
  }
}

/** The id of the key that a record names. */
export function keyIdOf(record: Uint8Array): number {
  return new DataView(record.buffer, record.byteOffset).getUint32(KEY_ID);
}

function encodeAad({ table, row, form, column }: AssociatedData): Buffer {
  return Buffer.from(`${table}\0${row}\0${form}\0${column}`);
}
