import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import type { SubmittedText } from './text.ts';

/** Spintax: alternative wordings of which the program should have chosen one. */
const ALTERNATIVES = /\{[^{}|\n]{0,80}\|[^{}\n]{0,200}\}/g;
/** A placeholder in braces, percent signs, brackets or hashes, but not in double braces: people paste mail templates. */
const PLACEHOLDER =
  /(?<![{\p{L}])(?:\{|%|\[|#)(?:first|last|full|company|business|site|domain|website|user|city|your)?[-_ ]?(?:name|domain|website|url|site|keyword\d?|niche|city|company|industry|link|email)(?:\}|%|\]|#)(?![}\p{L}])/giu;

/** Characters that begin alternatives and placeholders. */
const OPENINGS = ['{', '%', '[', '#'];

/** Finds remains of spam templates. People never send alternatives and rarely send placeholders. */
export function templateSignals({ all: text }: SubmittedText): Signal[] {
  if (!OPENINGS.some((opening) => text.includes(opening))) return [];
  const alternatives = text.match(ALTERNATIVES)?.length ?? 0;
  const placeholders = text.match(PLACEHOLDER)?.length ?? 0;
  const signals: Signal[] = [];
  if (alternatives >= 2) {
    const weight = alternatives >= 4 ? SPAM_THRESHOLD : 60;
    signals.push({ weight, reason: `${alternatives} unresolved template alternatives` });
  }
  if (placeholders >= 2) {
    const weight = placeholders >= 4 ? 70 : 50;
    signals.push({ weight, reason: `${placeholders} unfilled template placeholders` });
  }
  return signals;
}
