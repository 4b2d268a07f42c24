import type { Payload, PayloadValue } from '../domain/submissions/submission.ts';
import { normalize } from '../lib/normalize.ts';

/** The purpose of a field, by its name. */
export type FieldRole = 'name' | 'subject' | null;

/** Longest text that is taken for an address. */
const MAX_ADDRESS = 200;
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,120}$/;

/** A text of a submission. What few checks need is computed when it is first asked for. */
export class FieldText {
  #value: string | null = null;
  #charClasses: number | null = null;

  constructor(
    readonly name: string,
    readonly text: string,
    readonly role: FieldRole,
  ) {}

  /** The trimmed text in lowercase. */
  get value(): string {
    this.#value ??= this.text.trim().toLowerCase();
    return this.#value;
  }

  /** A set of `CHAR_CLASS` flags. */
  get charClasses(): number {
    this.#charClasses ??= getCharClasses(this.text);
    return this.#charClasses;
  }

  /** The email address in lowercase if the text is nothing else, else null. */
  get address(): string | null {
    if (this.text.length > MAX_ADDRESS || this.text.indexOf('@') < 1) return null;
    return ADDRESS.test(this.value) ? this.value : null;
  }

  get isNameField(): boolean {
    return this.role === 'name';
  }
}

/** The text of a submission: by field, joined by line feeds in `all`, and the longest field as `message`. */
export class SubmittedText {
  #all: string | null = null;
  #charClasses: number | null = null;

  constructor(
    readonly fields: readonly FieldText[],
    readonly message: FieldText,
  ) {}

  get all(): string {
    this.#all ??= this.fields.map(({ text }) => text).join('\n');
    return this.#all;
  }

  get charClasses(): number {
    this.#charClasses ??= this.fields.reduce((all, { charClasses }) => all | charClasses, 0);
    return this.#charClasses;
  }
}

const NO_TEXT = new FieldText('', '', null);

/** Names of fields that ask for a person's or company's name, in several languages. */
const NAME_FIELD =
  /^_?(?:(?:your|full|first|last|sur|user|nick|contact|company)[-_ ]?)?name$|^(?:vor|nach)name$|^nom(?:bre|e)?$|^navn$|^namn$|^naam$|^jm[eé]no$|^imi[eę]$|^contact$|^handle$|^user$|^username$|^author$|^speaker$|^parent$|^fio$|^имя$|^名前$|^お名前$|^氏名$|^姓名$|^이름$/i;

/** Names of fields for the subject. */
const SUBJECT_FIELD =
  /^(?:your[-_ ]?)?(?:subject|betreff|objet|asunto|assunto|oggetto|onderwerp|temat|тема|titl?el?)$/i;

/** Roles by field name. Forms have few names, but clients may send any, so the number is limited. */
const roles = new Map<string, FieldRole>();
const MAX_ROLES = 1_000;

function getRole(name: string): FieldRole {
  const cached = roles.get(name);
  if (cached !== undefined) return cached;
  const role = NAME_FIELD.test(name) ? 'name' : SUBJECT_FIELD.test(name) ? 'subject' : null;
  if (roles.size < MAX_ROLES && name.length <= 100) roles.set(name, role);
  return role;
}

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
      fields.push(new FieldText(name, text, getRole(name)));
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
  return new SubmittedText(fields, message);
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
 * Returns the fields without quotations and forwarded mails, because people who report an offer quote it. Returns them
 * whole if little else remains.
 */
export function ownFields(submitted: SubmittedText): readonly FieldText[] {
  const { fields, charClasses } = submitted;
  if ((charClasses & (CHAR_CLASS.colon | CHAR_CLASS.quote)) === 0) return fields;
  const own = fields.map((field) => {
    const text = withoutForwardedMail(field);
    const words = field.charClasses & CHAR_CLASS.quote ? text.replace(QUOTED, ' ') : text;
    return words === field.text ? field : new FieldText(field.name, words, field.role);
  });
  const length = own.reduce((sum, { text }) => sum + text.trim().length, 0);
  return length >= MIN_OWN_CHARACTERS ? own : fields;
}

function withoutForwardedMail({ text, charClasses }: FieldText): string {
  if ((charClasses & CHAR_CLASS.colon) === 0) return text;
  const headers = Array.from(text.matchAll(MAIL_HEADER), ({ index }) => index);
  return headers.length >= 2 ? text.slice(0, headers[0]) : text;
}

/**
 * Bit flags for the character classes in a text. Most patterns need a character that few texts contain, so testing a
 * flag first is cheaper than running the regular expression.
 */
export const CHAR_CLASS = {
  digit: 1,
  at: 2,
  /** A period followed by anything but white space, as in a host name. */
  point: 4,
  slash: 8,
  /** Characters of markup and template placeholders: all brackets but round ones, `%` and `#`. */
  bracket: 16,
  colon: 32,
  /** A quotation mark that may open a quotation; an apostrophe inside a word doesn't count. */
  quote: 64,
  /** Any character beyond ASCII. */
  foreign: 128,
} as const;

/** Class of each ASCII character; context-dependent ones (period, quotation marks) are 0. */
const ASCII_CLASSES = new Uint8Array(128);
for (const [characters, charClass] of [
  ['0123456789', CHAR_CLASS.digit],
  ['@', CHAR_CLASS.at],
  ['/', CHAR_CLASS.slash],
  ['<[{%#', CHAR_CLASS.bracket],
  [':', CHAR_CLASS.colon],
] as const) {
  for (const character of characters) ASCII_CLASSES[character.charCodeAt(0)] = charClass;
}
const POINT = '.'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const APOSTROPHE = "'".charCodeAt(0);
const EQUALS = '='.charCodeAt(0);

/** Returns the union of `CHAR_CLASS` flags of a text. */
function getCharClasses(text: string): number {
  let charClasses = 0;
  let previous = SPACE;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128) charClasses |= CHAR_CLASS.foreign | CHAR_CLASS.quote | CHAR_CLASS.colon;
    else if (code === POINT) charClasses |= text.charCodeAt(at + 1) > SPACE ? CHAR_CLASS.point : 0;
    else if (code === QUOTE || code === APOSTROPHE) charClasses |= isWordChar(previous) ? 0 : CHAR_CLASS.quote;
    else charClasses |= ASCII_CLASSES[code] ?? 0;
    previous = code;
  }
  return charClasses;
}

function isWordChar(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === EQUALS;
}
