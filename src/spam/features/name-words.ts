import { word } from './words.ts';

/** Words of the sender's name that count nowhere in the text. A name of more words is a sentence, whose words count. */
const MAX_WORDS = 4;
const hashes = new Int32Array(MAX_WORDS);
let count = 0;

export function clearNameWords(): void {
  count = 0;
}

/** Adds the word that was scanned last. */
export function addNameWord(): void {
  if (count < MAX_WORDS) hashes[count] = word.hash;
  count += 1;
}

/** Returns whether the word that was scanned last is of the sender's name: capitalized, as in a signature. */
export function isNameWord(): boolean {
  if (word.capitals !== 1 || count > MAX_WORDS) return false;
  for (let at = 0; at < count; at++) if (hashes[at] === word.hash) return true;
  return false;
}
