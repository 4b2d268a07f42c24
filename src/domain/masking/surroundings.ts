import { BREAK, isWordCharacter, SPACE } from './characters.ts';
import type { DigitRow } from './digit-row.ts';

/** How far off a word may stand. */
const NEAR = 32;

/** The text shortly before the digits from `first` to `end`, and shortly after. */
export function textBeside(row: DigitRow, first: number, end: number): [before: string, after: string] {
  const from = row.start(first);
  const to = row.end(end - 1);
  return [row.text.slice(Math.max(0, from - NEAR), from), row.text.slice(to, to + NEAR)];
}

/** Whether Latin letters hang directly on the digits, other than a word that says what they are. */
export function isPartOfWord(row: DigitRow, first: number, end: number, word: RegExp): boolean {
  const [before, after] = textBeside(row, first, end);
  const attached = [/[a-z_]+$/i.exec(before), /^[a-z_]+/i.exec(after)];
  return attached.some((match) => match && !word.test(match[0]));
}

/** Whether a plus stands directly before, as before a phone number. */
export function isAfterPlus(row: DigitRow, first: number): boolean {
  return /[+＋]/.test(row.text.charAt(row.start(first) - 1));
}

/**
 * Whether a number with separators of this kind goes on before `first`; a date or a word that ends in digits ends it.
 */
export function isJoinedBefore(row: DigitRow, first: number, kind: number): boolean {
  if (kind === BREAK || row.joint(first) !== kind) return false;
  const start = row.groupStart(first - 1);
  return kind !== SPACE || !(isTight(row.joint(start)) || isWordCharacter(row.text, row.start(start) - 1));
}

/** Whether it goes on after `end`, likewise. */
export function isJoinedAfter(row: DigitRow, end: number, kind: number): boolean {
  if (kind === BREAK || row.joint(end) !== kind) return false;
  const groupEnd = row.groupEnd(end);
  return kind !== SPACE || !(isTight(row.joint(groupEnd)) || isWordCharacter(row.text, row.end(groupEnd - 1)));
}

/** Whether the separators between two groups bind more closely than a space. */
function isTight(joint: number): boolean {
  return (joint & (BREAK | SPACE)) === 0;
}
