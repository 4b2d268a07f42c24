import type { Payload, PayloadValue } from '../../domain/submission.ts';
import { normalise } from '../../lib/normalise.ts';

/** What is looked at of one field. */
export type FieldText = Readonly<{ name: string; text: string }>;

/** What is looked at of a submission: its texts field by field, all of them a line each, and the longest. */
export type SubmittedText = Readonly<{ fields: readonly FieldText[]; all: string; message: string }>;

/** More would tell nothing more, and takes time. */
const MAX_CHARACTERS = 20_000;
const MAX_VALUES = 1_000;

/** The texts of a payload, at any depth. Lines quoted with `>` are someone else's, and left out. */
export function textsOf(payload: Payload): SubmittedText {
  const fields: FieldText[] = [];
  let left = MAX_CHARACTERS;
  let values = MAX_VALUES;
  const collect = (name: string, value: PayloadValue): void => {
    values -= 1;
    if (typeof value === 'string') {
      const text = withoutQuotes(value.slice(0, left));
      left -= text.length;
      if (text !== '') fields.push({ name, text });
    } else if (value && typeof value === 'object') {
      const items = Array.isArray(value) ? value : Object.values(value);
      for (const item of items) {
        if (left <= 0 || values <= 0) return;
        collect(name, item);
      }
    }
  };
  for (const [name, value] of payload) if (left > 0 && values > 0) collect(name, value);
  const message = fields.reduce((longest, { text }) => (text.length > longest.length ? text : longest), '');
  return { fields, all: fields.map(({ text }) => text).join('\n'), message };
}

function withoutQuotes(text: string): string {
  if (!text.includes('>')) return text;
  return text
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n');
}

/** Words in small letters with single spaces between and around, so that ` word ` finds whole words. */
export function wordsOf(text: string): string {
  const words = normalise(text, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}%$€£]+/gu, ' ')
    .trim();
  return ` ${words} `;
}

/** What stands in quotation marks of any kind, if not too long. */
const QUOTED =
  /[“„«][^“”„»\n]{3,300}[”“»]|「[^「」\n]{3,300}」|『[^『』\n]{3,300}』|(?<![\p{L}\p{N}=])"[^"\n]{3,300}"(?![\p{L}\p{N}])|(?<![\p{L}\p{N}=])['‘‚][^'‘’‚\n]{3,300}['’‘](?!\p{L})/gu;

const QUOTE = /["“„«「『'‘‚]/;

/** Characters: less is no text about a quotation. */
const MIN_OWN = 40;

/** The text without what it quotes: those who ask about an offer repeat it. With it, if hardly more is there. */
export function ownWordsOf({ all: text }: SubmittedText): string {
  if (!QUOTE.test(text)) return text;
  const own = text.replace(QUOTED, ' ');
  return own.trim().length >= MIN_OWN ? own : text;
}
