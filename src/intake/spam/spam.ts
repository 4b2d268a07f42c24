import type { Form } from '../../domain/form.ts';
import type { Payload } from '../../domain/submission.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Vault } from '../../vault/vault.ts';
import { blockedWordSignals } from './blocked-words.ts';
import { type Repeats, repeatSignals } from './repeats.ts';
import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import { stampSignals } from './stamp.ts';
import { structureSignals } from './structure.ts';
import { extractText } from './text.ts';
import { wordingSignals, wordingWeight } from './wording.ts';

type Deps = Readonly<{ vault: Vault; clock: Clock; repeats: Repeats }>;

/**
 * Returns the reasons why a submission is spam, in words for the owner, heaviest first; empty below `SPAM_THRESHOLD`.
 * It judges the content alone and sends nothing elsewhere. `stamp` is the page's signed time, null for none.
 */
export function spamReasons(deps: Deps, form: Form, payload: Payload, stamp: string | null): readonly string[] {
  const submitted = extractText(payload);
  const structure = structureSignals(submitted);
  const others = [
    ...blockedWordSignals(submitted, form.blockedWords),
    ...repeatSignals(deps, form, submitted),
    ...stampSignals(deps, form, stamp),
  ];
  // The wording score includes the structure signals as features, so the two are not added up.
  const weight = Math.max(totalWeight(structure), wordingWeight(submitted, structure)) + totalWeight(others);
  if (weight < SPAM_THRESHOLD) return [];
  return [...structure, ...wordingSignals(submitted, structure), ...others]
    .sort((a, b) => b.weight - a.weight)
    .map(({ reason }) => reason);
}

function totalWeight(signals: readonly Signal[]): number {
  return signals.reduce((sum, { weight }) => sum + weight, 0);
}
