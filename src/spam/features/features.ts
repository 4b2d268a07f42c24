import { APOSTROPHE, DIGIT, getKind, LETTER, LOWER } from './char-kinds.ts';
import * as list from './feature-list.ts';
import { mix, NAMED, SEED, SUBJECT, toHash } from './hash.ts';
import { clearNameWords } from './name-words.ts';
import { scan } from './scan.ts';
import { addSenderShapes, addShapes, getSize, isPhoneOfBots } from './shapes.ts';
import { clearTotals, type Totals, totals } from './totals.ts';

/**
 * Features of a text for the spam model: words, stems, pairs of stems, pairs and triples of characters in scripts without
 * spaces, and the shape of the whole submission. Words of the sender's name are none: the message decides, not who sends
 * it. One pass over the character codes, without regular expressions and new strings. All calls share buffers, so the
 * features of one submission are valid until the next one is read.
 */

/** Limits the work for each submission; offers come early in a text. */
const MAX_CHARACTERS = 1300;
const MAX_NAME_CHARACTERS = 200;
/** Units by which words in a reason are completed at most. */
const MAX_CUT = 30;
/** Spaces from which a name is a sentence. */
const MAX_SPACES = 6;

/** A field of a submission. `role` tells fields that ask for a name, and subjects, from others. */
export type ScannedField = Readonly<{ text: string; role: 'name' | 'subject' | null }>;

/** Features of one submission; valid until the next one is read. `hashes` costs a view of the first `count` of `buffer`. */
export type Features = Readonly<{ buffer: Int32Array; count: number; hashes: Int32Array; totals: Totals }>;

const features = {
  buffer: list.hashes,
  totals,
  get count() {
    return list.count;
  },
  get hashes() {
    return list.hashes.subarray(0, list.count);
  },
};

/** The bits of a spot for the start of a feature, and for its end. */
const START_MASK = (1 << list.END_SHIFT) - 1;
const END_MASK = START_MASK << list.END_SHIFT;

const NO_SIGNS: readonly string[] = [];

/** Reads the features of a submission. `named` are names of further signs that the caller found. */
export function extractFeatures(fields: readonly ScannedField[], named = NO_SIGNS): Features {
  list.clearFeatures();
  clearTotals();
  clearNameWords();
  let left = MAX_CHARACTERS;
  let nameField: ScannedField | null = null;
  let message: ScannedField | null = null;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index];
    if (field === undefined || !isName(field)) continue;
    nameField ??= field;
    list.beginField(index, true);
    scanName(field.text);
  }
  for (let index = 0; index < fields.length && left > 0; index++) {
    const field = fields[index];
    if (field === undefined) continue;
    if (message === null || field.text.length > message.text.length) message = field;
    if (isName(field)) continue;
    list.beginField(index);
    const to = Math.min(field.text.length, left);
    left -= to;
    if (isAddressAlone(field.text)) addSenderShapes(field.text);
    else if (!isPhoneOfBots(field.text)) scan(field.text, to, field.role === 'subject' ? SUBJECT : 0);
  }
  for (let index = 0; index < named.length; index++)
    list.addAt(mix(mix(SEED, NAMED), toHash(named[index] ?? '')), -2 - index);
  if (nameField && message) addNameShapes(nameField.text.trim().toLowerCase(), message);
  if (totals.links > 0) list.addLinked();
  addShapes();
  return features;
}

/** Returns whether the text of a feature is a part of that of another. */
export function isPartOf(index: number, other: number): boolean {
  const spot = list.spots[index] ?? -1;
  const whole = list.spots[other] ?? -1;
  if ((spot ^ whole) >>> list.FIELD_SHIFT !== 0) return false;
  return (spot & START_MASK) >= (whole & START_MASK) && (spot & END_MASK) <= (whole & END_MASK);
}

/** A feature in words for the owner: a part of the text, or the name of a sign. */
type FeatureName = Readonly<{ text: string; isSign: boolean }>;

/** Returns the name of a feature by its index in `hashes`; null for a shape. */
export function nameOfFeature(
  fields: readonly ScannedField[],
  named: readonly string[],
  index: number,
): FeatureName | null {
  const spot = list.spots[index] ?? -1;
  if (spot >>> list.FIELD_SHIFT === list.NO_FIELD) {
    const sign = named[-2 - spot];
    return sign === undefined ? null : { text: sign, isSign: true };
  }
  const end = (spot & END_MASK) >>> list.END_SHIFT;
  const text = wholeWords(fields[spot >>> list.FIELD_SHIFT]?.text ?? '', spot & START_MASK, end);
  const words = text.replace(/\s+/g, ' ').trim();
  return words === '' ? null : { text: words, isSign: false };
}

/** Returns a part of a text, with the words that it cuts. */
function wholeWords(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  if (isInWord(text, start)) while (from - start < MAX_CUT && isInWord(text, start - 1)) start -= 1;
  if (isInWord(text, end - 1)) while (end - to < MAX_CUT && isInWord(text, end)) end += 1;
  return text.slice(start, end);
}

/** Returns whether a unit is a letter, a digit, or an apostrophe between letters. */
function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === APOSTROPHE || code === 0x2019)
    return isLetter(text.charCodeAt(at - 1)) && isLetter(text.charCodeAt(at + 1));
  return getKind(code) === DIGIT || isLetter(code);
}

/**
 * Adds the shape of a name: bots write a sentence, random letters or two joined words. Its words and letters don't count
 * among those of the text.
 */
function scanName(text: string): void {
  const { words, letters, capitals, digits, foreign, links, jumps, jumpWords } = totals;
  scan(text, Math.min(text.length, MAX_NAME_CHARACTERS), 0);
  const length = totals.words - words;
  list.addShape(20, length < 2 ? length : Math.max(2, getSize(length - 2)));
  if (totals.links > links) list.addShape(21, 1);
  if (totals.jumpWords > jumpWords) list.addShape(22, 1);
  else if (totals.jumps > jumps && length === 1) list.addShape(24, 1);
  totals.words = words;
  totals.letters = letters;
  totals.capitals = capitals;
  totals.digits = digits;
  totals.foreign = foreign;
}

function addNameShapes(name: string, message: ScannedField): void {
  if (name.length < 2 || message.role === 'name') return;
  const text = message.text.slice(0, MAX_CHARACTERS).toLowerCase();
  if (text.trim() === name) list.addShape(23, 1);
  else if (containsWord(text, name)) list.addShape(23, 2);
}

function containsWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at >= 0 && !isLetter(text.charCodeAt(at - 1)) && !isLetter(text.charCodeAt(at + word.length));
}

/** Returns whether a field has a name. One of more words is a sentence, whose words count. */
function isName(field: ScannedField): boolean {
  if (field.role !== 'name' || isAddressAlone(field.text)) return false;
  let spaces = 0;
  for (let at = field.text.indexOf(' '); at >= 0 && spaces < MAX_SPACES; at = field.text.indexOf(' ', at + 1))
    spaces += 1;
  return spaces < MAX_SPACES;
}

function isLetter(code: number): boolean {
  const kind = getKind(code);
  return kind >= LOWER && kind <= LETTER;
}

function isAddressAlone(text: string): boolean {
  if (text.length > 200) return false;
  const at = text.indexOf('@');
  return at > 0 && text.indexOf('@', at + 1) < 0 && text.trim().indexOf(' ') < 0 && text.indexOf('\n') < 0;
}
