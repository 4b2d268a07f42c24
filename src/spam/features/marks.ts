import * as kinds from './char-kinds.ts';
import { add, addAt } from './feature-list.ts';
import { mix, SEED, TAG } from './hash.ts';
import { totals } from './totals.ts';

/** Reads a unit that is no part of a word, and returns where to go on. */
export function scanMark(text: string, at: number, to: number, kind: number): number {
  const code = text.charCodeAt(at);
  if (kind === kinds.SYMBOL) {
    totals.symbols += 1;
    const full = code >= 0xd800 ? mix(code, text.charCodeAt(at + 1)) : code;
    add(mix(mix(SEED, kinds.SYMBOL), full), at, at + (code >= 0xd800 ? 2 : 1));
  } else if (kind === kinds.SKIPPED) {
    if (code >= 0x2000 && code < 0xd800) totals.hidden += 1;
  } else if (code === kinds.EXCLAMATION || code === kinds.QUESTION) {
    totals.marks += 1;
    addAt(mix(SEED, code), -1);
  } else {
    totals.code += 1;
    if (code === kinds.LESS || code === kinds.BRACKET) return scanTag(text, at, to);
  }
  return at + 1;
}

export function scanUnspaced(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && kinds.getKind(text.charCodeAt(at)) === kinds.UNSPACED) at += 1;
  for (let start = from; start + 1 < at; start++) {
    const two = mix(mix(mix(SEED, kinds.UNSPACED), text.charCodeAt(start)), text.charCodeAt(start + 1));
    add(two, start, start + 2);
    if (start + 2 < at) add(mix(two, text.charCodeAt(start + 2)), start, start + 3);
  }
  totals.words += (at - from) >> 1;
  totals.letters += at - from;
  totals.foreign += at - from;
  return at;
}

/** Reads a tag such as `<a href` or `[url=` and returns where to go on. */
function scanTag(text: string, from: number, to: number): number {
  let at = from + 1;
  if (text.charCodeAt(at) === kinds.SLASH) at += 1;
  const start = at;
  let hash = mix(SEED, TAG);
  while (at < to && at - start < 12) {
    const kind = kinds.getKind(text.charCodeAt(at));
    if (kind !== kinds.LOWER && kind !== kinds.UPPER) break;
    hash = mix(hash, kinds.getBase(text.charCodeAt(at)));
    at += 1;
  }
  const next = text.charCodeAt(at);
  // `>`, `]`, space and `=`.
  if (at === start || (next !== 0x3e && next !== 0x5d && next !== 0x20 && next !== 0x3d)) return from + 1;
  totals.tags += 1;
  add(hash, start, at);
  return at;
}
