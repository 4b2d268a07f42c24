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

const COLON = /[:：]/;
/** Lines at the head of a mail, in the words of mail programs. */
const HEAD =
  /^[ \t*]*(?:from|to|sent|date|subject|reply-to|received|von|an|gesendet|betreff|de|à|objet|envoyé|para|asunto|assunto|enviado|da|a|oggetto|inviato|van|aan|onderwerp|od|do|temat|kimden|kime|konu|от|от кого|кому|тема|дата|від|发件人|收件人|主题|寄件者|主旨|差出人|宛先|件名|送信日時|보낸 ?사람|제목)[ \t]*[:：]/gim;

/** Characters: less is no text about a quotation. */
const MIN_OWN = 40;

/**
 * The text without what it quotes, and without a mail that is passed on below: those who ask about an offer repeat it. With
 * it, if hardly more is there.
 */
export function ownWordsOf(fields: readonly FieldText[]): string {
  const text = fields.map((field) => field.text).join('\n');
  const own = fields.map((field) => withoutMail(field.text)).join('\n');
  const words = QUOTE.test(own) ? own.replace(QUOTED, ' ') : own;
  return words.trim().length >= MIN_OWN ? words : text;
}

function withoutMail(text: string): string {
  if (!COLON.test(text)) return text;
  const heads = Array.from(text.matchAll(HEAD), ({ index }) => index);
  return heads.length >= 2 ? text.slice(0, heads[0]) : text;
}
