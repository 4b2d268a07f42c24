import type { Form } from '../../domain/form.ts';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import type { Evidence } from './evidence.ts';
import { NAME_FIELD } from './links.ts';
import type { SubmittedText } from './text.ts';

/** How often a text came, and from how many different forms and senders. */
export type Repeat = Readonly<{ forms: number; senders: number }>;

type Seen = { at: Micros; forms: Set<string>; senders: number; known: Set<bigint> };

const LIFE = DAY;
const MAX_TEXTS = 50_000;
/** More would tell nothing more. */
const MAX_NOTED = 10;

/** Remembers for a day, in memory alone, which texts came from where: as fingerprints, from which no text can be had. */
export class Repeats {
  readonly #seen = new Map<bigint, Seen>();
  readonly #seed = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;

  /** Notes one more; the answer counts it. A sender goes by several names, and is another one if none came before. */
  note(text: string, form: string, names: readonly string[], now: Micros): Repeat {
    const key = this.#hash(text);
    const before = this.#seen.get(key);
    const seen =
      before && before.at > now - LIFE
        ? before
        : { at: now, forms: new Set<string>(), senders: 0, known: new Set<bigint>() };
    // Put at the end: the map stays in order of the last time, and the first is the one to forget.
    this.#seen.delete(key);
    this.#seen.set(key, seen);
    seen.at = now;
    if (seen.forms.size < MAX_NOTED) seen.forms.add(form);
    if (seen.senders < MAX_NOTED) {
      const known = names.map((name) => this.#hash(name));
      if (!known.some((name) => seen.known.has(name))) seen.senders += 1;
      for (const name of known) seen.known.add(name);
    }
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_TEXTS && oldest !== undefined) this.#seen.delete(oldest);
    return { forms: seen.forms.size, senders: seen.senders };
  }

  /** Under a seed that no one knows and that ends with the process: fast, and tells nothing of the text. */
  #hash(text: string): bigint {
    return Bun.hash.wyhash(text, this.#seed);
  }
}

type Keeper = Readonly<{ clock: Clock; repeats: Repeats }>;

/** Sentences this long are not met with by chance. */
const MIN_LETTERS = 40;
const MAX_SENTENCES = 4;
const MAX_NAME = 200;
const ADDRESS = /^\s*[^\s@]{1,64}@[^\s@]{1,120}\s*$/;

/** As many forms as no person fills in with the same text. */
const TOO_MANY_FORMS = 6;

/**
 * The same sentences from several senders on several forms. One person may apply in three places, and many may sign the
 * same petition in one: neither is a sign.
 */
export function repeatEvidence({ clock, repeats }: Keeper, form: Form, submitted: SubmittedText): Evidence[] {
  const sentences = longSentences(submitted.message);
  if (sentences.length === 0) return [];
  const now = clock();
  const names = namesOf(submitted);
  const found = sentences.map((sentence) => repeats.note(sentence, form.id, names, now));
  const most = Math.max(...found.map(({ forms, senders }) => Math.min(forms, senders)));
  if (most >= 2) {
    return [
      { weight: most >= 4 ? 80 : 60, reason: `the same text came from ${most} senders or more, on as many forms` },
    ];
  }
  const forms = Math.max(...found.map((repeat) => repeat.forms));
  return forms >= TOO_MANY_FORMS ? [{ weight: 40, reason: `the same text came to ${forms} forms or more` }] : [];
}

/** What a sender goes by: addresses and names. */
function namesOf({ fields }: SubmittedText): string[] {
  return fields
    .filter(({ name, text }) => text.length <= MAX_NAME && (NAME_FIELD.test(name) || ADDRESS.test(text)))
    .map(({ text }) => text.trim().toLowerCase());
}

/** The longest sentences, letters alone, so that another number, name or address makes no other text. */
function longSentences(message: string): string[] {
  if (message.length < MIN_LETTERS) return [];
  const small = message.toLowerCase();
  const others = /^[\x20-\x7e\s]*$/.test(small) ? /[^a-z]+/g : /[^\p{L}\p{M}]+/gu;
  const sentences = small
    .split(/[.!?。！？\n]+\s*/)
    .map((sentence) => sentence.replace(/(?:https?:\/\/|www\.)\S+/g, '').replace(others, ''))
    .filter((sentence) => sentence.length >= MIN_LETTERS);
  return [...new Set(sentences)].sort((a, b) => b.length - a.length).slice(0, MAX_SENTENCES);
}
