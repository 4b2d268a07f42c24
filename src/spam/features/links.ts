import * as kinds from './char-kinds.ts';
import { addShape } from './feature-list.ts';
import { mix, SEED, toHash } from './hash.ts';
import { totals } from './totals.ts';
import { word } from './words.ts';

/** Endings of host names that cost little and are much used by spam. */
const CHEAP_ENDINGS = toHashes(
  'top icu buzz click xyz site online vip win bid loan men cyou cfd sbs rest monster quest bond lol shop tk ml ga cf gq',
);
/** Hosts of shortened links and of pages that anybody may write. */
const SHARED_HOSTS = new Set(
  [
    ...['bit.ly', 't.me', 'tinyurl.com', 'cutt.ly', 'goo.gl', 'is.gd', 'rb.gy', 'wa.me', 't.ly', 'ow.ly', 'clck.ru'],
    ...['vk.cc', 'telegra.ph', 'graph.org', 'rebrand.ly', 'shorturl.at', 'linktr.ee', 'forms.gle'],
  ].map((host) => {
    const [name = '', ending = ''] = host.split('.');
    return mix(toHash(name), toHash(ending));
  }),
);

function toHashes(words: string): ReadonlySet<number> {
  return new Set(words.split(' ').map(toHash));
}

/** The end of a text that was no link, so that it is not read again from each of its words. */
let noLinkBefore = 0;

/** Prepares `scanLink` for another text. */
export function beginLinks(): void {
  noLinkBefore = 0;
}

/** Returns whether a unit may stand in a host name. */
function isHostUnit(code: number): boolean {
  const kind = kinds.getKind(code);
  return (kind >= kinds.LOWER && kind <= kinds.LETTER) || code === kinds.HYPHEN;
}

/** Returns whether a unit ends a link: white space, quotation marks, brackets, comma and bar. */
function endsLink(code: number): boolean {
  return (
    code <= 0x20 ||
    code === 0x22 ||
    (code >= 0x27 && code <= 0x29) ||
    code === 0x2c ||
    code === kinds.LESS ||
    code === 0x3e ||
    code === kinds.BRACKET ||
    code === 0x5d ||
    code === 0x7c ||
    code > 0x2fff
  );
}

/**
 * Returns the end of the link or address that begins with the word from `start` to `end`; `end` if there is none. Host
 * names are not learned, since spam changes them all the time: only cheap endings and shared hosts count.
 */
export function scanLink(text: string, start: number, end: number, to: number): number {
  if (end < noLinkBefore) return end;
  const next = end < to ? text.charCodeAt(end) : 0;
  const hasScheme =
    next === kinds.COLON && text.charCodeAt(end + 1) === kinds.SLASH && text.charCodeAt(end + 2) === kinds.SLASH;
  const isDotted = (next === kinds.POINT || next === kinds.AT) && end + 1 < to && isHostUnit(text.charCodeAt(end + 1));
  if (!hasScheme && !isDotted) return end;
  let label = SEED;
  let previous = SEED;
  let length = 0;
  let dots = 0;
  let path = -1;
  let isAddress = false;
  let hasLetters = true;
  let at = hasScheme ? end + 3 : start;
  for (; at < to; at++) {
    const code = text.charCodeAt(at);
    if (endsLink(code)) break;
    if (path >= 0) path += 1;
    else if (code === kinds.SLASH || code === kinds.QUESTION || code === 0x23 || code === kinds.COLON) path = 0;
    else if (code === kinds.AT || code === kinds.POINT) {
      if (code === kinds.POINT && !isHostUnit(text.charCodeAt(at + 1))) break;
      isAddress ||= code === kinds.AT;
      dots = code === kinds.AT ? 0 : dots + 1;
      previous = label;
      label = SEED;
      length = 0;
      hasLetters = true;
    } else {
      const kind = kinds.getKind(code);
      if (kind === kinds.DIGIT || kind === kinds.MARK || (kind === kinds.OTHER && code !== kinds.HYPHEN))
        hasLetters = false;
      label = mix(label, kinds.getBase(code));
      length += 1;
    }
  }
  const isHost = dots > 0 && hasLetters && length >= 2 && (path >= 0 || (length <= 6 && word.length > 1));
  if (!hasScheme && !isAddress && !isHost) {
    noLinkBefore = at;
    return end;
  }
  word.isAddress = isAddress && !hasScheme;
  if (word.isAddress) totals.addresses += 1;
  else {
    totals.links += 1;
    if (CHEAP_ENDINGS.has(label)) addShape(31, 1);
    if (SHARED_HOSTS.has(mix(previous, label))) addShape(32, 1);
    addShape(30, path <= 0 ? 0 : path < 8 ? 1 : path < 20 ? 2 : path < 60 ? 3 : 4);
  }
  return at;
}
