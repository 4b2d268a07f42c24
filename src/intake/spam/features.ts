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

/** Units below this are looked up in tables, others are compared with ranges. */
const TABLE_SIZE = 0x600;
const kinds = new Uint8Array(TABLE_SIZE);
/** The lowercase letter of a unit, for Latin letters without its accent. */
const bases = new Uint16Array(TABLE_SIZE);
for (let code = 0; code < TABLE_SIZE; code++) {
  const text = String.fromCharCode(code);
  const lower = text.toLowerCase();
  const isLatin = /\p{Script=Latin}/u.test(text);
  const base = isLatin ? (lower.normalize('NFD')[0] ?? lower) : lower;
  bases[code] = base.length === 1 ? base.charCodeAt(0) : code;
  if (/\p{Nd}/u.test(text)) kinds[code] = DIGIT;
  else if (/[$%£€¥]/.test(text)) kinds[code] = UNIT;
  else if (isLatin) kinds[code] = lower === text ? LOWER : UPPER;
  else if (code >= 0x300 && code < 0x370) kinds[code] = SKIPPED;
  else if (/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(text)) kinds[code] = lower === text ? TWIN_LOWER : TWIN_UPPER;
  else if (/[\p{L}\p{M}]/u.test(text)) kinds[code] = LETTER;
}
kinds[0xad] = SKIPPED;

function kindOf(code: number): number {
  if (code < TABLE_SIZE) return kinds[code] ?? OTHER;
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
const MAX_FEATURES = 1 << 13;

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
/** Position of each feature in its field; -1 for shapes, and less for the names of signs. */
const starts = new Int32Array(MAX_FEATURES);
const ends = new Int32Array(MAX_FEATURES);
const fieldIndexes = new Int32Array(MAX_FEATURES);
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

let field = 0;

/** Adds a feature unless the submission has it already. */
function add(hash: number, start: number, end: number): void {
  const place = (hash ^ (hash >>> SEEN_BITS)) & ((1 << SEEN_BITS) - 1);
  const group = place >>> 5;
  const bits = seen[group] ?? 0;
  const bit = 1 << (place & 31);
  if ((bits & bit) !== 0 || count === MAX_FEATURES) return;
  seen[group] = bits | bit;
  hashes[count] = hash;
  starts[count] = start;
  ends[count] = end;
  fieldIndexes[count] = field;
  count += 1;
}

function addShape(name: number, value: number): void {
  add(mix(mix(mix(SEED, SHAPE), name), value), -1, -1);
}

/** A field of a submission. `role` tells fields that ask for a name, and subjects, from others. */
export type ScannedField = Readonly<{ text: string; role: 'name' | 'subject' | null }>;

/** Features of one submission; valid until the next one is read. */
export type Features = Readonly<{ hashes: Int32Array; totals: Totals }>;

/** Reads the features of a submission. `named` are names of further signs that the caller found. */
export function extractFeatures(fields: readonly ScannedField[], named: readonly string[] = []): Features {
  for (let at = 0; at < count; at++) {
    const hash = hashes[at] ?? 0;
    seen[((hash ^ (hash >>> SEEN_BITS)) & ((1 << SEEN_BITS) - 1)) >>> 5] = 0;
  }
  count = 0;
  let name: keyof typeof totals;
  for (name in totals) totals[name] = 0;
  let left = MAX_CHARACTERS;
  let nameField: ScannedField | null = null;
  let message: ScannedField | null = null;
  for (field = 0; field < fields.length && left > 0; field++) {
    const one = fields[field];
    if (one === undefined) continue;
    const to = Math.min(one.text.length, left);
    left -= to;
    if (message === null || one.text.length > message.text.length) message = one;
    if (isAddressAlone(one.text)) {
      addSenderShapes(one.text);
      continue;
    }
    if (one.role === 'name') {
      nameField ??= one;
      scanName(one.text, to);
    } else if (!isPhoneOfBots(one.text)) scan(one.text, to, one.role === 'subject' ? SUBJECT : 0);
  }
  named.forEach((sign, index) => {
    add(mix(mix(SEED, NAMED), hashOf(sign)), -2 - index, -1);
  });
  if (nameField && message) addNameShapes(nameField.text.trim().toLowerCase(), message);
  if (totals.links > 0) addLinked();
  addShapes();
  return { hashes: hashes.subarray(0, count), totals };
}

/**
 * Returns a feature by its index in `hashes` in words for the owner: the text as it stands in the field, or the name of a
 * sign; null for a shape.
 */
export function nameOfFeature(fields: readonly ScannedField[], named: readonly string[], index: number): string | null {
  const start = starts[index] ?? -1;
  if (start < 0) return named[-2 - start] ?? null;
  const text = fields[fieldIndexes[index] ?? 0]?.text.slice(start, ends[index]);
  return text ? `“${text}”` : null;
}

/** Adds all features of a text with links apart too: beside a link, other words are signs of spam. */
function addLinked(): void {
  const end = count;
  for (let at = 0; at < end; at++) {
    field = fieldIndexes[at] ?? 0;
    add(mix(hashes[at] ?? 0, LINKED), starts[at] ?? -1, ends[at] ?? -1);
  }
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
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === OTHER || kind >= SYMBOL) {
      if (code === LESS || code === BRACKET) {
        totals.code += 1;
        at = scanTag(text, at, to);
      } else {
        scanMark(text, at, code, kind);
        at += 1;
      }
      continue;
    }
    if (kind === UNSPACED) {
      at = scanUnspaced(text, at, to);
      previous = SEED;
      continue;
    }
    const start = at;
    at = scanWord(text, at, to);
    const afterLink = at < noLinkBefore ? at : scanLink(text, start, at, to);
    if (afterLink > at) {
      at = afterLink;
      previous = mix(SEED, word.isAddress ? ADDRESS : LINK);
      previousStart = start;
      continue;
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

/** The word that was scanned last. */
const word = {
  hash: 0,
  stem: 0,
  stemEnd: 0,
  length: 0,
  small: 0,
  capitals: 0,
  twins: 0,
  others: 0,
  digits: 0,
  units: 0,
  jumps: 0,
  hidden: 0,
  isMixed: false,
  isAddress: false,
};

/** Reads a word into `word` and returns its end. A run of digits counts as one zero, an accent as nothing. */
function scanWord(text: string, from: number, to: number): number {
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
    if (kind === LOWER) {
      small += 1;
      isAfterSmall = true;
      at += 1;
      hash = mix(hash, code < TABLE_SIZE ? (bases[code] ?? code) : code);
      if (++length === STEM_LENGTH) {
        stem = hash;
        stemEnd = at;
      }
      continue;
    }
    if (kind === SKIPPED) {
      if (code >= 0x2000) hidden += 1;
      at += 1;
      continue;
    }
    if (kind === OTHER || kind > UNIT) break;
    let base = code < TABLE_SIZE ? (bases[code] ?? code) : code >= 0xff10 && code <= 0xff5a ? code - 0xfee0 : code;
    at += 1;
    if (kind === UPPER || kind === TWIN_UPPER) {
      capitals += 1;
      if (isAfterSmall) jumps += 1;
      isAfterSmall = false;
    } else if (kind === TWIN_LOWER) {
      small += 1;
      isAfterSmall = true;
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
  if (length < STEM_LENGTH) {
    stem = hash;
    stemEnd = at;
  }
  word.hash = hash;
  word.stem = stem;
  word.stemEnd = stemEnd;
  word.length = length;
  word.small = small;
  word.capitals = capitals;
  word.twins = twins;
  word.others = others;
  word.digits = digits;
  word.units = units;
  word.jumps = jumps;
  word.hidden = hidden;
  word.isMixed = twins > 0 && twins < small + capitals;
  return at;
}

function countWord(): void {
  const { small, capitals, twins, others, digits, units, jumps, length, hidden } = word;
  totals.words += 1;
  totals.letters += small + capitals + others;
  totals.capitals += capitals;
  totals.digits += digits;
  totals.units += units;
  totals.foreign += twins + others;
  totals.jumps += jumps;
  totals.hidden += hidden;
  if (word.isMixed) totals.mixed += 1;
  if (jumps >= 2 && length >= 7 && length <= 40) totals.jumpWords += 1;
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
    const base = code < TABLE_SIZE ? (bases[code] ?? code) : code;
    hash = mix(hash, LATIN_TWINS.get(base) ?? base);
    length += 1;
    if (length <= STEM_LENGTH) word.stem = hash;
  }
  word.hash = hash;
}

function scanMark(text: string, at: number, code: number, kind: number): void {
  if (kind === SYMBOL) {
    totals.symbols += 1;
    const full = code >= 0xd800 ? mix(code, text.charCodeAt(at + 1)) : code;
    add(mix(mix(SEED, SYMBOL), full), at, at + (code >= 0xd800 ? 2 : 1));
  } else if (code === EXCLAMATION || code === QUESTION) {
    totals.marks += 1;
    add(mix(SEED, code), -1, -1);
  } else if (isCode(code)) totals.code += 1;
  else if (kind === SKIPPED && code >= 0x2000 && code < 0xd800) totals.hidden += 1;
}

/** Returns whether a unit is one of `" # ( ; = \\ ] ` { | }`. */
function isCode(code: number): boolean {
  return (
    code === 0x22 ||
    code === 0x23 ||
    code === 0x28 ||
    code === 0x3b ||
    code === 0x3d ||
    code === 0x5c ||
    code === 0x60 ||
    (code >= 0x7b && code <= 0x7d)
  );
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
    hash = mix(hash, bases[text.charCodeAt(at)] ?? 0);
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
  return (kind >= LOWER && kind <= LETTER) || code === 0x2d;
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
      if (kind === OTHER && code !== 0x2d) hasLetters = false;
      if (kind === DIGIT) hasLetters = false;
      label = mix(label, code < TABLE_SIZE ? (bases[code] ?? code) : code);
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
