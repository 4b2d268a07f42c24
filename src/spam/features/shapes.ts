import { DIGIT, getKind, POINT } from './char-kinds.ts';
import { addShape } from './feature-list.ts';
import { totals } from './totals.ts';

/** Adds the numbers of things, most of them together with the size of the text. */
export function addShapes(): void {
  const { words, links, letters, digits } = totals;
  const size = getSize(words);
  const small = Math.min(size, 6);
  const share = (part: number, whole: number, steps: number) =>
    whole === 0 ? 0 : Math.min(steps, Math.floor((part / whole) * steps));
  addShape(1, size);
  addShape(2, (Math.min(links, 5) << 8) | size);
  if (totals.jumpWords > 0) addShape(3, (Math.min(totals.jumpWords, 4) << 8) | small);
  if (totals.jumps > 0) addShape(4, (Math.min(totals.jumps, 6) << 8) | small);
  if (totals.tags > 0) addShape(5, (Math.min(totals.tags, 4) << 8) | Math.min(links, 4));
  addShape(6, (share(totals.capitals, letters, 8) << 4) | small);
  addShape(7, (share(digits, digits + letters, 8) << 4) | small);
  addShape(8, (share(totals.foreign, letters, 4) << 4) | Math.min(links, 3));
  if (words > 0) addShape(9, (Math.min(12, Math.floor(letters / words)) << 4) | small);
  if (totals.mixed > 0) addShape(10, Math.min(totals.mixed, 5));
  if (totals.symbols > 0) addShape(11, (Math.min(getSize(totals.symbols), 5) << 4) | Math.min(links, 3));
  if (totals.addresses > 0) addShape(12, (Math.min(totals.addresses, 3) << 4) | small);
  if (totals.units > 0) addShape(13, (Math.min(totals.units, 3) << 4) | Math.min(links, 3));
  if (totals.marks > 0) addShape(14, (Math.min(totals.marks, 5) << 4) | small);
}

/** Rounds a number of words. */
export function getSize(words: number): number {
  return words < 3 ? words : words < 5 ? 3 : words < 8 ? 4 : Math.min(9, Math.floor(Math.log2(words)) + 2);
}

/** Adds the shape of a sender's address: dots within the name, as in variations of one mailbox. */
export function addSenderShapes(text: string): void {
  const end = text.indexOf('@');
  let dots = 0;
  for (let at = 0; at < end; at++) if (text.charCodeAt(at) === POINT) dots += 1;
  if (dots >= 3) addShape(40, Math.min(dots, 5));
}

/** Returns whether a field is a phone number as programs fill it in: eleven digits, the first of which is an 8. */
export function isPhoneOfBots(text: string): boolean {
  if (text.length !== 11 || text.charCodeAt(0) !== 0x38) return false;
  for (let at = 1; at < 11; at++) if (getKind(text.charCodeAt(at)) !== DIGIT) return false;
  addShape(41, 1);
  return true;
}
