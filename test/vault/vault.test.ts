import { expect, test } from 'bun:test';
import type { Payload } from '../../src/domain/submission.ts';
import { newMasterKeyText, parseMasterKey } from '../../src/vault/key-ring.ts';
import { payloadPlace, UnreadableRecordError, Vault } from '../../src/vault/vault.ts';

const PAYLOAD: Payload = [
  ['name', 'Ada'],
  ['__proto__', ['x', { deep: [1, null, true] }]],
];
const HERE = payloadPlace('sub_1', 'frm_1');

function newVault(): Vault {
  const key = parseMasterKey(newMasterKeyText());
  if (!key) throw new Error('no key');
  return new Vault(key);
}

test('what was sealed opens again at its place', () => {
  const vault = newVault();
  expect(vault.openPayload(vault.sealPayload(PAYLOAD, HERE), HERE)).toEqual(PAYLOAD);
});

test('a record holds nothing of its payload in the clear, and no two are alike', () => {
  const vault = newVault();
  const records = [1, 2].map(() => Buffer.from(vault.sealPayload([['canary', 'canary']], HERE)));
  expect(records.some((record) => record.includes('canary'))).toBe(false);
  expect(records[0]?.equals(records[1] ?? Buffer.alloc(0))).toBe(false);
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

test('a record cut short at any byte, or with one more, is detected', () => {
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

test('a record of another key is detected', () => {
  const record = newVault().sealPayload(PAYLOAD, HERE);
  expect(() => newVault().openPayload(record, HERE)).toThrow(UnreadableRecordError);
});

test('a key is read from hex and from base64, and from nothing else', () => {
  const bytes = Buffer.from(newMasterKeyText(), 'base64');
  const fromHex = parseMasterKey(bytes.toString('hex'));
  expect(parseMasterKey(` ${bytes.toString('base64')}\n`)?.check).toBe(fromHex?.check ?? '');
  expect(parseMasterKey(bytes.toString('base64url'))?.check).toBe(fromHex?.check ?? '');
  for (const text of ['', 'secret', bytes.toString('hex').slice(1), bytes.subarray(1).toString('base64')]) {
    expect(parseMasterKey(text)).toBeNull();
  }
});
