import type { Form } from '../../domain/form.ts';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import { Campaigns } from './campaigns.ts';
import { CHAR_CLASS } from './char-classes.ts';
import { addSighting, newSightings, type RepeatCounts, type Sightings } from './sightings.ts';
import type { Signal } from './signal.ts';
import type { SubmittedText } from './text.ts';
import { endOfLink, isLetter, isLinkStart } from './words.ts';

const TTL = DAY;
/** Limit for each of the two generations; together they take about 6 MB. */
const MAX_TEXTS = 10_000;
/** In-memory record of the texts of the last day with their forms and senders, as irreversible fingerprints. */
export class Repeats {
  #current = new Map<number, Sightings>();
  #previous = new Map<number, Sightings>();
  /** Similar texts. */
  readonly campaigns = new Campaigns();
  /** A secret of this process, so that fingerprints can't be computed elsewhere. */
  readonly #seed = crypto.getRandomValues(new Int32Array(1))[0] ?? 0;

  /**
   * Records a text and returns its counts. `identities` are fingerprints of the sender's addresses and names.
   */
  record(fingerprint: number, form: string, identities: readonly number[], now: Micros): RepeatCounts {
    const existing = this.#current.get(fingerprint) ?? this.#previous.get(fingerprint);
    const isFresh = existing !== undefined && existing.at > now - TTL;
    const text = isFresh ? existing : newSightings(now);
    if (this.#current.size >= MAX_TEXTS) {
      this.#previous = this.#current;
      this.#current = new Map();
    }
    this.#current.set(fingerprint, text);
    return addSighting(text, form, identities, now);
  }

  /** Returns fingerprints of the longest sentences of at least `MIN_LETTERS`. `text` must be lowercase. */
  sentenceFingerprints(text: string): number[] {
    const lengths = new Map<number, number>();
    const hash = new Fingerprint(this.#seed);
    const finish = () => {
      if (hash.length >= MIN_LETTERS) lengths.set(hash.value, hash.length);
      hash.clear();
    };
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isLetter(code)) {
        if (isLinkStart(text, at)) at = endOfLink(text, at) - 1;
        else hash.add(code);
      } else if (endsSentence(code)) finish();
    }
    finish();
    const longest = [...lengths].sort(([, a], [, b]) => b - a).slice(0, MAX_SENTENCES);
    return longest.map(([value]) => value);
  }

  fingerprint(value: string): number {
    const hash = new Fingerprint(this.#seed);
    for (let at = 0; at < value.length; at++) hash.add(value.charCodeAt(at));
    return hash.value;
  }
}

/** A seeded 53-bit hash made of two multiplicative hashes: fast, and not reversible without the seed. */
class Fingerprint {
  length = 0;
  #one: number;
  #other: number;

  constructor(private readonly seed: number) {
    this.#one = seed;
    this.#other = ~seed;
  }

  add(code: number): void {
    this.#one = Math.imul(this.#one ^ code, 0x01000193);
    this.#other = Math.imul(this.#other + code, 0x9e3779b1) ^ (this.#other >>> 15);
    this.length += 1;
  }

  get value(): number {
    return (this.#one >>> 0) * 0x20_0000 + (this.#other >>> 11);
  }

  clear(): void {
    this.#one = this.seed;
    this.#other = ~this.seed;
    this.length = 0;
  }
}

type Deps = Readonly<{ clock: Clock; repeats: Repeats }>;

/** Letters from which two equal sentences are no coincidence. */
const MIN_LETTERS = 40;
const MAX_SENTENCES = 4;
const MAX_IDENTITY_LENGTH = 200;
const MAX_IDENTITIES = 8;
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,120}$/;

/** More forms than a person fills in with the same text. */
const TOO_MANY_FORMS = 6;

/**
 * Finds sentences, or texts with changed names, numbers, links and words, that several senders sent to several forms.
 * One person applying in three places, or many people signing one petition, is no signal. `isSuspect` is false for texts
 * unlike spam, for which changed texts are not sought, since that takes time.
 */
export function repeatSignals(
  { clock, repeats }: Deps,
  form: Form,
  submitted: SubmittedText,
  isSuspect: boolean,
): Signal[] {
  const { value } = submitted.message;
  if (value.length < MIN_LETTERS) return [];
  const sentences = repeats.sentenceFingerprints(value);
  const now = clock();
  const identities = senderIdentities(submitted).map((identity) => repeats.fingerprint(identity));
  const similar = isSuspect ? repeats.campaigns.record(value, form.id, identities, now) : null;
  const counts = sentences.map((sentence) => repeats.record(sentence, form.id, identities, now));
  const pairs = Math.max(...counts.map(pairsOf));
  if (pairs >= 2) {
    return [{ weight: pairs >= 4 ? 80 : 60, reason: `the same text from at least ${pairs} senders on as many forms` }];
  }
  const similarPairs = similar === null ? 0 : pairsOf(similar);
  if (similarPairs >= 3) {
    const reason = `much the same text from at least ${similarPairs} senders on as many forms`;
    return [{ weight: similarPairs >= 5 ? 80 : 60, reason }];
  }
  const forms = Math.max(...counts.map((count) => count.forms));
  return forms >= TOO_MANY_FORMS ? [{ weight: 40, reason: `the same text on at least ${forms} forms` }] : [];
}

function pairsOf({ forms, senders }: RepeatCounts): number {
  return Math.min(forms, senders);
}

/** Returns the values that identify a sender: email addresses and names. */
function senderIdentities({ fields }: SubmittedText): string[] {
  return fields
    .filter(({ text }) => text.length <= MAX_IDENTITY_LENGTH)
    .filter(
      ({ isNameField, charClasses, value }) => isNameField || (charClasses & CHAR_CLASS.at && ADDRESS.test(value)),
    )
    .slice(0, MAX_IDENTITIES)
    .map(({ value }) => value);
}

/** Returns whether a character is a period, question or exclamation mark (ASCII or CJK), or a line feed. */
function endsSentence(code: number): boolean {
  return (
    code === 0x2e ||
    code === 0x21 ||
    code === 0x3f ||
    code === 0x0a ||
    code === 0x3002 ||
    code === 0xff01 ||
    code === 0xff1f
  );
}
