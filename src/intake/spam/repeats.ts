import type { Form } from '../../domain/form.ts';
import type { Payload } from '../../domain/submission.ts';
import { type Clock, HOUR, type Micros } from '../../lib/clock.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Evidence } from './evidence.ts';
import type { SubmittedText } from './text.ts';

/** How often a text came, and from how many different forms and senders. */
export type Repeat = Readonly<{ forms: number; senders: number }>;

type Seen = { at: Micros; forms: Set<string>; senders: Set<string> };

const LIFE = 24 * HOUR;
const MAX_TEXTS = 50_000;
/** More would tell nothing more. */
const MAX_NOTED = 10;

/** Remembers for a day, in memory alone, which texts came from where: as fingerprints, from which no text can be had. */
export class Repeats {
  readonly #seen = new Map<string, Seen>();

  /** Notes one more; the answer counts it. */
  note(text: string, form: string, sender: string, now: Micros): Repeat {
    const before = this.#seen.get(text);
    const seen =
      before && before.at > now - LIFE ? before : { at: now, forms: new Set<string>(), senders: new Set<string>() };
    // Put at the end: the map stays in order of the last time, and the first is the one to forget.
    this.#seen.delete(text);
    this.#seen.set(text, seen);
    seen.at = now;
    if (seen.forms.size < MAX_NOTED) seen.forms.add(form);
    if (seen.senders.size < MAX_NOTED) seen.senders.add(sender);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_TEXTS && oldest !== undefined) this.#seen.delete(oldest);
    return { forms: seen.forms.size, senders: seen.senders.size };
  }
}

type Keeper = Readonly<{ vault: Vault; clock: Clock; repeats: Repeats }>;

/** Sentences this long are not met with by chance. */
const MIN_LETTERS = 40;
const MAX_SENTENCES = 4;

/**
 * The same sentences from several senders on several forms. One person may apply in three places, and many may sign the
 * same petition in one: neither is a sign.
 */
export function repeatEvidence(
  { vault, clock, repeats }: Keeper,
  form: Form,
  payload: Payload,
  { message }: SubmittedText,
): Evidence[] {
  const sentences = longSentences(message);
  if (sentences.length === 0) return [];
  const now = clock();
  const [, email] = payload.find(([name]) => name === 'email') ?? payload[0] ?? [];
  const sender = vault.fingerprint('sender', JSON.stringify(email ?? null));
  const found = sentences
    .map((sentence) => repeats.note(vault.fingerprint('sentence', sentence), form.id, sender, now))
    .filter(({ forms, senders }) => forms >= 2 && senders >= 2);
  const most = Math.max(0, ...found.map(({ forms, senders }) => Math.min(forms, senders)));
  if (most < 2) return [];
  return [{ weight: most >= 4 ? 80 : 60, reason: `the same text came from ${most} senders or more, on as many forms` }];
}

/** The longest sentences, letters alone, so that another number, name or address makes no other text. */
function longSentences(message: string): string[] {
  const sentences = message
    .split(/[.!?。！？\n]+\s*/)
    .map((sentence) =>
      sentence
        .toLowerCase()
        .replace(/(?:https?:\/\/|www\.)\S+/g, '')
        .replace(/[^\p{L}\p{M}]+/gu, ''),
    )
    .filter((sentence) => sentence.length >= MIN_LETTERS);
  return [...new Set(sentences)].sort((a, b) => b.length - a.length).slice(0, MAX_SENTENCES);
}
