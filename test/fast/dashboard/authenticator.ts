import { createHmac } from 'node:crypto';
import { type Micros, SECOND } from '../../../src/lib/clock.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** How long a code stands. */
export const STEP: Micros = 30 * SECOND;

/** What an app shows at a time for a secret in base32: RFC 6238 written down once more, for tests to go by. */
export function codeAt(secret: string, at: Micros): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP)));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** The bytes that a text in base32 stands for. */
export function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
