import { randomInt } from 'node:crypto';
import type { Micros } from './clock.ts';

/** Generates an id that sorts by creation time: prefix, underscore and a UUID version 7 (RFC 9562) in 32 hex digits. */
export const newId = (prefix: string): string => `${prefix}_${Bun.randomUUIDv7('buffer').toString('hex')}`;

/** Generates a string of `length` characters, drawn uniformly from `alphabet` by a cryptographic generator. */
export function randomString(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Digits of an id that contain its time, and those that are random. */
const TIME_DIGITS = 16;
const RANDOM_DIGITS = 16;

/** Replaces the time of an id by another one in microseconds: its last three digits follow the version (RFC 9562, 6.2). */
export function withTime(id: string, at: Micros): string {
  const ms = Math.floor(at / 1000);
  const versionAndMicros = (0x7000 + (at - ms * 1000)).toString(16);
  const prefix = id.slice(0, -TIME_DIGITS - RANDOM_DIGITS);
  return `${prefix}${ms.toString(16).padStart(12, '0')}${versionAndMicros}${getRandomPart(id)}`;
}

/** Returns the time that `withTime` wrote; -1 for another text. */
export function getTime(id: string): Micros {
  const [, ms, micros] = /^[a-z]*_([0-9a-f]{12})7([0-9a-f]{3})[0-9a-f]{16}$/.exec(id) ?? [];
  return ms === undefined || micros === undefined ? -1 : Number.parseInt(ms, 16) * 1000 + Number.parseInt(micros, 16);
}

/** Returns the part of an id that `withTime` keeps. */
export const getRandomPart = (id: string): string => id.slice(-RANDOM_DIGITS);
