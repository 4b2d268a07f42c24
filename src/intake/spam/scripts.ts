import { CHAR_CLASS } from './char-classes.ts';
import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import type { SubmittedText } from './text.ts';

const WORD = /\p{L}{3,}/gu;
const LATIN = /\p{Script=Latin}/u;
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** Zero-width space, word joiner and byte order mark between letters; the joiners that scripts need are not among them. */
const HIDDEN = /\p{L}[\u200b\u2060\ufeff]+(?=\p{L})/gu;

/** Words made to slip past filters: of letters that only look alike, or with hidden characters in them. */
export function scriptSignals({ all: text, marks }: SubmittedText): Signal[] {
  if ((marks & CHAR_CLASS.foreign) === 0) return [];
  const signs: Signal[] = [];
  if (LOOKALIKE.test(text)) {
    const words = text.match(WORD) ?? [];
    const mixed = words.filter((word) => LATIN.test(word) && LOOKALIKE.test(word)).length;
    const isMuch = mixed >= 5 || (mixed >= 3 && mixed / words.length > 0.1);
    if (mixed > 0) signs.push({ weight: isMuch ? SPAM_THRESHOLD : 20, reason: `${mixed} words of mixed alphabets` });
  }
  const hidden = text.match(HIDDEN)?.length ?? 0;
  if (hidden >= 2)
    signs.push({ weight: hidden >= 4 ? SPAM_THRESHOLD : 60, reason: `${hidden} hidden characters within words` });
  return signs;
}
