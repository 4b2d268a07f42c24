import { CHAR_CLASS } from './char-classes.ts';
import type { Signal } from './signal.ts';
import type { FieldText, SubmittedText } from './text.ts';

const LINK = /(?:https?:\/\/|www\.)[^\s<>"'[\]{}|\\^`]{2,}/gi;
const MARKUP = /\[(?:url|link)[=\]]|<a\s[^>]{0,300}href/gi;
/** Markup other than links, or code marks: the sender quotes a page rather than placing a link. */
const OTHER_MARKUP =
  /<\/?(?:p|div|span|br|ul|ol|li|b|i|em|strong|img|h\d|table|tr|td|form|input|nav|head|body|button)\b|\[\/?(?:b|i|img|list|quote|code)\]|`/i;
/** Every link contains a character of one of these classes. */
const LINK_CLASSES = CHAR_CLASS.slash | CHAR_CLASS.bracket | CHAR_CLASS.point;
const WORD = /[\p{L}\p{N}]{2,}/gu;
/** Words per link above which a text is more than an advertisement. */
const MANY_WORDS = 30;
const SHORTENER =
  /(?:https?:\/\/|www\.|\b)(?:bit\.ly|t\.me|tinyurl\.com|cutt\.ly|goo\.gl|is\.gd|rb\.gy|wa\.me|t\.ly|ow\.ly|clck\.ru|vk\.cc)\/\S/i;

/** Returns all links of a submission. */
export function linksOf({ fields }: SubmittedText): string[] {
  return fields.flatMap(({ text, charClasses }) => (charClasses & LINK_CLASSES ? (text.match(LINK) ?? []) : []));
}

/** Finds link markup, many links with few words, a link in a name field and shortened links. */
export function linkSignals(submitted: SubmittedText): Signal[] {
  if ((submitted.charClasses & LINK_CLASSES) === 0) return [];
  return [
    markupSignal(submitted),
    densitySignal(submitted),
    nameSignal(submitted.fields),
    shortenerSignal(submitted),
  ].filter((signal) => signal !== null);
}

function markupSignal({ fields, charClasses }: SubmittedText): Signal | null {
  if ((charClasses & CHAR_CLASS.bracket) === 0) return null;
  const count = fields.reduce((sum, { text }) => sum + (text.match(MARKUP)?.length ?? 0), 0);
  if (count === 0) return null;
  const reason = count === 1 ? 'a link in markup' : `${count} links in markup`;
  const words = fields.reduce((sum, { text }) => sum + (text.match(WORD)?.length ?? 0), 0);
  if (words / count > MANY_WORDS || fields.some(({ text }) => OTHER_MARKUP.test(text))) return { weight: 40, reason };
  return { weight: count === 1 ? 50 : 80, reason };
}

function densitySignal({ all: text }: SubmittedText): Signal | null {
  const links = text.match(LINK)?.length ?? 0;
  if (links < 3) return null;
  const words = text.replace(LINK, ' ').match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0;
  if (words / links >= 8) return null;
  const isDense = links >= 6 || words / links < 4;
  return { weight: isDense ? 50 : 30, reason: `${links} links in ${words} words` };
}

function nameSignal(fields: readonly FieldText[]): Signal | null {
  const hasLink = fields.some(
    ({ isNameField, text, charClasses }) => isNameField && charClasses & LINK_CLASSES && text.search(LINK) !== -1,
  );
  return hasLink ? { weight: 70, reason: 'a link in the name' } : null;
}

function shortenerSignal({ fields }: SubmittedText): Signal | null {
  return fields.some(({ text, charClasses }) => charClasses & CHAR_CLASS.slash && SHORTENER.test(text))
    ? { weight: 30, reason: 'a shortened link' }
    : null;
}
