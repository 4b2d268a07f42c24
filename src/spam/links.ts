import type { Signal } from './signal.ts';
import { CHAR_CLASS, type FieldText, type SubmittedText } from './text.ts';

export const LINK = /(?:https?:\/\/|www\.)[^\s<>"'[\]{}|\\^`]{2,}/gi;
const MARKUP = /\[(?:url|link)[=\]]|<a\s[^>]{0,300}href/gi;
/** Markup other than links, or code marks: the sender quotes a page rather than placing a link. */
const OTHER_MARKUP =
  /<\/?(?:p|div|span|br|ul|ol|li|b|i|em|strong|img|h\d|table|tr|td|form|input|nav|head|body|button)\b|\[\/?(?:b|i|img|list|quote|code)\]|`/i;
/** Every link contains a character of one of these classes. */
const LINK_CLASSES = CHAR_CLASS.slash | CHAR_CLASS.bracket | CHAR_CLASS.point;
const WORD = /[\p{L}\p{N}]{2,}/gu;
/** Words per link above which a text is more than an advertisement. */
const MANY_WORDS = 30;
/** Link shorteners, and messengers whose links hide an account. */
export const SHORTENERS = new Set(
  (
    '0rz.tw 1url.com adf.ly bc.vc bit.do bit.ly bitly.com bl.ink buff.ly chilp.it clck.ru cutt.ly cutt.us ' +
    'da.gd dlvr.it ff.im gg.gg goo.by goo.gl goo.su han.gl hyperurl.co ift.tt is.gd j.mp kutt.it kutt.to n9.cl ' +
    'ouo.io ow.ly qr.ae rb.gy reurl.cc rebrand.ly s.id sh.st short.cm short.gy shorte.st shorturl.at ' +
    'shorturl.gg shrtco.de slnk.de smarturl.it snip.ly snipurl.com soo.gd spoo.me suo.im surl.li t.cn t.ly ' +
    't.me t2m.io tiny.cc tiny.one tinyurl.com tr.im u.nu u.to ulvis.net urlz.fr urlr.me v.gd v.ht vk.cc vo.la ' +
    'wa.link wa.me x.gd xurl.es zpr.io zzb.bz'
  ).split(' '),
);
/** Longest host of the list, with `www.` before it. */
const MAX_SHORTENER = 16;

/** Returns all links of a submission. */
export function getLinks({ fields }: SubmittedText): string[] {
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

function shortenerSignal({ fields, all }: SubmittedText): Signal | null {
  const isShortened = ({ value, charClasses }: FieldText) => charClasses & CHAR_CLASS.slash && hasShortLink(value);
  if (!fields.some(isShortened)) return null;
  return (all.match(WORD)?.length ?? 0) <= MANY_WORDS
    ? { weight: 50, reason: 'a shortened link and few words' }
    : { weight: 30, reason: 'a shortened link' };
}

/** Returns whether a lowercase text has a link to a shortener: its host, a slash and a character. */
function hasShortLink(text: string): boolean {
  for (let slash = text.indexOf('/'); slash !== -1; slash = text.indexOf('/', slash + 1)) {
    let from = slash;
    while (from > 0 && slash - from <= MAX_SHORTENER && isHostChar(text.charCodeAt(from - 1))) from -= 1;
    if (text.startsWith('www.', from)) from += 4;
    if (slash - from >= 4 && SHORTENERS.has(text.slice(from, slash)) && /\S/.test(text.charAt(slash + 1))) return true;
  }
  return false;
}

/** Returns whether a UTF-16 unit is a lowercase ASCII letter, a digit, a dot or a hyphen. */
function isHostChar(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 46 || code === 45;
}
