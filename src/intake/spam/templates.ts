import { CHAR_CLASS } from './char-classes.ts';
import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import type { SubmittedText } from './text.ts';

/** One of several wordings to choose from. */
const CHOICE = /\{[^{}|\n]{0,80}\|[^{}\n]{0,200}\}/g;
/** A place that a program should have filled in: in single braces, per cent signs or brackets, so that templates of mail pass. */
const PLACE =
  /(?<![{\p{L}])(?:\{|%|\[|#)(?:first|last|full|company|business|site|domain|website|user|city|your)?[-_ ]?(?:name|domain|website|url|site|keyword\d?|niche|city|company|industry|link|email)(?:\}|%|\]|#)(?![}\p{L}])/giu;

/** What is left of a template: no person sends the choices, and hardly one the places. */
export function templateSignals({ all: text, marks }: SubmittedText): Signal[] {
  if ((marks & CHAR_CLASS.bracket) === 0) return [];
  const choices = text.match(CHOICE)?.length ?? 0;
  const places = text.match(PLACE)?.length ?? 0;
  const signs: Signal[] = [];
  if (choices >= 2)
    signs.push({ weight: choices >= 4 ? SPAM_THRESHOLD : 60, reason: `${choices} choices of a template` });
  if (places >= 2) signs.push({ weight: places >= 4 ? 70 : 50, reason: `${places} places of a template left open` });
  return signs;
}
