import { circumstanceEvidence } from './circumstances.ts';
import type { Evidence } from './evidence.ts';
import { gibberishEvidence } from './gibberish.ts';
import { foldedText } from './lexicon.ts';
import { linkEvidence, linksOf } from './links.ts';
import { pitchEvidence, topicEvidence, voiceEvidence } from './offers.ts';
import { probeEvidence } from './probes.ts';
import { samenessEvidence } from './sameness.ts';
import { scriptEvidence } from './scripts.ts';
import { templateEvidence } from './templates.ts';
import { ownWordsOf, type SubmittedText } from './text.ts';

/** The signs in what was written, wherever it was sent and by whom. */
export function contentEvidence(submitted: SubmittedText): Evidence[] {
  const text = foldedText(ownWordsOf(submitted));
  const offers = [...topicEvidence(text, linksOf(submitted).length > 0), ...pitchEvidence(text)];
  const talk = offers.length > 0 ? [...offers, ...voiceEvidence(text)] : [];
  const weight = talk.reduce((sum, sign) => sum + sign.weight, 0);
  return [
    ...linkEvidence(submitted),
    ...scriptEvidence(submitted),
    ...gibberishEvidence(submitted),
    ...samenessEvidence(submitted),
    ...templateEvidence(submitted),
    ...probeEvidence(submitted),
    ...talk,
    ...circumstanceEvidence(submitted, weight),
  ];
}
