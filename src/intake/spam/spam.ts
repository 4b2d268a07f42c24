import type { Form } from '../../domain/form.ts';
import type { Payload } from '../../domain/submission.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Vault } from '../../vault/vault.ts';
import { blockedWordEvidence } from './blocked-words.ts';
import { contentEvidence } from './content.ts';
import { ENOUGH } from './evidence.ts';
import { type Repeats, repeatEvidence } from './repeats.ts';
import { stampEvidence } from './stamp.ts';
import { textsOf } from './text.ts';

type Keeper = Readonly<{ vault: Vault; clock: Clock; repeats: Repeats }>;

/**
 * Why a submission is spam, in words for the owner, the heaviest first; none if it is not. Only its contents are looked at,
 * here, and only what is strong by itself or several signs together are enough. `stamp` is the signed time that came along.
 */
export function spamReasons(keeper: Keeper, form: Form, payload: Payload, stamp: string | null): readonly string[] {
  const submitted = textsOf(payload);
  const evidence = [
    ...blockedWordEvidence(submitted, form.blockedWords),
    ...contentEvidence(submitted),
    ...repeatEvidence(keeper, form, submitted),
    ...stampEvidence(keeper, form, stamp),
  ];
  const total = evidence.reduce((sum, { weight }) => sum + weight, 0);
  if (total < ENOUGH) return [];
  return evidence
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ reason }) => reason);
}
