import type { Form } from '../../domain/form.ts';
import { replyAddress } from '../../domain/mail.ts';
import type { Payload, PayloadValue } from '../../domain/submission.ts';
import { toSingleLine } from '../../lib/one-line.ts';

const LONGEST_WHO = 80;
const LONGEST_EXCERPT = 200;
/** Characters of a value that are read for an excerpt. */
const READ = 1_000;

const NAMES = ['name', 'full_name', 'full-name', 'fullname', 'your_name', 'your-name', 'yourname'];
const FIRST_NAMES = ['first_name', 'first-name', 'firstname', 'vorname'];
const LAST_NAMES = ['last_name', 'last-name', 'lastname', 'nachname'];

/** Returns all text in a value, one line each. Values in an object follow their name. */
export function plainText(value: PayloadValue): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(plainText).join('\n');
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${plainText(inner)}`)
    .join('\n');
}

/** The sender (a name, an address, or else the first text), and the beginning of the other values. */
export type Brief = Readonly<{ who: string; excerpt: string }>;

/** Summarizes a submission for a list or a page head. `who` is empty if no field was filled in. */
export function briefOf({ fields }: Pick<Form, 'fields'>, payload: Payload): Brief {
  const lines = payload.map(([name, value]): Line => ({ name, text: toSingleLine(beginning(value), READ) }));
  const filled = lines.filter(({ text }) => text !== '');
  const senders =
    namedAs(filled, NAMES) ?? fullName(filled) ?? addressOf(filled, fields, payload) ?? firstText(filled, payload);
  const rest = filled.filter((line) => !senders.includes(line)).map(({ text }) => text);
  return {
    who: toSingleLine(senders.map(({ text }) => text).join(' '), LONGEST_WHO),
    excerpt: toSingleLine(rest.join(' · '), LONGEST_EXCERPT),
  };
}

/** Returns the text around a match. */
export function excerptAround(text: string, at: number): string {
  const from = Math.max(0, at - Math.floor(LONGEST_EXCERPT / 3));
  const cut = text.slice(from, from + READ);
  // Begins at a word, unless there is none before the match.
  return toSingleLine(from === 0 ? cut : `…${cut.replace(/^\S{0,30}\s+(?=\S)/, '')}`, LONGEST_EXCERPT);
}

type Line = Readonly<{ name: string; text: string }>;

function namedAs(lines: readonly Line[], names: readonly string[]): readonly Line[] | null {
  const found = lines.find(({ name }) => names.includes(name.toLowerCase()));
  return found ? [found] : null;
}

function fullName(lines: readonly Line[]): readonly Line[] | null {
  const parts = [FIRST_NAMES, LAST_NAMES].flatMap((names) => namedAs(lines, names) ?? []);
  return parts.length > 0 ? parts : null;
}

function addressOf(lines: readonly Line[], fields: Form['fields'], payload: Payload): readonly Line[] | null {
  const address = replyAddress(payload);
  const isAddress = ({ name, text }: Line) =>
    text === address || fields.some((field) => field.name === name && field.type === 'email');
  const found = lines.find(isAddress);
  return found ? [found] : null;
}

/** Prefers texts to numbers and nested values, which seldom name a sender. */
function firstText(lines: readonly Line[], payload: Payload): readonly Line[] {
  const texts = new Set(payload.filter(([, value]) => typeof value === 'string').map(([name]) => name));
  return [lines.find(({ name }) => texts.has(name)) ?? lines[0]].filter((line) => line !== undefined);
}

function beginning(value: PayloadValue): string {
  return (typeof value === 'string' ? value : plainText(value)).slice(0, READ);
}
