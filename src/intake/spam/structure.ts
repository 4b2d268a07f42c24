import { exploitProbeSignals } from './exploit-probes.ts';
import { gibberishSignals } from './gibberish.ts';
import { linkSignals } from './links.ts';
import { samenessSignals } from './sameness.ts';
import { scriptSignals } from './scripts.ts';
import type { Signal } from './signal.ts';
import { templateSignals } from './templates.ts';
import type { SubmittedText } from './text.ts';

/** What gives a machine away, in whatever language it writes. */
export function structureSignals(submitted: SubmittedText): Signal[] {
  return [
    ...linkSignals(submitted),
    ...scriptSignals(submitted),
    ...gibberishSignals(submitted),
    ...samenessSignals(submitted),
    ...templateSignals(submitted),
    ...exploitProbeSignals(submitted),
  ];
}
