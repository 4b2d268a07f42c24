import type { Form } from '../../domain/form.ts';
import type { Payload } from '../../domain/submission.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Vault } from '../../vault/vault.ts';
import { blockedWordSignals } from './blocked-words.ts';
import { type Repeats, repeatSignals } from './repeats.ts';
import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import { stampSignals } from './stamp.ts';
import { structureSignals } from './structure.ts';
import { textsOf } from './text.ts';
import { weightOfWording, wordingSignals } from './wording.ts';

type Deps = Readonly<{ vault: Vault; clock: Clock; repeats: Repeats }>;

/**
 * Why a submission is spam, in words for the owner, the heaviest first; none if it is not. Only its contents are looked at,
 * here, and only what is strong by itself or several signs together are enough. `stamp` is the signed time that came along.
 */
export function spamReasons(deps: Deps, form: Form, payload: Payload, stamp: string | null): readonly string[] {
  const submitted = textsOf(payload);
  const structure = structureSignals(submitted);
  const others = [
    ...blockedWordSignals(submitted, form.blockedWords),
    ...repeatSignals(deps, form, submitted),
    ...stampSignals(deps, form, stamp),
  ];
  // What is known of the structure is in the judgement of the words already, and must not count twice.
  const weight = Math.max(weightOf(structure), weightOfWording(submitted, structure)) + weightOf(others);
  if (weight < SPAM_THRESHOLD) return [];
  return [...structure, ...wordingSignals(submitted, structure), ...others]
    .sort((a, b) => b.weight - a.weight)
    .map(({ reason }) => reason);
}

function weightOf(evidence: readonly Signal[]): number {
  return evidence.reduce((sum, { weight }) => sum + weight, 0);
}
