import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import { type SubmittedText, wordsOf } from './text.ts';

/** Scripts that write words without spaces between. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The owner's own words, which weigh enough by themselves. */
export function blockedWordSignals(submitted: SubmittedText, blocked: readonly string[]): Signal[] {
  if (blocked.length === 0) return [];
  const text = wordsOf(submitted.all);
  const found = blocked.filter((word) => {
    const words = wordsOf(word);
    return text.includes(UNSPACED.test(word) ? words.trim() : words);
  });
  return found.map((word) => ({ weight: SPAM_THRESHOLD, reason: `the blocked word “${word}”` }));
}
