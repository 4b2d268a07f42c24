import {
  type DescribeField,
  type FieldDisplay,
  fieldDescriber,
  sortByForm,
} from '../../domain/fields/field-display.ts';
import type { ValueWords } from '../../domain/fields/field-type.ts';
import { getFieldType, type NamedType } from '../../domain/fields/field-types.ts';
import type { Form } from '../../domain/forms/form.ts';
import { replyAddress } from '../../domain/mail/mail.ts';
import type { Payload, PayloadValue } from '../../domain/submissions/submission.ts';
import { toSingleLine } from '../../lib/one-line.ts';

const LONGEST_WHO = 80;
const MAX_CHIPS = 2;
const LONGEST_EXCERPT = 200;
/** Characters shown before a match, few enough that the match is visible in a narrow list. */
const BEFORE_MATCH = 20;
/** Characters of a value that are read for an excerpt. */
const READ = 1_000;

const NAMES = ['name', 'full_name', 'full-name', 'fullname', 'your_name', 'your-name', 'yourname'];
const FIRST_NAMES = ['first_name', 'first-name', 'firstname', 'vorname'];
const LAST_NAMES = ['last_name', 'last-name', 'lastname', 'nachname'];

/** The sender, a name or an address, and the beginning of the other values. */
export type Brief = Readonly<{
  /** Words for somebody who gave neither; empty for a submission without values. */
  who: string;
  isNamed: boolean;
  address: string | null;
  /** Names of the fields that `who` and `address` show whole. */
  shown: readonly string[];
  excerpt: string;
  /** At most two values to draw, and the beginning of the other ones. */
  chips: readonly FieldDisplay[];
  rest: string;
}>;

/** Words for the values of fields, and for somebody without a name. */
type BriefWords = ValueWords & Readonly<{ anonymous: string }>;

/** Summarizes a masked submission for a list or a page head. Values that mean nothing alone follow their label. */
export function getBrief({ fields }: Pick<Form, 'fields'>, payload: Payload, words: BriefWords): Brief {
  const describe = fieldDescriber(fields, words);
  const byName = new Map(fields.map((field) => [field.name, field]));
  const lines = sortByForm(fields, payload)
    .map(([name, value]) => toLine(describe, getFieldType(byName.get(name)), name, value))
    .filter(({ text, type }) => text !== '' && type.html.control !== 'hidden');
  const address = replyAddress(payload);
  const isSender = ({ text, type }: Line) => text === address || type.html.type === 'email';
  const senders = namedAs(lines, NAMES) ?? fullName(lines) ?? first(lines, isSender) ?? [];
  const who = senders.map(({ text }) => text).join(' ') || (lines.length > 0 ? words.anonymous : '');
  // Another address in the submission keeps its label.
  const mail = lines.find(({ text }) => text === address);
  const rest = lines.filter((line) => !senders.includes(line));
  const drawn = rest.filter(({ display }) => display.drawn !== null).slice(0, MAX_CHIPS);
  const join = (texts: readonly Line[]) => toSingleLine(texts.map(labeled).join(' · '), LONGEST_EXCERPT);
  return {
    who: toSingleLine(who, LONGEST_WHO),
    isNamed: senders.length > 0,
    address: mail?.text ?? null,
    shown: [...senders, ...(mail ? [mail] : [])]
      .filter(({ text }) => text.length < LONGEST_WHO)
      .map(({ name }) => name),
    excerpt: join(rest),
    chips: drawn.map(({ display }) => display),
    rest: join(rest.filter((line) => !drawn.includes(line) && !isAddress(line)).sort(byLength)),
  };
}

/** Describes a value, and returns its beginning as one line of text, with words for the values of boxes and ratings. */
export function describeValue(describe: DescribeField, name: string, value: PayloadValue) {
  const display = describe(name, typeof value === 'string' ? value.slice(0, READ) : value);
  return { display, text: toSingleLine(display.texts.join(', ').slice(0, READ), READ) };
}

const WORD_BEFORE_MATCH = new RegExp(`^\\S{0,${BEFORE_MATCH - 1}}\\s(?=\\S)`);

/** Returns the text around a match. */
export function excerptAround(text: string, at: number): string {
  const from = Math.max(0, at - BEFORE_MATCH);
  const cut = text.slice(from, from + READ);
  // Begins at a word, unless there is none before the match.
  return toSingleLine(from === 0 ? cut : `…${cut.replace(WORD_BEFORE_MATCH, '')}`, LONGEST_EXCERPT);
}

/** The sender's address is on the page of the submission. */
const isAddress = ({ type, text }: Line) => type.html.type === 'email' || /^\S+@\S+$/.test(text);

const byLength = (a: Line, b: Line) => Number(isLongText(b)) - Number(isLongText(a));

type Line = Readonly<{
  name: string;
  label: string;
  type: NamedType;
  text: string;
  isText: boolean;
  display: FieldDisplay;
}>;

function toLine(describe: DescribeField, type: NamedType, name: string, value: PayloadValue): Line {
  const { display, text } = describeValue(describe, name, value);
  // Words for boxes and ratings replace their values.
  const isText = typeof value === 'string' && text === toSingleLine(value.slice(0, READ), READ) && /\p{L}/u.test(text);
  return { name, label: display.label, type, text, isText, display };
}

/** Bytes of the shortest text that is understood without its label; scripts with dense text need fewer characters. */
const LONG_TEXT = 16;

/** Puts the label before a value that means little alone, such as a number or a choice. */
function labeled(line: Line): string {
  const { label, text } = line;
  const isKnown = isLongText(line) || text.includes('@');
  return isKnown || isName(line) || label === '' ? text : `${label}${/[?!:]$/.test(label) ? '' : ':'} ${text}`;
}

function isLongText({ text, type, isText }: Line): boolean {
  return isText && !(type.needsLabel || type.summary) && Buffer.byteLength(text) >= LONG_TEXT;
}

const isName = ({ name }: Line) => [NAMES, FIRST_NAMES, LAST_NAMES].some((names) => names.includes(name.toLowerCase()));

function first(lines: readonly Line[], test: (line: Line) => boolean): readonly Line[] | null {
  const line = lines.find(test);
  return line ? [line] : null;
}

function namedAs(lines: readonly Line[], names: readonly string[]): readonly Line[] | null {
  return first(lines, ({ name, isText }) => isText && names.includes(name.toLowerCase()));
}

function fullName(lines: readonly Line[]): readonly Line[] | null {
  const parts = [FIRST_NAMES, LAST_NAMES].flatMap((names) => namedAs(lines, names) ?? []);
  return parts.length > 0 ? parts : null;
}
