import { CHAR_CLASS } from './char-classes.ts';
import type { Signal } from './signal.ts';
import type { FieldText, SubmittedText } from './text.ts';

const LINK = /(?:https?:\/\/|www\.)[^\s<>"'[\]{}|\\^`]{2,}/gi;
const MARKUP = /\[(?:url|link)[=\]]|<a\s[^>]{0,300}href/gi;
/** Markup of more than links, or marks of code: somebody shows a page, not a link. */
const CODE =
  /<\/?(?:p|div|span|br|ul|ol|li|b|i|em|strong|img|h\d|table|tr|td|form|input|nav|head|body|button)\b|\[\/?(?:b|i|img|list|quote|code)\]|`/i;
/** One of them is in any link. */
const OF_LINK = CHAR_CLASS.slash | CHAR_CLASS.bracket | CHAR_CLASS.point;
const WORD = /[\p{L}\p{N}]{2,}/gu;
/** To a link: who writes so much has something else to say. */
const MANY_WORDS = 30;
const SHORTENER =
  /(?:https?:\/\/|www\.|\b)(?:bit\.ly|t\.me|tinyurl\.com|cutt\.ly|goo\.gl|is\.gd|rb\.gy|wa\.me|t\.ly|ow\.ly|clck\.ru|vk\.cc)\/\S/i;

/** All links of a submission. */
export function linksOf({ fields }: SubmittedText): string[] {
  return fields.flatMap(({ text, marks }) => (marks & OF_LINK ? (text.match(LINK) ?? []) : []));
}

/** What links give away: markup that no such form shows, many of them in few words, one where a name is asked for. */
export function linkSignals(submitted: SubmittedText): Signal[] {
  if ((submitted.marks & OF_LINK) === 0) return [];
  return [markup(submitted), density(submitted), inName(submitted.fields), shortened(submitted)].filter(
    (sign) => sign !== null,
  );
}

function markup({ fields, marks }: SubmittedText): Signal | null {
  if ((marks & CHAR_CLASS.bracket) === 0) return null;
  const count = fields.reduce((sum, { text }) => sum + (text.match(MARKUP)?.length ?? 0), 0);
  if (count === 0) return null;
  const reason = count === 1 ? 'a link in markup' : `${count} links in markup`;
  const words = fields.reduce((sum, { text }) => sum + (text.match(WORD)?.length ?? 0), 0);
  if (words / count > MANY_WORDS || fields.some(({ text }) => CODE.test(text))) return { weight: 40, reason };
  return { weight: count === 1 ? 50 : 80, reason };
}

function density({ all: text }: SubmittedText): Signal | null {
  const links = text.match(LINK)?.length ?? 0;
  if (links < 3) return null;
  const words = text.replace(LINK, ' ').match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0;
  if (words / links >= 8) return null;
  const isMuch = links >= 6 || words / links < 4;
  return { weight: isMuch ? 50 : 30, reason: `${links} links to ${words} words` };
}

function inName(fields: readonly FieldText[]): Signal | null {
  const isLinked = fields.some(({ asksName, text, marks }) => asksName && marks & OF_LINK && text.search(LINK) !== -1);
  return isLinked ? { weight: 70, reason: 'a link in the name' } : null;
}

function shortened({ fields }: SubmittedText): Signal | null {
  return fields.some(({ text, marks }) => marks & CHAR_CLASS.slash && SHORTENER.test(text))
    ? { weight: 30, reason: 'a link that hides where it leads' }
    : null;
}
