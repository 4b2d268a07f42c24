import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import { normalizedWords, type SubmittedText } from './text.ts';

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Returns a signal at the threshold for each blocked word of the form that the submission contains as a whole word. */
export function blockedWordSignals(submitted: SubmittedText, blocked: readonly string[]): Signal[] {
  if (blocked.length === 0) return [];
  const text = normalizedWords(submitted.all);
  const matches = blocked.filter((word) => {
    const words = normalizedWords(word);
    return text.includes(UNSPACED.test(word) ? words.trim() : words);
  });
  return matches.map((word) => ({ weight: SPAM_THRESHOLD, reason: `the blocked word “${word}”` }));
}
