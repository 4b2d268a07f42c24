import type { Form } from '../../domain/form.ts';
import { replyAddress } from '../../domain/mail.ts';
import type { Payload, PayloadValue } from '../../domain/submission.ts';
import { toSingleLine } from '../../lib/one-line.ts';

const LONGEST_WHO = 80;
const LONGEST_EXCERPT = 200;
/** So much of a value is looked at for its place in a list. */
const READ = 1_000;

const NAMES = ['name', 'full_name', 'full-name', 'fullname', 'your_name', 'your-name', 'yourname'];
const FIRST_NAMES = ['first_name', 'first-name', 'firstname', 'vorname'];
const LAST_NAMES = ['last_name', 'last-name', 'lastname', 'nachname'];

/** Everything in a value, a line for each text; what is under a name in an object has it before it. */
export function plainText(value: PayloadValue): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(plainText).join('\n');
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${plainText(inner)}`)
    .join('\n');
}

/** Who sent it, as far as can be told: a name, an address, or the first text; and the beginning of the rest. */
export type Brief = Readonly<{ who: string; excerpt: string }>;

/** A submission on a line of a list, or of the head of its page. `who` is empty where nothing was filled in. */
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

/** The text around the place where one was found. */
export function excerptAround(text: string, at: number): string {
  const from = Math.max(0, at - Math.floor(LONGEST_EXCERPT / 3));
  const cut = text.slice(from, from + READ);
  // From a word on, unless there is none before the place.
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

/** A number or what is nested says little of who it was. */
function firstText(lines: readonly Line[], payload: Payload): readonly Line[] {
  const texts = new Set(payload.filter(([, value]) => typeof value === 'string').map(([name]) => name));
  return [lines.find(({ name }) => texts.has(name)) ?? lines[0]].filter((line) => line !== undefined);
}

function beginning(value: PayloadValue): string {
  return (typeof value === 'string' ? value : plainText(value)).slice(0, READ);
}
