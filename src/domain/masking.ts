import type { Payload, PayloadValue } from './submission.ts';

/** Prefixes and lengths by brand. Elo, Verve and Dankort lie within the ranges of others. */
const CARDS = lengthsByPrefix([
  ['4', '16 19'], // Visa
  ['51-55 2221-2720', '16'], // Mastercard
  ['34 37', '15'], // American Express
  ['300-305 309 38-39', '14'], // Diners Club
  ['36', '14 16-19'],
  ['3841', '16 19'], // Hipercard
  ['6011 644-649 65', '16-19'], // Discover
  ['3528-3589', '16-19'], // JCB
  ['1800 2131', '15'], // JCB, older
  ['62 81', '16-19'], // UnionPay
  ['60 82 508', '16'], // RuPay
  ['50 56-58 6304 6390 67', '16-19'], // Maestro
  ['5018 5020 5038 5612 5893 6304 6759 6761-6763 6767', '13-15'], // Maestro, older
  ['2200-2204', '16-19'], // Mir
  ['636', '16-19'], // InterPayment
  ['9792', '16'], // Troy
]);

/** Obsolete cards, for which a tenth of all EAN-13 of their prefix would pass: only beside a word that says card. */
const CARDS_BESIDE_WORD = lengthsByPrefix([
  ['4', '13'],
  ['50 56-58 63 67', '13-15'],
]);
const SHORTEST_CARD = 13;
const LONGEST_CARD = 19;

const CARD_WORD =
  /card|kart|cart[aeã]|tarjeta|kaart|kort|карт|κάρτ|כרטיס|بطاقة|कार्ड|カード|卡|카드|cr[eé]dit|kredit|visa|maestro|amex|(?<![a-z])(?:cc|mc|pan)(?![a-z])/iu;
const SSN_WORD = /(?<![a-z])ss[^a-z]?n(?:o|r|um|umber)?s?(?![a-z])|social[^a-z]*sec/i;
/** How far off a word may stand, and how much of a field's name is read. */
const NEAR = 32;
const NAME_READ = 256;

/** Groupings so usual that they are seen for a card even among other digits, as before an expiry date. */
const USUAL_GROUPING = /^4-(?:4-4-4(?:-[123])?|6-[45])$/;
/** Of Amazon's order numbers. */
const ORDER_GROUPING = '3-7-7';

const IBAN_LENGTHS = new Map(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24
  FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32
  LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24
  RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** What a character is: 0 to 9 is that digit in any script; the kinds of separators are bits that a gap combines. */
const LETTER = 13;
const INVISIBLE = 14;
const OTHER = 15;
const SPACE = 16;
const DASH = 32;
const DOT = 64;
const STROKE = 128;
const UNKNOWN = 255;
const classes = new Uint8Array(0x20000).fill(UNKNOWN);

/** How a digit hangs on the one before it: directly, not at all, or else by the kinds of separators between. */
const DIRECT = 0;
const BREAK = 256;
const WIDEST_GAP = 3;

/** Masks cards and social security numbers in every value, at any depth; names and order stay. */
export function maskPayload(payload: Payload): Payload {
  return mapKeeping(payload, (entry) => {
    const masked = maskValue(entry[1], entry[0]);
    return masked === entry[1] ? entry : [entry[0], masked];
  });
}

/**
 * Masks every string and number in a value, never the keys of objects; a key is the field name of what is under it. A
 * number becomes a string if something in it was masked. What holds nothing to mask is returned as it is.
 */
export function maskValue(value: PayloadValue, fieldName: string): PayloadValue {
  if (typeof value === 'string') return maskText(value, fieldName);
  if (typeof value === 'number') return maskNumber(value, fieldName);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return mapKeeping(value, (item) => maskValue(item, fieldName));
  const fields = Object.entries(value);
  const masked = maskPayload(fields);
  return masked === fields ? value : Object.fromEntries(masked);
}

/**
 * Replaces card numbers by stars and their last four digits, and US social security numbers by `***-**-` and theirs.
 * The field's name tells nine bare digits to be such a number. Takes time linear in the text.
 */
export function maskText(text: string, fieldName: string): string {
  if (!hasDigits(text, 9)) return text;
  const row = new DigitRow(text);
  const name = fieldName.slice(0, NAME_READ);
  let masked = '';
  let copied = 0;
  let first = 0;
  while (first < row.count) {
    const card = cardLength(row, first, name);
    const length = card || (isSsn(row, first, name) ? 9 : 0);
    if (length > 0) {
      const end = first + length;
      const lastFour = String(row.number(end - 4, end)).padStart(4, '0');
      masked += text.slice(copied, row.start(first)) + (card ? '*'.repeat(length - 4) : '***-**-') + lastFour;
      copied = row.end(end - 1);
      first = end;
    } else {
      const iban = ibanEnd(text, row.start(first));
      do first++;
      while (first < row.count && (row.joint(first) === DIRECT || row.start(first) < iban));
    }
  }
  return masked + text.slice(copied);
}

/** A fraction is no card. An integer too large to be exact has lost its check digit: brand and length must do. */
function maskNumber(value: number, fieldName: string): number | string {
  if (!Number.isInteger(value)) return value;
  const text = String(value);
  if (!Number.isSafeInteger(value) && hasLength(CARDS, Number(text.slice(0, 4)), text.length)) {
    return '*'.repeat(text.length - 4) + text.slice(-4);
  }
  const masked = maskText(text, fieldName);
  return masked === text ? value : masked;
}

/** How many digits from `first` on are a card; 0 if none are. Of several readings the longest hides the most. */
function cardLength(row: DigitRow, first: number, fieldName: string): number {
  const prefix = row.number(first, first + 4);
  if (!CARDS[prefix] && !CARDS_BESIDE_WORD[prefix]) return 0;
  const groupEnd = row.groupEnd(first);
  const kind = row.joint(groupEnd);
  const goesOnBefore = isJoinedBefore(row, first, kind);
  if (goesOnBefore && groupEnd - first !== 4 && groupEnd - first < SHORTEST_CARD) return 0;
  let found = 0;
  let sum = 0; // Luhn's, for a number that ends with the digit at hand
  let nextSum = 0; // and for one that ends with the next
  for (let length = 1; length <= LONGEST_CARD; length++) {
    const end = first + length;
    const digit = row.digit(end - 1);
    const doubled = digit < 5 ? digit * 2 : digit * 2 - 9;
    const previousSum = sum;
    sum = nextSum + digit;
    nextSum = previousSum + doubled;
    const joint = row.joint(end);
    if (joint === DIRECT) continue;
    if (length >= SHORTEST_CARD && sum % 10 === 0 && isOfBrand(row, first, end, fieldName)) {
      const isWhole = end === groupEnd || !(goesOnBefore || isJoinedAfter(row, end, kind));
      if (standsAlone(row, first, end, isWhole)) found = length;
    }
    if (joint !== kind || joint === BREAK) break;
  }
  return found;
}

function isOfBrand(row: DigitRow, first: number, end: number, fieldName: string): boolean {
  const prefix = row.number(first, first + 4);
  if (hasLength(CARDS, prefix, end - first)) return true;
  return hasLength(CARDS_BESIDE_WORD, prefix, end - first) && isBesideCardWord(row, first, end, fieldName);
}

/** Whether these digits are no part of a token, of a phone number or of a longer number. */
function standsAlone(row: DigitRow, first: number, end: number, isWhole: boolean): boolean {
  if (isPartOfWord(row, first, end, CARD_WORD) || (isAfterPlus(row, first) && end - first <= 15)) return false;
  const grouping = row.groupSizes(first, end).join('-');
  const isFraction = row.joint(first) === DOT && row.groupEnd(first) === end; // 0.4242424242424242
  if (isWhole) return !isFraction && grouping !== ORDER_GROUPING;
  return USUAL_GROUPING.test(grouping) && !isAfterParcelHead(row, first);
}

/** Whether the group in front is the first of a parcel number such as `9400 1112 0255 5123 4567 89`. */
function isAfterParcelHead(row: DigitRow, first: number): boolean {
  const head = first - 4;
  const joint = row.joint(first);
  return joint !== BREAK && row.digit(head) === 9 && row.groupEnd(head) === first && row.joint(head) !== joint;
}

function isSsn(row: DigitRow, first: number, fieldName: string): boolean {
  const end = first + 9;
  const kind = row.joint(first + 3);
  if (kind === BREAK || row.joint(end) === DIRECT) return false;
  for (let at = first + 1; at < end; at++) {
    if (row.joint(at) !== (at === first + 3 || at === first + 5 ? kind : DIRECT)) return false;
  }
  const area = row.number(first, first + 3);
  if (area === 0 || area === 666 || area >= 900) return false;
  if (row.number(first + 3, first + 5) === 0 || row.number(first + 5, end) === 0) return false;
  if (isPartOfWord(row, first, end, SSN_WORD) || isAfterPlus(row, first)) return false;
  if (kind === DIRECT) return SSN_WORD.test(spacedWords(fieldName));
  return !isJoinedBefore(row, first, kind) && !isJoinedAfter(row, end, kind);
}

/** Whether the number goes on before `first`, which a date or a word that ends in digits is not. */
function isJoinedBefore(row: DigitRow, first: number, kind: number): boolean {
  if (kind === BREAK || row.joint(first) !== kind) return false;
  const start = row.groupStart(first - 1);
  return kind !== SPACE || !(isTight(row.joint(start)) || isWordCharacter(row.text, row.start(start) - 1));
}

function isJoinedAfter(row: DigitRow, end: number, kind: number): boolean {
  if (kind === BREAK || row.joint(end) !== kind) return false;
  const groupEnd = row.groupEnd(end);
  return kind !== SPACE || !(isTight(row.joint(groupEnd)) || isWordCharacter(row.text, row.end(groupEnd - 1)));
}

function isTight(joint: number): boolean {
  return joint !== DIRECT && (joint & (BREAK | SPACE)) === 0;
}

function isAfterPlus(row: DigitRow, first: number): boolean {
  return '+＋'.includes(row.text.charAt(row.start(first) - 1) || ' ');
}

/** Whether Latin letters hang directly on the digits, other than a word that says what they are. */
function isPartOfWord(row: DigitRow, first: number, end: number, word: RegExp): boolean {
  const { text } = row;
  let from = row.start(first);
  const before = from;
  while (before - from < NEAR && isWordCharacter(text, from - 1)) from--;
  const after = row.end(end - 1);
  let to = after;
  while (to - after < NEAR && isWordCharacter(text, to)) to++;
  return (from < before && !word.test(text.slice(from, before))) || (after < to && !word.test(text.slice(after, to)));
}

function isBesideCardWord(row: DigitRow, first: number, end: number, fieldName: string): boolean {
  const before = row.text.slice(Math.max(0, row.start(first) - NEAR), row.start(first));
  const after = row.text.slice(row.end(end - 1), row.end(end - 1) + NEAR);
  return [before, after, fieldName].some((text) => CARD_WORD.test(text));
}

/** Where the IBAN ends whose check digits begin at `start`; 0 if there is none. */
function ibanEnd(text: string, start: number): number {
  if (!isWordCharacter(text, start - 1) || isAlphanumeric(text, start - 3)) return 0;
  let left = (IBAN_LENGTHS.get(text.slice(start - 2, start).toUpperCase()) ?? 0) - 2;
  if (left < 0) return 0;
  let end = start;
  for (; left > 0; end++) {
    if (isAlphanumeric(text, end)) left--;
    else if ((classOf(text.charCodeAt(end)) & (SPACE | DASH)) === 0 || !isAlphanumeric(text, end - 1)) return 0;
  }
  return isAlphanumeric(text, end) ? 0 : end;
}

/** The digits of a text in a row, each with its place and with how it hangs on the one before it. */
class DigitRow {
  readonly count: number;
  /** A digit's value in the low four bits, its joint in those above. */
  private readonly cells: Uint16Array;
  private readonly starts: Uint32Array;

  constructor(readonly text: string) {
    const { length } = text;
    this.cells = new Uint16Array(length);
    this.starts = new Uint32Array(length);
    let count = 0;
    let gap = BREAK;
    let gapWidth = 0;
    for (let at = 0; at < length; at++) {
      const code = codeAt(text, at);
      const kind = classOf(code);
      if (kind < 10) {
        this.cells[count] = kind | (gap & BREAK || gapWidth > WIDEST_GAP ? BREAK : gap);
        this.starts[count++] = at;
        gap = DIRECT;
        gapWidth = 0;
      } else {
        gap |= kind === OTHER || kind === LETTER ? BREAK : kind & 0xf0;
        gapWidth++;
      }
      if (code > 0xffff) at++;
    }
    this.count = count;
  }

  digit(at: number): number {
    return (this.cells[at] ?? 0) & 0xf;
  }

  joint(at: number): number {
    return at < this.count ? (this.cells[at] ?? 0) & 0x1f0 : BREAK;
  }

  /** Where in the text a digit begins, and where it ends. */
  start(at: number): number {
    return this.starts[at] ?? 0;
  }

  end(at: number): number {
    const start = this.start(at);
    return start + (codeAt(this.text, start) > 0xffff ? 2 : 1);
  }

  number(from: number, to: number): number {
    let number = 0;
    for (let at = from; at < to; at++) number = number * 10 + this.digit(at);
    return number;
  }

  groupStart(at: number): number {
    let start = at;
    while (this.joint(start) === DIRECT) start--;
    return start;
  }

  groupEnd(at: number): number {
    let end = at + 1;
    while (this.joint(end) === DIRECT) end++;
    return end;
  }

  groupSizes(from: number, to: number): number[] {
    const sizes: number[] = [];
    for (let at = from; at < to; at = this.groupEnd(at)) sizes.push(this.groupEnd(at) - at);
    return sizes;
  }
}

function hasDigits(text: string, wanted: number): boolean {
  let missing = wanted;
  for (let at = 0; at < text.length; at++) {
    const code = codeAt(text, at);
    if (classOf(code) < 10 && --missing === 0) return true;
    if (code > 0xffff) at++;
  }
  return false;
}

function codeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return (unit & 0xfc00) === 0xd800 ? (text.codePointAt(at) ?? unit) : unit;
}

function classOf(code: number): number {
  const known = classes[code] ?? OTHER;
  if (known !== UNKNOWN) return known;
  const kind = classify(code);
  classes[code] = kind;
  return kind;
}

function classify(code: number): number {
  const character = String.fromCodePoint(code);
  if (/[a-z]/i.test(character)) return LETTER;
  if (/\p{Nd}/u.test(character)) {
    let zero = code; // scripts have their ten digits in a row, and the mathematical ones follow each other
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return (code - zero) % 10;
  }
  if (/[\p{Zs}\t]/u.test(character)) return SPACE;
  if (/[\p{Pd}−⁃ーｰ]/u.test(character)) return DASH;
  if (/[.·•‧∙⋅・･．]/u.test(character)) return DOT;
  if (/[/_⁄∕／＿]/u.test(character)) return STROKE;
  return /\p{Cf}/u.test(character) ? INVISIBLE : OTHER;
}

/** ASCII letters and the underscore, of which names and tokens are made; other scripts put no space before a number. */
function isWordCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x5f || classOf(code) === LETTER;
}

function isAlphanumeric(text: string, at: number): boolean {
  const kind = classOf(text.charCodeAt(at));
  return kind < 10 || kind === LETTER;
}

/** `userSSN` as `user SSN`. */
function spacedWords(name: string): string {
  return name.replace(/\p{Ll}(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& ');
}

/** By the first four digits, the lengths a card may have: a bit for each. */
function lengthsByPrefix(brands: ReadonlyArray<readonly [prefixes: string, lengths: string]>): Uint32Array {
  const table = new Uint32Array(10_000);
  for (const [prefixes, lengths] of brands) {
    let bits = 0;
    for (const [from, to] of ranges(lengths)) {
      for (let length = Number(from); length <= Number(to); length++) bits |= 1 << length;
    }
    for (const [from, to] of ranges(prefixes)) {
      for (let prefix = Number(from.padEnd(4, '0')); prefix <= Number(to.padEnd(4, '9')); prefix++) {
        table[prefix] = (table[prefix] ?? 0) | bits;
      }
    }
  }
  return table;
}

function ranges(list: string): Array<[from: string, to: string]> {
  return list.split(' ').map((range) => {
    const [from = '', to = from] = range.split('-');
    return [from, to];
  });
}

function hasLength(cards: Uint32Array, prefix: number, length: number): boolean {
  return (((cards[prefix] ?? 0) >> length) & 1) === 1;
}

function isList(value: PayloadValue): value is readonly PayloadValue[] {
  return Array.isArray(value);
}

/** Like `map`, but the same list if no item changed. */
function mapKeeping<Item>(list: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = list.map(change);
  return changed.every((item, at) => item === list[at]) ? list : changed;
}
