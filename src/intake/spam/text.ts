import type { Payload, PayloadValue } from '../../domain/submission.ts';
import { normalize } from '../../lib/normalize';
import { CHAR_CLASS, charClassesOf } from './char-classes';

/**
 * What is looked at of one field: its text as it is and its value in small letters, its marks, and whether it asks who
 * someone is.
 */
export type FieldText = Readonly<{ name: string; text: string; value: string; marks: number; asksName: boolean }>;

/** What is looked at of a submission: its texts field by field, all of them a line each with their marks, and the longest. */
export type SubmittedText = Readonly<{
  fields: readonly FieldText[];
  all: string;
  marks: number;
  message: FieldText;
}>;

const NO_TEXT: FieldText = { name: '', text: '', value: '', marks: 0, asksName: false };

/** A field that asks who someone is. */
const NAME_FIELD =
  /^_?(?:(?:your|full|first|last|sur|user|nick|contact|company)[-_ ]?)?name$|^(?:vor|nach)name$|^nom(?:bre|e)?$|^navn$|^namn$|^naam$|^jm[eé]no$|^imi[eę]$|^contact$|^handle$|^user$|^username$|^author$|^speaker$|^parent$|^fio$|^имя$|^名前$|^お名前$|^氏名$|^姓名$|^이름$/i;

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
      if (text === '') return;
      const asksName = NAME_FIELD.test(name);
      fields.push({ name, text, value: text.trim().toLowerCase(), marks: charClassesOf(text), asksName });
    } else if (value && typeof value === 'object') {
      const items = Array.isArray(value) ? value : Object.values(value);
      for (const item of items) {
        if (left <= 0 || values <= 0) return;
        collect(name, item);
      }
    }
  };
  for (const [name, value] of payload) if (left > 0 && values > 0) collect(name, value);
  const message = fields.reduce(
    (longest, field) => (field.text.length > longest.text.length ? field : longest),
    NO_TEXT,
  );
  return { fields, all: fields.map(({ text }) => text).join('\n'), marks: allCharClasses(fields), message };
}

/** Those that any of the fields has. */
export function allCharClasses(fields: readonly FieldText[]): number {
  return fields.reduce((all, { marks }) => all | marks, 0);
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
  const words = normalize(text, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}%$€£]+/gu, ' ')
    .trim();
  return ` ${words} `;
}

/** What stands in quotation marks of any kind, if not too long. */
const QUOTED =
  /[“„«][^“”„»\n]{3,300}[”“»]|「[^「」\n]{3,300}」|『[^『』\n]{3,300}』|(?<![\p{L}\p{N}=])"[^"\n]{3,300}"(?![\p{L}\p{N}])|(?<![\p{L}\p{N}=])['‘‚][^'‘’‚\n]{3,300}['’‘](?!\p{L})/gu;

/** Lines at the head of a mail, in the words of mail programs. */
const HEAD =
  /^[ \t*]*(?:from|to|sent|date|subject|reply-to|received|von|an|gesendet|betreff|de|à|objet|envoyé|para|asunto|assunto|enviado|da|a|oggetto|inviato|van|aan|onderwerp|od|do|temat|kimden|kime|konu|от|от кого|кому|тема|дата|від|发件人|收件人|主题|寄件者|主旨|差出人|宛先|件名|送信日時|보낸 ?사람|제목)[ \t]*[:：]/gim;

/** Characters: less is no text about a quotation. */
const MIN_OWN = 40;

/**
 * The text without what it quotes, and without a mail that is passed on below: those who ask about an offer repeat it. With
 * it, if hardly more is there. `marks` are those of all fields.
 */
export function ownWordsOf(fields: readonly FieldText[], marks: number): string {
  const text = fields.map((field) => field.text).join('\n');
  if ((marks & (CHAR_CLASS.colon | CHAR_CLASS.quote)) === 0) return text;
  const own = fields.map(withoutMail).join('\n');
  const words = marks & CHAR_CLASS.quote ? own.replace(QUOTED, ' ') : own;
  return words.trim().length >= MIN_OWN ? words : text;
}

function withoutMail({ text, marks }: FieldText): string {
  if ((marks & CHAR_CLASS.colon) === 0) return text;
  const heads = Array.from(text.matchAll(HEAD), ({ index }) => index);
  return heads.length >= 2 ? text.slice(0, heads[0]) : text;
}
