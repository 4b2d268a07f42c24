import type { Evidence } from './evidence.ts';
import { gibberishEvidence } from './gibberish.ts';
import { linkEvidence } from './links.ts';
import { probeEvidence } from './probes.ts';
import { samenessEvidence } from './sameness.ts';
import { scriptEvidence } from './scripts.ts';
import { templateEvidence } from './templates.ts';
import type { SubmittedText } from './text.ts';

/** What gives a machine away, in whatever language it writes. */
export function structureEvidence(submitted: SubmittedText): Evidence[] {
  return [
    ...linkEvidence(submitted),
    ...scriptEvidence(submitted),
    ...gibberishEvidence(submitted),
    ...samenessEvidence(submitted),
    ...templateEvidence(submitted),
    ...probeEvidence(submitted),
  ];
}
