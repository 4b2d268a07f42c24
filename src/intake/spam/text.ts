import type { Payload, PayloadValue } from '../../domain/submission.ts';
import { normalize } from '../../lib/normalize.ts';
import { CHAR_CLASS, charClassesOf } from './char-classes.ts';

/** A text of a submission; `value` is the trimmed text in lowercase, `charClasses` a set of `CHAR_CLASS` flags. */
export type FieldText = Readonly<{
  name: string;
  text: string;
  value: string;
  charClasses: number;
  isNameField: boolean;
}>;

/** The text of a submission: by field, joined by line feeds in `all`, and the longest field as `message`. */
export type SubmittedText = Readonly<{
  fields: readonly FieldText[];
  all: string;
  charClasses: number;
  message: FieldText;
}>;

const NO_TEXT: FieldText = { name: '', text: '', value: '', charClasses: 0, isNameField: false };

/** Names of fields that ask for a person's or company's name, in several languages. */
const NAME_FIELD =
  /^_?(?:(?:your|full|first|last|sur|user|nick|contact|company)[-_ ]?)?name$|^(?:vor|nach)name$|^nom(?:bre|e)?$|^navn$|^namn$|^naam$|^jm[eé]no$|^imi[eę]$|^contact$|^handle$|^user$|^username$|^author$|^speaker$|^parent$|^fio$|^имя$|^名前$|^お名前$|^氏名$|^姓名$|^이름$/i;

/** Limits the work for each submission; the first characters are enough to judge it. */
const MAX_CHARACTERS = 20_000;
const MAX_VALUES = 1_000;

/** Collects the strings of a payload at any depth, without lines quoted by `>`. */
export function extractText(payload: Payload): SubmittedText {
  const fields: FieldText[] = [];
  let charactersLeft = MAX_CHARACTERS;
  let valuesLeft = MAX_VALUES;
  const collect = (name: string, value: PayloadValue): void => {
    valuesLeft -= 1;
    if (typeof value === 'string') {
      const text = withoutQuotedLines(value.slice(0, charactersLeft));
      charactersLeft -= text.length;
      if (text === '') return;
      const isNameField = NAME_FIELD.test(name);
      fields.push({ name, text, value: text.trim().toLowerCase(), charClasses: charClassesOf(text), isNameField });
    } else if (value && typeof value === 'object') {
      const items = Array.isArray(value) ? value : Object.values(value);
      for (const item of items) {
        if (charactersLeft <= 0 || valuesLeft <= 0) return;
        collect(name, item);
      }
    }
  };
  for (const [name, value] of payload) if (charactersLeft > 0 && valuesLeft > 0) collect(name, value);
  const message = fields.reduce(
    (longest, field) => (field.text.length > longest.text.length ? field : longest),
    NO_TEXT,
  );
  return { fields, all: fields.map(({ text }) => text).join('\n'), charClasses: combinedCharClasses(fields), message };
}

/** Returns the union of the fields' character classes. */
export function combinedCharClasses(fields: readonly FieldText[]): number {
  return fields.reduce((all, { charClasses }) => all | charClasses, 0);
}

function withoutQuotedLines(text: string): string {
  if (!text.includes('>')) return text;
  return text
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n');
}

/** Returns the words in lowercase with single spaces between and around them, so that ` word ` matches whole words. */
export function normalizedWords(text: string): string {
  const words = normalize(text, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}%$€£]+/gu, ' ')
    .trim();
  return ` ${words} `;
}

/** Quotations of 3 to 300 characters, in quotation marks of several languages. */
const QUOTED =
  /[“„«][^“”„«»\n]{3,300}[”“»]|「[^「」\n]{3,300}」|『[^『』\n]{3,300}』|(?<![\p{L}\p{N}=])"[^"\n]{3,300}"(?![\p{L}\p{N}])|(?<![\p{L}\p{N}=])['‘‚][^'‘’‚\n]{3,300}['’‘](?!\p{L})/gu;

/** Header lines of a forwarded mail, as mail programs write them in several languages. */
const MAIL_HEADER =
  /^[ \t*]*(?:from|to|sent|date|subject|reply-to|received|von|an|gesendet|betreff|de|à|objet|envoyé|para|asunto|assunto|enviado|da|a|oggetto|inviato|van|aan|onderwerp|od|do|temat|kimden|kime|konu|от|от кого|кому|тема|дата|від|发件人|收件人|主题|寄件者|主旨|差出人|宛先|件名|送信日時|보낸 ?사람|제목)[ \t]*[:：]/gim;

/** Characters of own text from which quotations are left out. */
const MIN_OWN_CHARACTERS = 40;

/**
 * Returns the text without quotations and forwarded mails, because people who report an offer quote it. Returns the
 * whole text if little else remains. `charClasses` are those of all fields.
 */
export function ownText(fields: readonly FieldText[], charClasses: number): string {
  const text = fields.map((field) => field.text).join('\n');
  if ((charClasses & (CHAR_CLASS.colon | CHAR_CLASS.quote)) === 0) return text;
  const own = fields.map(withoutForwardedMail).join('\n');
  const words = charClasses & CHAR_CLASS.quote ? own.replace(QUOTED, ' ') : own;
  return words.trim().length >= MIN_OWN_CHARACTERS ? words : text;
}

function withoutForwardedMail({ text, charClasses }: FieldText): string {
  if ((charClasses & CHAR_CLASS.colon) === 0) return text;
  const headers = Array.from(text.matchAll(MAIL_HEADER), ({ index }) => index);
  return headers.length >= 2 ? text.slice(0, headers[0]) : text;
}
