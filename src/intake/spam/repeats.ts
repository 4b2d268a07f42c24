import type { Form } from '../../domain/form.ts';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import { CHAR_CLASS } from './char-classes.ts';
import type { Signal } from './signal.ts';
import type { SubmittedText } from './text.ts';

/** Numbers of distinct forms and senders that a text was seen with. */
export type RepeatCounts = Readonly<{ forms: number; senders: number }>;

type TextRecord = { at: Micros; forms: string[]; senders: number; identities: number[] };

const TTL = DAY;
/** Limit for each of the two generations; together they take about 6 MB. */
const MAX_TEXTS = 10_000;
/** Limit of the counts: higher ones make no difference. */
const MAX_COUNTED = 10;

/** In-memory record of the texts of the last day with their forms and senders, as irreversible fingerprints. */
export class Repeats {
  #current = new Map<number, TextRecord>();
  #previous = new Map<number, TextRecord>();
  /** A secret of this process, so that fingerprints can't be computed elsewhere. */
  readonly #seed = crypto.getRandomValues(new Int32Array(1))[0] ?? 0;

  /**
   * Records a text and returns its counts. `identities` are fingerprints of the sender's addresses and names; a sender
   * is new if none of them was seen with this text.
   */
  record(fingerprint: number, form: string, identities: readonly number[], now: Micros): RepeatCounts {
    const existing = this.#current.get(fingerprint) ?? this.#previous.get(fingerprint);
    const isFresh = existing !== undefined && existing.at > now - TTL;
    const text: TextRecord = isFresh ? existing : { at: now, forms: [], senders: 0, identities: [] };
    if (this.#current.size >= MAX_TEXTS) {
      this.#previous = this.#current;
      this.#current = new Map();
    }
    this.#current.set(fingerprint, text);
    text.at = now;
    if (text.forms.length < MAX_COUNTED && !text.forms.includes(form)) text.forms.push(form);
    if (text.senders < MAX_COUNTED) {
      if (!identities.some((identity) => text.identities.includes(identity))) text.senders += 1;
      for (const identity of identities) if (!text.identities.includes(identity)) text.identities.push(identity);
    }
    return { forms: text.forms.length, senders: text.senders };
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
        if (code === LETTER_H && isLinkStart(text, at)) at = endOfLink(text, at) - 1;
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
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,120}$/;

/** More forms than a person fills in with the same text. */
const TOO_MANY_FORMS = 6;

/**
 * Finds sentences that several senders sent to several forms. One person applying in three places, or many people
 * signing one petition, is no signal.
 */
export function repeatSignals({ clock, repeats }: Deps, form: Form, submitted: SubmittedText): Signal[] {
  const sentences = repeats.sentenceFingerprints(submitted.message.value);
  if (sentences.length === 0) return [];
  const now = clock();
  const identities = senderIdentities(submitted).map((identity) => repeats.fingerprint(identity));
  const counts = sentences.map((sentence) => repeats.record(sentence, form.id, identities, now));
  const pairs = Math.max(...counts.map(({ forms, senders }) => Math.min(forms, senders)));
  if (pairs >= 2) {
    return [{ weight: pairs >= 4 ? 80 : 60, reason: `the same text from at least ${pairs} senders on as many forms` }];
  }
  const forms = Math.max(...counts.map((count) => count.forms));
  return forms >= TOO_MANY_FORMS ? [{ weight: 40, reason: `the same text on at least ${forms} forms` }] : [];
}

/** Returns the values that identify a sender: email addresses and names. */
function senderIdentities({ fields }: SubmittedText): string[] {
  return fields
    .filter(({ text }) => text.length <= MAX_IDENTITY_LENGTH)
    .filter(
      ({ isNameField, charClasses, value }) => isNameField || (charClasses & CHAR_CLASS.at && ADDRESS.test(value)),
    )
    .map(({ value }) => value);
}

const LETTER_H = 'h'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);

function isLinkStart(text: string, at: number): boolean {
  return text.startsWith('http', at) && (text.startsWith('://', at + 4) || text.startsWith('s://', at + 4));
}

/** Returns the end of a link. Links are left out of fingerprints, since spammers vary them. */
function endOfLink(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) > SPACE) at += 1;
  return at;
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

/** Returns whether a UTF-16 unit is a lowercase ASCII letter, or beyond ASCII no symbol, punctuation or surrogate. */
function isLetter(code: number): boolean {
  if (code < 128) return code >= 97 && code <= 122;
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  return !(
    (code >= 0x2000 && code < 0x2c00) ||
    (code >= 0x3000 && code <= 0x3040) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    code >= 0xfe00
  );
}
