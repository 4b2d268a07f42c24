import { duplicateFieldSignals } from './duplicate-fields.ts';
import { exploitProbeSignals } from './exploit-probes.ts';
import { gibberishSignals } from './gibberish.ts';
import { linkSignals } from './links.ts';
import { scriptSignals } from './scripts.ts';
import type { Signal } from './signal.ts';
import { templateSignals } from './templates.ts';
import type { SubmittedText } from './text.ts';

/** Returns the signals that don't depend on language. */
export function structureSignals(submitted: SubmittedText): Signal[] {
  return [
    ...linkSignals(submitted),
    ...scriptSignals(submitted),
    ...gibberishSignals(submitted),
    ...duplicateFieldSignals(submitted),
    ...templateSignals(submitted),
    ...exploitProbeSignals(submitted),
  ];
}
