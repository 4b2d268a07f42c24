import type { Form } from '../../domain/form.ts';
import type { Payload } from '../../domain/submission.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Vault } from '../../vault/vault.ts';
import { blockedWordEvidence } from './blocked-words.ts';
import { ENOUGH, type Evidence } from './evidence.ts';
import { gibberishEvidence } from './gibberish.ts';
import { linkEvidence } from './links.ts';
import { offerEvidence } from './offers.ts';
import { probeEvidence } from './probes.ts';
import { type Repeats, repeatEvidence } from './repeats.ts';
import { samenessEvidence } from './sameness.ts';
import { scriptEvidence } from './scripts.ts';
import { stampEvidence } from './stamp.ts';
import { textsOf } from './text.ts';

type Keeper = Readonly<{ vault: Vault; clock: Clock; repeats: Repeats }>;

/**
 * Why a submission is spam, in words for the owner, the heaviest first; none if it is not. Only its contents are looked at,
 * here, and only what is strong by itself or several signs together are enough. `stamp` is the signed time that came along.
 */
export function spamReasons(keeper: Keeper, form: Form, payload: Payload, stamp: string | null): readonly string[] {
  const submitted = textsOf(payload);
  const evidence: Evidence[] = [
    ...blockedWordEvidence(submitted, form.blockedWords),
    ...linkEvidence(submitted),
    ...scriptEvidence(submitted),
    ...gibberishEvidence(submitted),
    ...samenessEvidence(submitted),
    ...probeEvidence(submitted),
    ...offerEvidence(submitted),
    ...repeatEvidence(keeper, form, payload, submitted),
    ...stampEvidence(keeper, form, stamp),
  ];
  const total = evidence.reduce((sum, { weight }) => sum + weight, 0);
  if (total < ENOUGH) return [];
  return evidence.sort((a, b) => b.weight - a.weight).map(({ reason }) => reason);
}
