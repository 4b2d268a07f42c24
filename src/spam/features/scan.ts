import { AT, COLON, getKind, OTHER, POINT, UNSPACED } from './char-kinds.ts';
import { add, isMuted } from './feature-list.ts';
import { ADDRESS, LINK, mix, PAIR, SEED, STEM } from './hash.ts';
import { beginLinks, scanLink } from './links.ts';
import { scanMark, scanUnspaced } from './marks.ts';
import { addNameWord, isNameWord } from './name-words.ts';
import { countWord, rehash, STEM_LENGTH, scanWord, word } from './words.ts';

/** Adds the features of a text up to `to`. `salt` adds its words apart too; 0 for none. */
export function scan(text: string, to: number, salt: number): void {
  /** Hash of the stem before; `SEED` after a break. */
  let previous = SEED;
  let previousStart = 0;
  beginLinks();
  for (let at = 0; at < to; ) {
    const start = at;
    const kind = getKind(text.charCodeAt(at));
    if (kind === OTHER) {
      at += 1;
      continue;
    }
    if (kind >= UNSPACED) {
      if (kind === UNSPACED) previous = SEED;
      at = kind === UNSPACED ? scanUnspaced(text, at, to) : scanMark(text, at, to, kind);
      continue;
    }
    at = scanWord(text, at, to);
    const next = at < to ? text.charCodeAt(at) : 0;
    if (next === POINT || next === COLON || next === AT) {
      const afterLink = scanLink(text, start, at, to);
      if (afterLink > at) {
        at = afterLink;
        previous = mix(SEED, word.isAddress ? ADDRESS : LINK);
        previousStart = start;
        continue;
      }
    }
    if (isMuted) addNameWord();
    else if (isNameWord()) {
      previous = SEED;
      continue;
    }
    countWord();
    if (word.isMixed) rehash(text, start, at);
    if (salt !== 0) add(mix(mix(word.hash, 0x51), salt), start, at);
    add(word.hash, start, at);
    const stem = mix(word.stem, STEM);
    if (word.length > STEM_LENGTH) add(stem, start, word.stemEnd);
    if (previous !== SEED) add(mix(mix(previous, PAIR), stem), previousStart, at);
    previous = stem;
    previousStart = start;
  }
}
