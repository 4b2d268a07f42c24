import { expect, test } from 'bun:test';
import { hkdfSync } from 'node:crypto';
import { deriveKey, generateMasterKey, keyPurpose } from '../../../src/vault/key-ring.ts';

test('deriveKey returns the same key as hkdfSync, with and without a salt', () => {
  const key = generateMasterKey();
  const purpose = keyPurpose('record/v1');
  for (const salt of [crypto.getRandomValues(new Uint8Array(16)), new Uint8Array(0)]) {
    const expected = Buffer.from(hkdfSync('sha256', key.bytes, salt, purpose, 32));
    expect(Buffer.from(deriveKey(key, salt, purpose))).toEqual(expected);
  }
});
