import * as kinds from './char-kinds.ts';
import { mix, SEED } from './hash.ts';
import { totals } from './totals.ts';

/** Characters of a word that its inflections share in most languages. */
export const STEM_LENGTH = 6;

/** The word that was scanned last. Numbers below `isPlain` are only set if it is false. */
export const word = {
  hash: 0,
  stem: 0,
  stemEnd: 0,
  length: 0,
  capitals: 0,
  jumps: 0,
  isMixed: false,
  isAddress: false,
  isPlain: false,
  small: 0,
  twins: 0,
  others: 0,
  digits: 0,
  units: 0,
  hidden: 0,
};

/** Reads a word into `word` and returns its end. Most have Latin letters alone, and take this short way. */
export function scanWord(text: string, from: number, to: number): number {
  let hash = SEED;
  let stem = SEED;
  let stemEnd = from;
  let length = 0;
  let capitals = 0;
  let jumps = 0;
  let isAfterSmall = false;
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    const entry = code < kinds.TABLE_SIZE ? (kinds.charTable[code] ?? kinds.OTHER) : kinds.kindBeyondTable(code);
    const kind = entry & kinds.KIND_MASK;
    if (kind === kinds.LOWER) isAfterSmall = true;
    else if (kind === kinds.UPPER) {
      capitals += 1;
      if (isAfterSmall) jumps += 1;
      isAfterSmall = false;
    } else if (kind === kinds.OTHER || kind === kinds.MARK || kind === kinds.UNSPACED || kind === kinds.SYMBOL) break;
    else return scanOtherWord(text, from, to);
    hash = mix(hash, entry >>> kinds.KIND_BITS);
    at += 1;
    if (++length === STEM_LENGTH) {
      stem = hash;
      stemEnd = at;
    }
  }
  word.hash = hash;
  word.stem = length < STEM_LENGTH ? hash : stem;
  word.stemEnd = length < STEM_LENGTH ? at : stemEnd;
  word.length = length;
  word.capitals = capitals;
  word.jumps = jumps;
  word.isMixed = false;
  word.isPlain = true;
  return at;
}

/** Reads a word of any kind. A run of digits counts as one zero, an accent as nothing. */
function scanOtherWord(text: string, from: number, to: number): number {
  let hash = SEED;
  let stem = SEED;
  let stemEnd = from;
  let length = 0;
  let small = 0;
  let capitals = 0;
  let twins = 0;
  let others = 0;
  let digits = 0;
  let units = 0;
  let jumps = 0;
  let hidden = 0;
  let isAfterSmall = false;
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    const kind = kinds.getKind(code);
    if (kind === kinds.SKIPPED) {
      if (code >= 0x2000) hidden += 1;
      at += 1;
      continue;
    }
    if (kind === kinds.OTHER || kind > kinds.UNIT) break;
    let base = code >= 0xff10 && code <= 0xff5a ? code - 0xfee0 : kinds.getBase(code);
    at += 1;
    if (kind === kinds.LOWER || kind === kinds.TWIN_LOWER) {
      small += 1;
      isAfterSmall = true;
    } else if (kind === kinds.UPPER || kind === kinds.TWIN_UPPER) {
      capitals += 1;
      if (isAfterSmall) jumps += 1;
      isAfterSmall = false;
    } else if (kind === kinds.DIGIT) {
      digits += 1;
      while (at < to && kinds.getKind(text.charCodeAt(at)) === kinds.DIGIT) {
        at += 1;
        digits += 1;
      }
      base = kinds.ZERO;
      isAfterSmall = false;
    } else if (kind === kinds.UNIT) units += 1;
    else others += 1;
    if (kind === kinds.TWIN_LOWER || kind === kinds.TWIN_UPPER) twins += 1;
    hash = mix(hash, base);
    if (++length === STEM_LENGTH) {
      stem = hash;
      stemEnd = at;
    }
  }
  word.hash = hash;
  word.stem = length < STEM_LENGTH ? hash : stem;
  word.stemEnd = length < STEM_LENGTH ? at : stemEnd;
  word.length = length;
  word.capitals = capitals;
  word.jumps = jumps;
  word.isMixed = twins > 0 && twins < small + capitals;
  word.isPlain = false;
  word.small = small;
  word.twins = twins;
  word.others = others;
  word.digits = digits;
  word.units = units;
  word.hidden = hidden;
  return at;
}

export function countWord(): void {
  const { length, capitals, jumps } = word;
  totals.words += 1;
  totals.capitals += capitals;
  if (jumps > 0) {
    totals.jumps += jumps;
    if (jumps >= 2 && length >= 7 && length <= 40) totals.jumpWords += 1;
  }
  if (word.isPlain) totals.letters += length;
  else countOtherWord();
}

function countOtherWord(): void {
  const { small, capitals, twins, others, digits, units, hidden } = word;
  totals.letters += small + capitals + others;
  totals.digits += digits;
  totals.units += units;
  totals.foreign += twins + others;
  totals.hidden += hidden;
  if (word.isMixed) totals.mixed += 1;
}

/** Latin letters by the Cyrillic and Greek ones that look the same. */
const LATIN_TWINS = new Map(
  Array.from('аaеeоoрpсcуyхxіiѕsјjкkмmтtвbнhαaεeοoιiκkνvρpτtυuχx'.match(/../g) ?? [], ([twin = '', latin = '']) => [
    twin.charCodeAt(0),
    latin.charCodeAt(0),
  ]),
);

/** Hashes a word of two alphabets as if all its letters were Latin, since it is disguised. */
export function rehash(text: string, start: number, end: number): void {
  let hash = SEED;
  let length = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (kinds.getKind(code) === kinds.SKIPPED) continue;
    const base = kinds.getBase(code);
    hash = mix(hash, LATIN_TWINS.get(base) ?? base);
    length += 1;
    if (length <= STEM_LENGTH) word.stem = hash;
  }
  word.hash = hash;
}
