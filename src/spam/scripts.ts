import { CHAR_CLASS } from './char-classes.ts';
import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import type { SubmittedText } from './text.ts';

const WORD = /\p{L}{3,}/gu;
const LATIN = /\p{Script=Latin}/u;
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** Zero-width space, word joiner or byte order mark between letters; not the joiners that some scripts need. */
const HIDDEN = /\p{L}[\u200b\u2060\ufeff]+(?=\p{L})/gu;

/** Finds words disguised against filters: with lookalike letters of other alphabets, or with hidden characters. */
export function scriptSignals({ all: text, charClasses }: SubmittedText): Signal[] {
  if ((charClasses & CHAR_CLASS.foreign) === 0) return [];
  const signals: Signal[] = [];
  if (LOOKALIKE.test(text)) {
    const words = text.match(WORD) ?? [];
    const mixed = words.filter((word) => LATIN.test(word) && LOOKALIKE.test(word)).length;
    const isMany = mixed >= 5 || (mixed >= 3 && mixed / words.length > 0.1);
    // Technical texts in Cyrillic mix alphabets too, so these words alone never flag a text.
    if (mixed > 0) signals.push({ weight: isMany ? 60 : 20, reason: `${mixed} words with mixed alphabets` });
  }
  const hidden = text.match(HIDDEN)?.length ?? 0;
  if (hidden >= 2)
    signals.push({ weight: hidden >= 4 ? SPAM_THRESHOLD : 60, reason: `${hidden} hidden characters within words` });
  return signals;
}
