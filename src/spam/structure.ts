import { duplicateFieldSignals } from './duplicate-fields.ts';
import { exploitProbeSignals } from './exploit-probes.ts';
import type { Totals } from './features/totals.ts';
import { gibberishSignals } from './gibberish.ts';
import { linkSignals } from './links.ts';
import { scriptSignals } from './scripts.ts';
import type { Signal } from './signal.ts';
import { templateSignals } from './templates.ts';
import type { SubmittedText } from './text.ts';

/** Texts of more words hardly consist of a probe. */
const FEW_WORDS = 12;

/**
 * Returns the signals that don't depend on language. Most take regular expressions, so each is sought only where the
 * numbers of things in the submission leave it possible.
 */
export function structureSignals(submitted: SubmittedText, totals: Totals): Signal[] {
  const { links, tags, code, units, words, jumps, mixed, hidden } = totals;
  const signals: Signal[] = [];
  if (links + tags > 0) signals.push(...linkSignals(submitted));
  if (mixed + hidden > 0) signals.push(...scriptSignals(submitted));
  if (jumps > 0 || words <= FEW_WORDS) signals.push(...gibberishSignals(submitted));
  if (submitted.fields.length > 1) signals.push(...duplicateFieldSignals(submitted));
  if (code + units > 0) signals.push(...templateSignals(submitted));
  if (code > 0 || words <= FEW_WORDS) signals.push(...exploitProbeSignals(submitted));
  return signals;
}
