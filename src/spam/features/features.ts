import {
  addAt,
  addLinked,
  addShape,
  beginField,
  clearFeatures,
  count,
  END_SHIFT,
  FIELD_SHIFT,
  hashes,
  NO_FIELD,
  spots,
} from './feature-list.ts';
import { mix, NAME, NAMED, SEED, SUBJECT, toHash } from './hash.ts';
import { scan } from './scan.ts';
import { addSenderShapes, addShapes, getSize, isPhoneOfBots } from './shapes.ts';
import { clearTotals, type Totals, totals } from './totals.ts';

/**
 * Features of a text for the spam model: words, stems, pairs of stems, pairs and triples of characters in scripts without
 * spaces, and the shape of the whole submission. One pass over the character codes, without regular expressions and
 * without new strings. All calls share buffers, so the features of one submission are valid until the next one is read.
 */

/** Limits the work for each submission; offers come early in a text. */
const MAX_CHARACTERS = 1300;

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
  clearFeatures();
  clearTotals();
  let left = MAX_CHARACTERS;
  let nameField: ScannedField | null = null;
  let message: ScannedField | null = null;
  for (let index = 0; index < fields.length && left > 0; index++) {
    const field = fields[index];
    if (field === undefined) continue;
    beginField(index);
    const to = Math.min(field.text.length, left);
    left -= to;
    if (message === null || field.text.length > message.text.length) message = field;
    if (isAddressAlone(field.text)) addSenderShapes(field.text);
    else if (field.role === 'name') {
      nameField ??= field;
      scanName(field.text, to);
    } else if (!isPhoneOfBots(field.text)) scan(field.text, to, field.role === 'subject' ? SUBJECT : 0);
  }
  for (let index = 0; index < named.length; index++)
    addAt(mix(mix(SEED, NAMED), toHash(named[index] ?? '')), -2 - index);
  if (nameField && message) addNameShapes(nameField.text.trim().toLowerCase(), message);
  if (totals.links > 0) addLinked();
  addShapes();
  return features;
}

/**
 * Returns a feature by its index in `hashes` in words for the owner: the text as it stands in the field, or the name of a
 * sign; null for a shape.
 */
export function nameOfFeature(fields: readonly ScannedField[], named: readonly string[], index: number): string | null {
  const spot = spots[index] ?? -1;
  if (spot >>> FIELD_SHIFT === NO_FIELD) return named[-2 - spot] ?? null;
  const mask = (1 << END_SHIFT) - 1;
  const text = wholeWords(fields[spot >>> FIELD_SHIFT]?.text ?? '', spot & mask, (spot >>> END_SHIFT) & mask);
  return text ? `“${text}”` : null;
}

/** Returns a part of a text, with the words that it cuts. */
function wholeWords(text: string, from: number, to: number): string {
  const [before = ''] = /[\p{L}\p{N}]{0,30}$/u.exec(text.slice(Math.max(0, from - 30), from)) ?? [];
  const [after = ''] = /^[\p{L}\p{N}]{0,30}/u.exec(text.slice(to, to + 30)) ?? [];
  const part = text.slice(from, to);
  const isCut = (edge: string | undefined) => /[\p{L}\p{N}]/u.test(edge ?? '');
  return `${isCut(part[0]) ? before : ''}${part}${isCut(part.at(-1)) ? after : ''}`;
}

/** Adds the words of a name apart too: bots write a sentence, random letters or two joined words as a name. */
function scanName(text: string, to: number): void {
  const { words, links, jumps, jumpWords } = totals;
  scan(text, to, NAME);
  addShape(20, getSize(totals.words - words));
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

function isAddressAlone(text: string): boolean {
  if (text.length > 200) return false;
  const at = text.indexOf('@');
  return at > 0 && text.indexOf('@', at + 1) < 0 && text.trim().indexOf(' ') < 0 && text.indexOf('\n') < 0;
}
