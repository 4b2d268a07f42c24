import type { Form } from '../domain/forms/form.ts';
import { type Clock, DAY, type Micros } from '../lib/clock.ts';
import { Campaigns } from './campaigns.ts';
import { findSentences, fingerprint, MIN_LETTERS, sentenceFingerprint } from './sentences.ts';
import { addSighting, newSightings, type RepeatCounts, type Sightings } from './sightings.ts';
import type { Signal } from './signal.ts';
import type { SubmittedText } from './text.ts';

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
  readonly seed = crypto.getRandomValues(new Int32Array(1))[0] ?? 0;

  /** Records a text and returns its counts. `identities` are fingerprints of the sender's addresses and names. */
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
}

const MAX_IDENTITY_LENGTH = 200;
const MAX_IDENTITIES = 8;

/** More forms than a person fills in with the same text. */
const TOO_MANY_FORMS = 6;

/**
 * Finds sentences, or texts with changed names, numbers, links and words, that several senders sent to several forms.
 * One person applying in three places, or many people signing one petition, is no signal. `isSuspect` is false for texts
 * unlike spam, for which changed texts are not sought, since that takes time.
 */
export function repeatSignals(
  { clock, repeats }: Readonly<{ clock: Clock; repeats: Repeats }>,
  form: Form,
  submitted: SubmittedText,
  isSuspect: boolean,
): Signal[] {
  const { message } = submitted;
  if (message.text.length < MIN_LETTERS) return [];
  const sentences = findSentences(message.text);
  if (sentences === 0 && !isSuspect) return [];
  const now = clock();
  const identities = senderIdentities(submitted).map((identity) => fingerprint(identity, repeats.seed));
  let pairs = 0;
  let forms = 0;
  for (let index = 0; index < sentences; index++) {
    const fingerprint = sentenceFingerprint(message.text, index, repeats.seed);
    const counts = repeats.record(fingerprint, form.id, identities, now);
    pairs = Math.max(pairs, getPairs(counts));
    forms = Math.max(forms, counts.forms);
  }
  const similar = isSuspect ? repeats.campaigns.record(message.value, form.id, identities, now) : null;
  if (pairs >= 2) {
    return [{ weight: pairs >= 4 ? 80 : 60, reason: `the same text from at least ${pairs} senders on as many forms` }];
  }
  const similarPairs = similar === null ? 0 : getPairs(similar);
  if (similarPairs >= 3) {
    const reason = `much the same text from at least ${similarPairs} senders on as many forms`;
    return [{ weight: similarPairs >= 5 ? 80 : 60, reason }];
  }
  return forms >= TOO_MANY_FORMS ? [{ weight: 40, reason: `the same text on at least ${forms} forms` }] : [];
}

const getPairs = ({ forms, senders }: RepeatCounts): number => Math.min(forms, senders);

/** Returns the values that identify a sender: email addresses and names. */
function senderIdentities({ fields }: SubmittedText): string[] {
  const identities: string[] = [];
  for (const field of fields) {
    if (field.text.length > MAX_IDENTITY_LENGTH) continue;
    if (field.isNameField || field.address !== null) identities.push(field.value);
    if (identities.length === MAX_IDENTITIES) break;
  }
  return identities;
}
