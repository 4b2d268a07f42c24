import type { Form } from '../../domain/form.ts';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import { CHAR_CLASS } from './char-classes.ts';
import type { Signal } from './signal.ts';
import type { SubmittedText } from './text.ts';

/** How often a text came, and from how many different forms and senders. */
export type Repeat = Readonly<{ forms: number; senders: number }>;

type Seen = { at: Micros; forms: string[]; senders: number; known: number[] };

const LIFE = DAY;
/** Of the younger and the older half each; so many take some 3 MB. */
const MAX_TEXTS = 10_000;
/** More would tell nothing more. */
const MAX_NOTED = 10;

/** Remembers for a day, in memory alone, which texts came from where: as fingerprints, from which no text can be had. */
export class Repeats {
  #young = new Map<number, Seen>();
  #old = new Map<number, Seen>();
  /** No one knows it and it ends with the process. */
  readonly #seed = crypto.getRandomValues(new Int32Array(1))[0] ?? 0;

  /** Notes one more text of a sender who goes by these names, and is another one if none of them came before. */
  note(fingerprint: number, form: string, names: readonly number[], now: Micros): Repeat {
    const before = this.#young.get(fingerprint) ?? this.#old.get(fingerprint);
    const seen = before && before.at > now - LIFE ? before : { at: now, forms: [], senders: 0, known: [] };
    if (this.#young.size >= MAX_TEXTS) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(fingerprint, seen);
    seen.at = now;
    if (seen.forms.length < MAX_NOTED && !seen.forms.includes(form)) seen.forms.push(form);
    if (seen.senders < MAX_NOTED) {
      if (!names.some((name) => seen.known.includes(name))) seen.senders += 1;
      for (const name of names) if (!seen.known.includes(name)) seen.known.push(name);
    }
    return { forms: seen.forms.length, senders: seen.senders };
  }

  /** The fingerprints of its longest sentences, if any is long enough. `text` in small letters. */
  sentencesOf(text: string): number[] {
    const found = new Map<number, number>();
    const hash = new Fingerprint(this.#seed);
    const finish = () => {
      if (hash.length >= MIN_LETTERS) found.set(hash.value, hash.length);
      hash.clear();
    };
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isLetter(code)) {
        if (code === LETTER_H && startsLink(text, at)) at = endOfLink(text, at) - 1;
        else hash.add(code);
      } else if (endsSentence(code)) finish();
    }
    finish();
    const longest = [...found].sort(([, a], [, b]) => b - a).slice(0, MAX_SENTENCES);
    return longest.map(([value]) => value);
  }

  nameOf(value: string): number {
    const hash = new Fingerprint(this.#seed);
    for (let at = 0; at < value.length; at++) hash.add(value.charCodeAt(at));
    return hash.value;
  }
}

/** 53 bits made of two multiplicative hashes under a seed: fast, and tells nothing of the text. */
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

/** Sentences this long are not met with by chance. */
const MIN_LETTERS = 40;
const MAX_SENTENCES = 4;
const MAX_NAME = 200;
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,120}$/;

/** As many forms as no person fills in with the same text. */
const TOO_MANY_FORMS = 6;

/**
 * The same sentences from several senders on several forms. One person may apply in three places, and many may sign the
 * same petition in one: neither is a sign.
 */
export function repeatSignals({ clock, repeats }: Deps, form: Form, submitted: SubmittedText): Signal[] {
  const sentences = repeats.sentencesOf(submitted.message.value);
  if (sentences.length === 0) return [];
  const now = clock();
  const names = namesOf(submitted).map((name) => repeats.nameOf(name));
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
    .filter(({ text }) => text.length <= MAX_NAME)
    .filter(({ asksName, marks, value }) => asksName || (marks & CHAR_CLASS.at && ADDRESS.test(value)))
    .map(({ value }) => value);
}

const LETTER_H = 'h'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);

function startsLink(text: string, at: number): boolean {
  return text.startsWith('http', at) && (text.startsWith('://', at + 4) || text.startsWith('s://', at + 4));
}

/** Another address makes no other text. */
function endOfLink(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) > SPACE) at += 1;
  return at;
}

/** Full stops, question and exclamation marks, also of Chinese and Japanese, and ends of lines. */
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

/** Of ASCII in small letters; beyond it all but signs and punctuation. */
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
