import type { Form } from '../../domain/form.ts';
import type { Payload } from '../../domain/submission.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Vault } from '../../vault/vault.ts';
import { blockedWordEvidence } from './blocked-words.ts';
import { ENOUGH, type Evidence } from './evidence.ts';
import { type Repeats, repeatEvidence } from './repeats.ts';
import { stampEvidence } from './stamp.ts';
import { structureEvidence } from './structure.ts';
import { textsOf } from './text.ts';
import { weightOfWording, wordingEvidence } from './wording.ts';

type Keeper = Readonly<{ vault: Vault; clock: Clock; repeats: Repeats }>;

/**
 * Why a submission is spam, in words for the owner, the heaviest first; none if it is not. Only its contents are looked at,
 * here, and only what is strong by itself or several signs together are enough. `stamp` is the signed time that came along.
 */
export function spamReasons(keeper: Keeper, form: Form, payload: Payload, stamp: string | null): readonly string[] {
  const submitted = textsOf(payload);
  const structure = structureEvidence(submitted);
  const others = [
    ...blockedWordEvidence(submitted, form.blockedWords),
    ...repeatEvidence(keeper, form, submitted),
    ...stampEvidence(keeper, form, stamp),
  ];
  // What is known of the structure is in the judgement of the words already, and must not count twice.
  const weight = Math.max(weightOf(structure), weightOfWording(submitted, structure)) + weightOf(others);
  if (weight < ENOUGH) return [];
  return [...structure, ...wordingEvidence(submitted, structure), ...others]
    .sort((a, b) => b.weight - a.weight)
    .map(({ reason }) => reason);
}

function weightOf(evidence: readonly Evidence[]): number {
  return evidence.reduce((sum, { weight }) => sum + weight, 0);
}
