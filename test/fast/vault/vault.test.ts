import { describe, expect, test } from 'bun:test';
import type { Payload } from '../../../src/domain/submissions/submission.ts';
import {
  encodeMasterKey,
  generateMasterKey,
  type MasterKey,
  parseMasterKey,
  parseMasterKeys,
} from '../../../src/vault/key-ring.ts';
import { fingerprintKeyAad, getKeyId, payloadAad, UnreadableRecordError, Vault } from '../../../src/vault/vault.ts';

const PAYLOAD: Payload = [
  ['name', 'Ada'],
  ['__proto__', ['x', { deep: [1, null, true] }]],
];
const HERE = payloadAad('sub_1', 'frm_1');

function newVault(): Vault {
  return new Vault(generateMasterKey());
}

test('a sealed payload opens with the same AAD', () => {
  const vault = newVault();
  expect(vault.openPayload(vault.sealPayload(PAYLOAD, HERE), HERE)).toEqual(PAYLOAD);
});

test('a record contains no plaintext, and two records of the same payload differ', () => {
  const vault = newVault();
  const records = [1, 2].map(() => Buffer.from(vault.sealPayload([['canary', 'canary']], HERE)));
  expect(records.some((record) => record.includes('canary'))).toBe(false);
  expect(records[0]?.equals(records[1] ?? Buffer.alloc(0))).toBe(false);
});

test('1,024 records in a row share a salt, each with a nonce of its own, and a new vault starts with a new salt', () => {
  const key = generateMasterKey();
  const vault = new Vault(key);
  const records = Array.from({ length: 1025 }, () => Buffer.from(vault.sealPayload(PAYLOAD, HERE)));
  const salts = records.map((record) => record.subarray(5, 21).toString('hex'));
  expect(new Set(salts).size).toBe(2);
  expect(salts.lastIndexOf(salts[0] ?? '')).toBe(1023);
  expect(new Set(records.map((record) => record.subarray(21, 33).toString('hex'))).size).toBe(1025);
  const other = new Vault(key);
  expect(salts).not.toContain(Buffer.from(other.sealPayload(PAYLOAD, HERE)).subarray(5, 21).toString('hex'));
  // In an order in which each record has another key than the one before.
  for (const index of [0, 1024, 1, 1024, 0]) {
    expect(other.openPayload(records[index] ?? Buffer.alloc(0), HERE)).toEqual(PAYLOAD);
  }
});

test('every flipped bit of a record is detected', () => {
  const vault = newVault();
  const record = vault.sealPayload(PAYLOAD, HERE);
  for (let at = 0; at < record.length * 8; at++) {
    const changed = Uint8Array.from(record);
    changed[at >> 3] = (changed[at >> 3] ?? 0) ^ (1 << (at & 7));
    expect(() => vault.openPayload(changed, HERE)).toThrow(UnreadableRecordError);
  }
});

test('a record truncated at any byte, or extended by one, is detected', () => {
  const vault = newVault();
  const record = vault.sealPayload(PAYLOAD, HERE);
  for (let length = 0; length < record.length; length++) {
    expect(() => vault.openPayload(record.subarray(0, length), HERE)).toThrow(UnreadableRecordError);
  }
  expect(() => vault.openPayload(Buffer.concat([record, Buffer.from([0])]), HERE)).toThrow(UnreadableRecordError);
});

test.each([
  ['row', { row: 'sub_2' }],
  ['form', { form: 'frm_2' }],
  ['table', { table: 'files' }],
  ['column', { column: 'name' }],
])('a record moved to another %s is detected', (_, change) => {
  const vault = newVault();
  const record = vault.sealPayload(PAYLOAD, HERE);
  expect(() => vault.openPayload(record, { ...HERE, ...change })).toThrow(UnreadableRecordError);
});

test('a record sealed under another key is detected', () => {
  const record = newVault().sealPayload(PAYLOAD, HERE);
  expect(() => newVault().openPayload(record, HERE)).toThrow(UnreadableRecordError);
});

test('a key is parsed from hex and base64, and other text is rejected', () => {
  const bytes = Buffer.from(generateMasterKey().bytes);
  const fromHex = parseMasterKey(bytes.toString('hex'));
  expect(parseMasterKey(` ${bytes.toString('base64')}\n`)?.check).toBe(fromHex?.check ?? '');
  expect(parseMasterKey(bytes.toString('base64url'))?.check).toBe(fromHex?.check ?? '');
  for (const text of ['', 'secret', bytes.toString('hex').slice(1), bytes.subarray(1).toString('base64')]) {
    expect(parseMasterKey(text)).toBeNull();
  }
});

test('keys separated by commas or white space are parsed in order, and an invalid key rejects the list', () => {
  const keys = [generateMasterKey(), generateMasterKey()];
  const [first = '', second = ''] = keys.map(encodeMasterKey);
  for (const text of [`${first},${second}`, `${first}\n${second}\n`, ` ${first} , ${second} `]) {
    expect(parseMasterKeys(text)?.map(({ check }) => check)).toEqual(keys.map(({ check }) => check));
  }
  for (const text of ['', ',', `${first},`, `${first} secret`, `${first}${second}`])
    expect(parseMasterKeys(text)).toBeNull();
});

describe('after the active key changed', () => {
  const [old, next] = [generateMasterKey(), generateMasterKey()];

  test('records of both keys open, and new records use the new key', () => {
    const vault = new Vault(old);
    const before = vault.sealPayload(PAYLOAD, HERE);
    vault.setActiveKey(next);
    const after = vault.sealPayload(PAYLOAD, HERE);
    expect([getKeyId(before), getKeyId(after), vault.keyId]).toEqual([old.id, next.id, next.id]);
    expect([before, after].map((record) => vault.openPayload(record, HERE))).toEqual([PAYLOAD, PAYLOAD]);
    expect(() => new Vault(next).openPayload(before, HERE)).toThrow(UnreadableRecordError);
    expect(new Vault(next).openPayload(after, HERE)).toEqual(PAYLOAD);
  });

  test('an unknown key is looked up at each record until it is found', () => {
    const ring: MasterKey[] = [];
    const vault = new Vault(old, { findKey: (id) => ring.find((key) => key.id === id) ?? null });
    const record = new Vault(next).sealPayload(PAYLOAD, HERE);
    expect(() => vault.openPayload(record, HERE)).toThrow(UnreadableRecordError);
    ring.push(next);
    expect(vault.openPayload(record, HERE)).toEqual(PAYLOAD);
  });

  test('fingerprints stay the same over several rotations', () => {
    const first = new Vault(old);
    const keys = [old, next, generateMasterKey()];
    let vault = first;
    for (const key of keys.slice(1)) {
      const sealed = vault.sealFingerprintKey(key);
      const fingerprintKey = new Vault(key).open(sealed, fingerprintKeyAad(key.id));
      vault = new Vault(key, { fingerprintKey });
      expect(vault.fingerprint('address', 'ada@example.com')).toBe(first.fingerprint('address', 'ada@example.com'));
    }
    expect(new Vault(next).fingerprint('address', 'a')).not.toBe(first.fingerprint('address', 'a'));
  });
});
