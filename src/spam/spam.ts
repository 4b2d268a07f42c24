import type { Form } from '../domain/forms/form.ts';
import type { SpamClass } from '../domain/spam/spam.ts';
import type { Payload } from '../domain/submissions/submission.ts';
import type { Clock } from '../lib/clock.ts';
import type { Vault } from '../vault/vault.ts';
import { disposableSignals } from './disposable.ts';
import type { FormMemory } from './form-memory.ts';
import { repeatSignals } from './repeats.ts';
import { DOUBT_THRESHOLD, MAYBE_SPAM_THRESHOLD, type Signal, SPAM_THRESHOLD } from './signal.ts';
import type { SpamMemory } from './spam-memory.ts';
import { stampSignals } from './stamp.ts';
import { structureSignals } from './structure.ts';
import type { TeamModel } from './team-model.ts';
import { extractText, normalizedWords, type SubmittedText } from './text.ts';
import { contentWeight, readAgain, readWording, wordingSignals } from './wording.ts';

/**
 * The class of a submission, and the reasons for it in words for the owner, heaviest first; none if it is genuine.
 * `isDoubtful` is true for spam, possible spam, and what is a little like it.
 */
export type Verdict = Readonly<{ class: SpamClass; isDoubtful: boolean; reasons: readonly string[] }>;

/** Score of the wording up to which a text is unlike spam, as that of most genuine messages. */
const UNLIKE_SPAM = -0.5;

/**
 * Judges a submission by its content alone and sends nothing elsewhere. `stamp` is the page's signed time, null for
 * none; `team` is what the team's filter learned, and `memory` what was flagged on the form, null for nothing.
 */
export function judge(
  deps: Readonly<{ vault: Vault; clock: Clock; spamMemory: Pick<SpamMemory, 'repeats' | 'stamped'> }>,
  form: Form,
  payload: Payload,
  stamp: string | null,
  team: TeamModel | null = null,
  memory: FormMemory | null = null,
): Verdict {
  const { vault, clock, spamMemory } = deps;
  const submitted = extractText(payload);
  const reading = readWording(submitted);
  const structure = structureSignals(submitted, reading.totals);
  // The second reading takes the place of the first one's features.
  const learned = team?.weightOf(reading.features.hashes) ?? 0;
  const close = readAgain(submitted, reading);
  const otherSignals = [
    ...blockedWordSignals(submitted, form.blockedWords),
    ...repeatSignals({ clock, repeats: spamMemory.repeats }, form, submitted, reading.score > UNLIKE_SPAM),
    ...stampSignals({ vault, clock, stamped: spamMemory.stamped }, form, stamp),
    ...disposableSignals(submitted),
    ...(memory?.signals(submitted, form) ?? []),
  ];
  const content = contentWeight(close ?? reading, structure) + learned;
  const weight = Math.max(0, content) + otherSignals.reduce((sum, { weight }) => sum + weight, 0);
  const isDoubtful = weight >= DOUBT_THRESHOLD;
  if (weight < MAYBE_SPAM_THRESHOLD) return { class: 'genuine', isDoubtful, reasons: [] };
  const wording = close ? wordingSignals(close) : [];
  const loweredBy = team?.loweredBy ?? 0;
  const learnedOnes = learnedSignals(learned, loweredBy);
  const signals = [...structure, ...wording, ...otherSignals, ...learnedOnes];
  return {
    // A lowered threshold makes messages suspect, and flags none.
    class: weight - loweredBy < SPAM_THRESHOLD ? 'maybe' : 'spam',
    isDoubtful,
    reasons: signals.sort((a, b) => b.weight - a.weight).map(({ reason }) => reason),
  };
}

function learnedSignals(weight: number, loweredBy: number): Signal[] {
  if (weight > loweredBy) return [{ weight, reason: 'similar to messages that your team marked as spam' }];
  return weight > 0 ? [{ weight, reason: 'unlike the genuine messages of your team' }] : [];
}

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Returns a signal at the threshold for each blocked word of the form that the submission contains as a whole word. */
function blockedWordSignals(submitted: SubmittedText, blocked: readonly string[]): Signal[] {
  if (blocked.length === 0) return [];
  const text = normalizedWords(submitted.all);
  const matches = blocked.filter((word) => {
    const words = normalizedWords(word);
    return text.includes(UNSPACED.test(word) ? words.trim() : words);
  });
  return matches.map((word) => ({ weight: SPAM_THRESHOLD, reason: `the blocked word “${word}”` }));
}
