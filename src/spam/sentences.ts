import { endOfLink, isLetter, isLinkStart } from './words.ts';

/** The four longest sentences of a text, from which its fingerprints are made. All calls share buffers. */

/** Letters from which two equal sentences are no coincidence. */
export const MIN_LETTERS = 40;
const MAX_SENTENCES = 4;

/** Units below this are looked up in a table. Letters beyond have no capitals, except in rare scripts. */
const TABLE_SIZE = 0x2000;
/** Classes of units; all others are the lowercase letter itself. */
const OTHER = 0;
const END = 1;
const COLON = 2;
const table = Uint16Array.from({ length: TABLE_SIZE }, (_, code) => {
  const text = String.fromCharCode(code);
  if ('.!?\n'.includes(text)) return END;
  if (text === ':') return COLON;
  const lower = text.toLowerCase().charCodeAt(0);
  return isLetter(lower) ? lower : OTHER;
});

/** Returns the lowercase letter of a unit, or its class. */
function getLetter(code: number): number {
  if (code < TABLE_SIZE) return table[code] ?? OTHER;
  if (code === 0x3002 || code === 0xff01 || code === 0xff1f) return END;
  return isLetter(code) ? code : OTHER;
}

/** Starts, ends and numbers of letters of the longest sentences, longest first. */
const starts = new Int32Array(MAX_SENTENCES);
const ends = new Int32Array(MAX_SENTENCES);
const lengths = new Int32Array(MAX_SENTENCES);
let hasLinks = false;

/** Finds the longest sentences of at least `MIN_LETTERS`, and returns their number. Links count as nothing. */
export function findSentences(text: string): number {
  lengths.fill(0);
  hasLinks = false;
  let start = 0;
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = getLetter(text.charCodeAt(at));
    if (letter > COLON) letters += 1;
    else if (letter === END) {
      if (letters >= MIN_LETTERS) insert(start, at, letters);
      start = at + 1;
      letters = 0;
    } else if (letter === COLON) {
      const scheme = isLinkStart(text, at - 4) ? 4 : isLinkStart(text, at - 5) ? 5 : 0;
      if (scheme === 0) continue;
      hasLinks = true;
      letters -= scheme;
      at = endOfLink(text, at) - 1;
    }
  }
  if (letters >= MIN_LETTERS) insert(start, text.length, letters);
  let count = 0;
  while (count < MAX_SENTENCES && (lengths[count] ?? 0) > 0) count += 1;
  return count;
}

function insert(start: number, end: number, letters: number): void {
  let place = MAX_SENTENCES;
  while (place > 0 && (lengths[place - 1] ?? 0) < letters) {
    place -= 1;
    if (place === MAX_SENTENCES - 1) continue;
    starts[place + 1] = starts[place] ?? 0;
    ends[place + 1] = ends[place] ?? 0;
    lengths[place + 1] = lengths[place] ?? 0;
  }
  if (place === MAX_SENTENCES) return;
  starts[place] = start;
  ends[place] = end;
  lengths[place] = letters;
}

/**
 * Returns a seeded 53-bit hash of the letters of one of the sentences that `findSentences` found: two multiplicative
 * hashes, fast and not reversible without the seed.
 */
export function sentenceFingerprint(text: string, index: number, seed: number): number {
  const end = ends[index] ?? 0;
  let one = seed;
  let other = ~seed;
  for (let at = starts[index] ?? 0; at < end; at++) {
    const letter = getLetter(text.charCodeAt(at));
    if (letter <= COLON) continue;
    if (hasLinks && isLinkStart(text, at)) {
      at = endOfLink(text, at) - 1;
      continue;
    }
    one = Math.imul(one ^ letter, 0x01000193);
    other = Math.imul(other + letter, 0x9e3779b1) ^ (other >>> 15);
  }
  return (one >>> 0) * 0x20_0000 + (other >>> 11);
}

/** Returns such a hash of a whole value. */
export function fingerprint(value: string, seed: number): number {
  let one = seed;
  let other = ~seed;
  for (let at = 0; at < value.length; at++) {
    one = Math.imul(one ^ value.charCodeAt(at), 0x01000193);
    other = Math.imul(other + value.charCodeAt(at), 0x9e3779b1) ^ (other >>> 15);
  }
  return (one >>> 0) * 0x20_0000 + (other >>> 11);
}
