/**
 * Features of a text for the spam model: words, stems, pairs of stems, pairs and triples of characters in scripts without
 * spaces, and the shape of the whole submission. One pass over the character codes, without regular expressions and
 * without new strings. All calls share buffers, so the features of one submission are valid until the next one is read.
 */

/** Kinds of UTF-16 units. */
const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** Cyrillic and Greek letters, which resemble Latin ones. */
const TWIN_LOWER = 4;
const TWIN_UPPER = 5;
const LETTER = 6;
/** Currency signs and `%`, which belong to the number beside them. */
const UNIT = 7;
/** Thai, kana and Han: scripts without spaces between words. */
const UNSPACED = 8;
/** Emojis, arrows and other pictures. */
const SYMBOL = 9;
/** Combining accents and invisible characters, which are skipped. */
const SKIPPED = 10;
/** Exclamation and question marks, and characters of code and markup. */
const MARK = 11;

/** Units below this are looked up in a table, others are compared with ranges. */
const TABLE_SIZE = 0x600;
const KIND_BITS = 4;
const KIND_MASK = (1 << KIND_BITS) - 1;
/** Each unit's kind, and above it the unit's lowercase letter, for Latin letters without its accent. */
const table = Uint32Array.from({ length: TABLE_SIZE }, (_, code) => {
  const text = String.fromCharCode(code);
  const lower = text.toLowerCase();
  const isLatin = /\p{Script=Latin}/u.test(text);
  const base = isLatin ? (lower.normalize('NFD')[0] ?? lower) : lower;
  const kind = kindInTable(text, isLatin, lower === text);
  return ((base.length === 1 ? base.charCodeAt(0) : code) << KIND_BITS) | kind;
});

function kindInTable(text: string, isLatin: boolean, isLower: boolean): number {
  const code = text.charCodeAt(0);
  if (code === 0xad || (code >= 0x300 && code < 0x370)) return SKIPPED;
  if (/\p{Nd}/u.test(text)) return DIGIT;
  if (/[$%£€¥]/.test(text)) return UNIT;
  if (/[!?<["#(;=\\`{|}]/.test(text)) return MARK;
  if (isLatin) return isLower ? LOWER : UPPER;
  if (/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(text)) return isLower ? TWIN_LOWER : TWIN_UPPER;
  return /[\p{L}\p{M}]/u.test(text) ? LETTER : OTHER;
}

function kindOf(code: number): number {
  return code < TABLE_SIZE ? (table[code] ?? OTHER) & KIND_MASK : kindBeyondTable(code);
}

function baseOf(code: number): number {
  return code < TABLE_SIZE ? (table[code] ?? OTHER) >>> KIND_BITS : code;
}

function kindBeyondTable(code: number): number {
  if ((code >= 0x3041 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)) return UNSPACED;
  if (code >= 0xe00 && code <= 0xe7f) return UNSPACED;
  if (code < 0x2000) return LETTER;
  if (code === 0x20ac || code === 0x20b9 || code === 0x20bd || code === 0xff04) return UNIT;
  if ((code >= 0x200b && code <= 0x200f) || code === 0x2060 || code === 0xfeff || code === 0xfe0f) return SKIPPED;
  if ((code >= 0xac00 && code <= 0xd7af) || (code >= 0xff10 && code <= 0xff5a)) return LETTER;
  if ((code >= 0x2190 && code <= 0x2bff) || (code >= 0xd800 && code <= 0xdbff)) return SYMBOL;
  return code >= 0xdc00 && code <= 0xdfff ? SKIPPED : OTHER;
}

/** FNV-1a, 32 bit. */
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
/** Salts keep the hashes of different kinds of features apart. */
const STEM = 0x2e;
const PAIR = 0x20;
const NAME = 0x61;
const SUBJECT = 0x62;
const LINK = 0x26;
const ADDRESS = 0x25;
const TAG = 0x3c;
const LINKED = 0x77;
const SHAPE = 0x7f01;
const NAMED = 0x7f02;

function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, PRIME);
}

function hashOf(text: string): number {
  let hash = SEED;
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at));
  return hash;
}

/** Characters of a word that its inflections share in most languages. */
const STEM_LENGTH = 6;
/** Limits the work for each submission; offers come early in a text. */
const MAX_CHARACTERS = 1300;
export const MAX_FEATURES = 1 << 13;

/** Endings of host names that cost little and are much used by spam. */
const CHEAP_ENDINGS = hashesOf(
  'top icu buzz click xyz site online vip win bid loan men cyou cfd sbs rest monster quest bond lol shop tk ml ga cf gq',
);
/** Hosts of shortened links and of pages that anybody may write. */
const SHARED_HOSTS = new Set(
  [
    ...['bit.ly', 't.me', 'tinyurl.com', 'cutt.ly', 'goo.gl', 'is.gd', 'rb.gy', 'wa.me', 't.ly', 'ow.ly', 'clck.ru'],
    ...['vk.cc', 'telegra.ph', 'graph.org', 'rebrand.ly', 'shorturl.at', 'linktr.ee', 'forms.gle'],
  ].map((host) => {
    const [name = '', ending = ''] = host.split('.');
    return mix(hashOf(name), hashOf(ending));
  }),
);

function hashesOf(words: string): ReadonlySet<number> {
  return new Set(words.split(' ').map(hashOf));
}

/** One bit for each place; two features of a text rarely share one. */
const SEEN_BITS = 17;
const seen = new Int32Array((1 << SEEN_BITS) / 32);
const hashes = new Int32Array(MAX_FEATURES);
/**
 * Each feature's start in its field, its end and the index of the field, in 11, 11 and 10 bits: `extractText` returns at
 * most 1,000 fields. A negative one of -1 is a shape, and less the name of a sign.
 */
const spots = new Int32Array(MAX_FEATURES);
let count = 0;
/** Numbers of things in the submission, from which its shape is derived. */
const totals = {
  words: 0,
  links: 0,
  addresses: 0,
  tags: 0,
  symbols: 0,
  letters: 0,
  capitals: 0,
  digits: 0,
  foreign: 0,
  units: 0,
  marks: 0,
  /** Changes from a small letter to a capital within words. */
  jumps: 0,
  /** Words of 7 to 40 letters with two jumps or more. */
  jumpWords: 0,
  /** Words with letters of two alphabets. */
  mixed: 0,
  /** Invisible characters within and between words. */
  hidden: 0,
  /** Characters of code, markup and templates. */
  code: 0,
};
/** Numbers of things in the last submission. */
export type Totals = Readonly<typeof totals>;

/** The index of the current field, at its place in a spot. */
let fieldBits = 0;
const END_SHIFT = 11;
const FIELD_SHIFT = 22;
/** The index of a field in the spot of a shape or sign. */
const NO_FIELD = 1023;

/** Adds a feature of the current field unless the submission has it already. */
function add(hash: number, start: number, end: number): void {
  addAt(hash, fieldBits | (end << END_SHIFT) | start);
}

function addAt(hash: number, spot: number): void {
  const place = (hash ^ (hash >>> SEEN_BITS)) & ((1 << SEEN_BITS) - 1);
  const group = place >>> 5;
  const bits = seen[group] ?? 0;
  const bit = 1 << (place & 31);
  if ((bits & bit) !== 0 || count === MAX_FEATURES) return;
  seen[group] = bits | bit;
  hashes[count] = hash;
  spots[count] = spot;
  count += 1;
}

function addShape(name: number, value: number): void {
  addAt(mix(mix(mix(SEED, SHAPE), name), value), -1);
}

/** A field of a submission. `role` tells fields that ask for a name, and subjects, from others. */
export type ScannedField = Readonly<{ text: string; role: 'name' | 'subject' | null }>;

/** Features of one submission; valid until the next one is read. `hashes` costs a view of the first `count` of `buffer`. */
export type Features = Readonly<{ buffer: Int32Array; count: number; hashes: Int32Array; totals: Totals }>;

const features = {
  buffer: hashes,
  totals,
  get count() {
    return count;
  },
  get hashes() {
    return hashes.subarray(0, count);
  },
};

const NO_SIGNS: readonly string[] = [];

/** Reads the features of a submission. `named` are names of further signs that the caller found. */
export function extractFeatures(fields: readonly ScannedField[], named = NO_SIGNS): Features {
  clear();
  let left = MAX_CHARACTERS;
  let nameField: ScannedField | null = null;
  let message: ScannedField | null = null;
  for (let index = 0; index < fields.length && left > 0; index++) {
    const one = fields[index];
    if (one === undefined) continue;
    fieldBits = index << FIELD_SHIFT;
    const to = Math.min(one.text.length, left);
    left -= to;
    if (message === null || one.text.length > message.text.length) message = one;
    if (isAddressAlone(one.text)) addSenderShapes(one.text);
    else if (one.role === 'name') {
      nameField ??= one;
      scanName(one.text, to);
    } else if (!isPhoneOfBots(one.text)) scan(one.text, to, one.role === 'subject' ? SUBJECT : 0);
  }
  for (let index = 0; index < named.length; index++)
    addAt(mix(mix(SEED, NAMED), hashOf(named[index] ?? '')), -2 - index);
  if (nameField && message) addNameShapes(nameField.text.trim().toLowerCase(), message);
  if (totals.links > 0) addLinked();
  addShapes();
  return features;
}

function clear(): void {
  seen.fill(0);
  count = 0;
  totals.words = 0;
  totals.links = 0;
  totals.addresses = 0;
  totals.tags = 0;
  totals.symbols = 0;
  totals.letters = 0;
  totals.capitals = 0;
  totals.digits = 0;
  totals.foreign = 0;
  totals.units = 0;
  totals.marks = 0;
  totals.jumps = 0;
  totals.jumpWords = 0;
  totals.mixed = 0;
  totals.hidden = 0;
  totals.code = 0;
}

/**
 * Returns a feature by its index in `hashes` in words for the owner: the text as it stands in the field, or the name of a
 * sign; null for a shape.
 */
export function nameOfFeature(fields: readonly ScannedField[], named: readonly string[], index: number): string | null {
  const spot = spots[index] ?? -1;
  if (spot >>> FIELD_SHIFT === NO_FIELD) return named[-2 - spot] ?? null;
  const mask = (1 << END_SHIFT) - 1;
  const text = fields[spot >>> FIELD_SHIFT]?.text.slice(spot & mask, (spot >>> END_SHIFT) & mask);
  return text ? `“${text}”` : null;
}

/** Adds all features of a text with links apart too: beside a link, other words are signs of spam. */
function addLinked(): void {
  const end = count;
  for (let at = 0; at < end; at++) addAt(mix(hashes[at] ?? 0, LINKED), spots[at] ?? -1);
}

/** Adds the words of a name apart too: bots write a sentence, random letters or two joined words as a name. */
function scanName(text: string, to: number): void {
  const { words, links, jumps, jumpWords } = totals;
  scan(text, to, NAME);
  addShape(20, sizeOf(totals.words - words));
  if (totals.links > links) addShape(21, 1);
  if (totals.jumpWords > jumpWords) addShape(22, 1);
  else if (totals.jumps > jumps && totals.words - words === 1) addShape(24, 1);
}

function addNameShapes(name: string, message: ScannedField): void {
  if (name.length <= 3 || message.role === 'name') return;
  const text = message.text.slice(0, MAX_CHARACTERS).toLowerCase();
  if (text.trim() === name) addShape(23, 1);
  else if (text.includes(name)) addShape(23, 2);
}

/** Adds the shape of a sender's address: dots within the name, as in variations of one mailbox. */
function addSenderShapes(text: string): void {
  const end = text.indexOf('@');
  let dots = 0;
  for (let at = 0; at < end; at++) if (text.charCodeAt(at) === POINT) dots += 1;
  if (dots >= 3) addShape(40, Math.min(dots, 5));
}

/** Returns whether a field is a phone number as programs fill it in: eleven digits, the first of which is an 8. */
function isPhoneOfBots(text: string): boolean {
  if (text.length !== 11 || text.charCodeAt(0) !== 0x38) return false;
  for (let at = 1; at < 11; at++) if (kindOf(text.charCodeAt(at)) !== DIGIT) return false;
  addShape(41, 1);
  return true;
}

function isAddressAlone(text: string): boolean {
  if (text.length > 200) return false;
  const at = text.indexOf('@');
  return at > 0 && text.indexOf('@', at + 1) < 0 && text.trim().indexOf(' ') < 0 && text.indexOf('\n') < 0;
}

const EXCLAMATION = 0x21;
const HYPHEN = 0x2d;
const QUESTION = 0x3f;
const POINT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const AT = 0x40;
const LESS = 0x3c;
const BRACKET = 0x5b;
const ZERO = 0x30;

/** Adds the features of a text up to `to`. `salt` adds its words apart too; 0 for none. */
function scan(text: string, to: number, salt: number): void {
  /** Hash of the stem before; `SEED` after a break. */
  let previous = SEED;
  let previousStart = 0;
  noLinkBefore = 0;
  for (let at = 0; at < to; ) {
    const start = at;
    const kind = kindOf(text.charCodeAt(at));
    if (kind === OTHER) {
      at += 1;
      continue;
    }
    if (kind >= UNSPACED) {
      if (kind === UNSPACED) previous = SEED;
      at = kind === UNSPACED ? scanUnspaced(text, at, to) : scanMark(text, at, to, kind);
      continue;
    }
    at = scanWord(text, at, to);
    const next = at < to ? text.charCodeAt(at) : 0;
    if ((next === POINT || next === COLON || next === AT) && at >= noLinkBefore) {
      const afterLink = scanLink(text, start, at, to);
      if (afterLink > at) {
        at = afterLink;
        previous = mix(SEED, word.isAddress ? ADDRESS : LINK);
        previousStart = start;
        continue;
      }
    }
    countWord();
    if (word.isMixed) rehash(text, start, at);
    if (salt !== 0) add(mix(mix(word.hash, 0x51), salt), start, at);
    add(word.hash, start, at);
    const stem = mix(word.stem, STEM);
    if (word.length > STEM_LENGTH) add(stem, start, word.stemEnd);
    if (previous !== SEED) add(mix(mix(previous, PAIR), stem), previousStart, at);
    previous = stem;
    previousStart = start;
  }
}

/** The end of a text that was no link, so that it is not read again from each of its words. */
let noLinkBefore = 0;

/** The word that was scanned last. Numbers below `isPlain` are only set if it is false. */
const word = {
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
function scanWord(text: string, from: number, to: number): number {
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
    const entry = code < TABLE_SIZE ? (table[code] ?? OTHER) : kindBeyondTable(code);
    const kind = entry & KIND_MASK;
    if (kind === LOWER) isAfterSmall = true;
    else if (kind === UPPER) {
      capitals += 1;
      if (isAfterSmall) jumps += 1;
      isAfterSmall = false;
    } else if (kind === OTHER || kind === MARK || kind === UNSPACED || kind === SYMBOL) break;
    else return scanOtherWord(text, from, to);
    hash = mix(hash, entry >>> KIND_BITS);
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
    const kind = kindOf(code);
    if (kind === SKIPPED) {
      if (code >= 0x2000) hidden += 1;
      at += 1;
      continue;
    }
    if (kind === OTHER || kind > UNIT) break;
    let base = code >= 0xff10 && code <= 0xff5a ? code - 0xfee0 : baseOf(code);
    at += 1;
    if (kind === LOWER || kind === TWIN_LOWER) {
      small += 1;
      isAfterSmall = true;
    } else if (kind === UPPER || kind === TWIN_UPPER) {
      capitals += 1;
      if (isAfterSmall) jumps += 1;
      isAfterSmall = false;
    } else if (kind === DIGIT) {
      digits += 1;
      while (at < to && kindOf(text.charCodeAt(at)) === DIGIT) {
        at += 1;
        digits += 1;
      }
      base = ZERO;
      isAfterSmall = false;
    } else if (kind === UNIT) units += 1;
    else others += 1;
    if (kind === TWIN_LOWER || kind === TWIN_UPPER) twins += 1;
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

function countWord(): void {
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
function rehash(text: string, start: number, end: number): void {
  let hash = SEED;
  let length = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (kindOf(code) === SKIPPED) continue;
    const base = baseOf(code);
    hash = mix(hash, LATIN_TWINS.get(base) ?? base);
    length += 1;
    if (length <= STEM_LENGTH) word.stem = hash;
  }
  word.hash = hash;
}

/** Reads a unit that is no part of a word, and returns where to go on. */
function scanMark(text: string, at: number, to: number, kind: number): number {
  const code = text.charCodeAt(at);
  if (kind === SYMBOL) {
    totals.symbols += 1;
    const full = code >= 0xd800 ? mix(code, text.charCodeAt(at + 1)) : code;
    add(mix(mix(SEED, SYMBOL), full), at, at + (code >= 0xd800 ? 2 : 1));
  } else if (kind === SKIPPED) {
    if (code >= 0x2000 && code < 0xd800) totals.hidden += 1;
  } else if (code === EXCLAMATION || code === QUESTION) {
    totals.marks += 1;
    addAt(mix(SEED, code), -1);
  } else {
    totals.code += 1;
    if (code === LESS || code === BRACKET) return scanTag(text, at, to);
  }
  return at + 1;
}

/** Returns whether a UTF-16 unit is Thai, kana or Han: scripts without spaces between words. */
export function isUnspaced(code: number): boolean {
  return kindOf(code) === UNSPACED;
}

function scanUnspaced(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && kindOf(text.charCodeAt(at)) === UNSPACED) at += 1;
  for (let start = from; start + 1 < at; start++) {
    const two = mix(mix(mix(SEED, UNSPACED), text.charCodeAt(start)), text.charCodeAt(start + 1));
    add(two, start, start + 2);
    if (start + 2 < at) add(mix(two, text.charCodeAt(start + 2)), start, start + 3);
  }
  totals.words += (at - from) >> 1;
  totals.letters += at - from;
  totals.foreign += at - from;
  return at;
}

/** Reads a tag such as `<a href` or `[url=` and returns where to go on. */
function scanTag(text: string, from: number, to: number): number {
  let at = from + 1;
  if (text.charCodeAt(at) === SLASH) at += 1;
  const start = at;
  let hash = mix(SEED, TAG);
  while (at < to && at - start < 12) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind !== LOWER && kind !== UPPER) break;
    hash = mix(hash, baseOf(text.charCodeAt(at)));
    at += 1;
  }
  const next = text.charCodeAt(at);
  // `>`, `]`, space and `=`.
  if (at === start || (next !== 0x3e && next !== 0x5d && next !== 0x20 && next !== 0x3d)) return from + 1;
  totals.tags += 1;
  add(hash, start, at);
  return at;
}

/** Returns whether a unit may stand in a host name. */
function isHostUnit(code: number): boolean {
  const kind = kindOf(code);
  return (kind >= LOWER && kind <= LETTER) || code === HYPHEN;
}

/** Returns whether a unit ends a link: white space, quotation marks, brackets, comma and bar. */
function endsLink(code: number): boolean {
  return (
    code <= 0x20 ||
    code === 0x22 ||
    (code >= 0x27 && code <= 0x29) ||
    code === 0x2c ||
    code === LESS ||
    code === 0x3e ||
    code === BRACKET ||
    code === 0x5d ||
    code === 0x7c ||
    code > 0x2fff
  );
}

/**
 * Returns the end of the link or address that begins with the word from `start` to `end`; `end` if there is none. Host
 * names are not learned, since spam changes them all the time: only cheap endings and shared hosts count.
 */
function scanLink(text: string, start: number, end: number, to: number): number {
  const next = end < to ? text.charCodeAt(end) : 0;
  const hasScheme = next === COLON && text.charCodeAt(end + 1) === SLASH && text.charCodeAt(end + 2) === SLASH;
  const isDotted = (next === POINT || next === AT) && end + 1 < to && isHostUnit(text.charCodeAt(end + 1));
  if (!hasScheme && !isDotted) return end;
  let label = SEED;
  let last = SEED;
  let beforeLast = SEED;
  let length = 0;
  let dots = 0;
  let path = -1;
  let isAddress = false;
  let hasLetters = true;
  let at = hasScheme ? end + 3 : start;
  for (; at < to; at++) {
    const code = text.charCodeAt(at);
    if (endsLink(code)) break;
    if (path >= 0) path += 1;
    else if (code === SLASH || code === QUESTION || code === 0x23 || code === COLON) path = 0;
    else if (code === AT || code === POINT) {
      if (code === POINT && !isHostUnit(text.charCodeAt(at + 1))) break;
      isAddress ||= code === AT;
      dots = code === AT ? 0 : dots + 1;
      beforeLast = last;
      last = label;
      label = SEED;
      length = 0;
      hasLetters = true;
    } else {
      const kind = kindOf(code);
      if (kind === DIGIT || kind === MARK || (kind === OTHER && code !== HYPHEN)) hasLetters = false;
      label = mix(label, baseOf(code));
      length += 1;
    }
  }
  beforeLast = last;
  const isHost = dots > 0 && hasLetters && length >= 2 && (path >= 0 || (length <= 6 && word.length > 1));
  if (!hasScheme && !isAddress && !isHost) {
    noLinkBefore = at;
    return end;
  }
  word.isAddress = isAddress && !hasScheme;
  if (word.isAddress) totals.addresses += 1;
  else {
    totals.links += 1;
    if (CHEAP_ENDINGS.has(label)) addShape(31, 1);
    if (SHARED_HOSTS.has(mix(beforeLast, label))) addShape(32, 1);
    addShape(30, path <= 0 ? 0 : path < 8 ? 1 : path < 20 ? 2 : path < 60 ? 3 : 4);
  }
  return at;
}

/** Rounds a number of words. */
function sizeOf(words: number): number {
  return words < 3 ? words : words < 5 ? 3 : words < 8 ? 4 : Math.min(9, Math.floor(Math.log2(words)) + 2);
}

/** Adds the numbers of things, most of them together with the size of the text. */
function addShapes(): void {
  const { words, links, letters, digits } = totals;
  const size = sizeOf(words);
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
  if (totals.symbols > 0) addShape(11, (Math.min(sizeOf(totals.symbols), 5) << 4) | Math.min(links, 3));
  if (totals.addresses > 0) addShape(12, (Math.min(totals.addresses, 3) << 4) | small);
  if (totals.units > 0) addShape(13, (Math.min(totals.units, 3) << 4) | Math.min(links, 3));
  if (totals.marks > 0) addShape(14, (Math.min(totals.marks, 5) << 4) | small);
}
