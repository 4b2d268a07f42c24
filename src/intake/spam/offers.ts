import type { Evidence } from './evidence.ts';
import { type Folded, Lexicon } from './lexicon.ts';
import { TOPICS } from './vocabulary/index.ts';
import { ANSWERS, ENQUIRIES, MANNERS, REPORTS } from './vocabulary/pitch.ts';

/** A topic only beside a link: praise alone is praise. */
const PRAISE = 'praise for the sake of a link';

type Voice = 'report' | 'enquiry' | 'answer';

/** Weighed against the rest, and never shown; by how often it is heard. */
const IN_FAVOUR: Readonly<Record<Voice, Readonly<{ first: number; further: number; most: number; reason: string }>>> = {
  report: { first: 56, further: 20, most: 96, reason: 'it tells of spam or fraud' },
  answer: { first: 50, further: 14, most: 64, reason: 'it answers what was asked for' },
  enquiry: { first: 30, further: 16, most: 62, reason: 'it asks as a customer does' },
};

type Word = Readonly<{ topic: string; weight: number; isTelling: boolean }>;

const WEIGHTS = { phrase: 34, word: 20, addressed: 14, hint: 8 };
/** A thing of whoever is written to: customers speak of these as well. */
const ADDRESSED =
  /^(?:your|ihre?|su|sus|tus?|votre|vos|seus?|suas?|(?:il|la|i|le) (?:tuo|tua|tuoi|tue|suo|sua|suoi|sue|vostr[oiae])|uw|je|jullie|twoj[ae]|twój|państwa|vaš[ea]?|váš|din|ditt|dina|dit|ваш[аеи]?|вашего|вашей) \S+$/i;
/** More phrases of one topic than two are worth less each. */
const FURTHER = 1 / 3;
/** What words alone may weigh: in one topic, and what is added by others. */
const MOST = { telling: 92, hints: 16, others: 16 };

/** In a long letter some phrases stand by chance: so many words for one. */
const CHANCE = { phrase: 200, manner: 100 };

const WORDS = new Lexicon<Word>(
  TOPICS.flatMap(({ name, telling, hinting }) => {
    const word = (phrase: string, isTelling: boolean) =>
      [phrase, { topic: name, weight: weightOf(phrase, isTelling), isTelling }] as const;
    const told = new Set(telling);
    return [
      ...[...told].map((phrase) => word(phrase, true)),
      ...[...new Set(hinting)].filter((phrase) => !told.has(phrase)).map((phrase) => word(phrase, false)),
    ];
  }),
);
const PITCH = new Lexicon(
  MANNERS.flatMap((manner) => [...new Set(manner.phrases)].map((phrase) => [phrase, { manner, phrase }] as const)),
);
const VOICES = new Lexicon(
  (
    [
      ['report', REPORTS],
      ['enquiry', ENQUIRIES],
      ['answer', ANSWERS],
    ] as const
  ).flatMap(([voice, some]) => [...new Set(some)].map((phrase) => [phrase, { voice }] as const)),
);

/** Talk of someone who sells what was not asked for. A customer may ask about any of these things, and a few words are none. */
export function topicEvidence(text: Folded, isLinked: boolean): Evidence[] {
  const found = [...WORDS.find(text)].filter(({ topic }) => isLinked || topic !== PRAISE);
  const chance = Math.floor(text.words.length / CHANCE.phrase) * WEIGHTS.phrase;
  const topics = [...new Set(found.map(({ topic }) => topic))].map((topic) => {
    const own = found.filter((word) => word.topic === topic);
    const sum = (isTelling: boolean) => Math.max(0, total(own.filter((word) => word.isTelling === isTelling)) - chance);
    const weight = tellingWeight(sum(true)) + Math.min(MOST.hints, sum(false));
    return { topic, weight, count: own.length };
  });
  const [first, ...others] = topics.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  if (!first) return [];
  const signs = [{ weight: first.weight, reason: `words of unasked offers (${first.count}): ${first.topic}` }];
  const besides = Math.min(MOST.others, Math.floor(total(others) / 3));
  if (besides >= 8)
    signs.push({ weight: besides, reason: `words of other offers: ${others.map(({ topic }) => topic).join(', ')}` });
  return signs;
}

/** How it is said: not what a customer says, whatever the topic. */
export function pitchEvidence(text: Folded): Evidence[] {
  const found = [...PITCH.find(text)];
  const chance = Math.floor(text.words.length / CHANCE.manner);
  return MANNERS.map(({ reason, weight, most }) => {
    const count = found.filter(({ manner }) => manner.reason === reason).length - chance;
    return { weight: Math.min(most, count * weight), reason };
  }).filter(({ weight }) => weight > 0);
}

/** What speaks for a customer: they use the same words, but ask, or tell of spam. */
export function voiceEvidence(text: Folded): Evidence[] {
  const found = [...VOICES.find(text)];
  return (Object.keys(IN_FAVOUR) as Voice[]).flatMap((voice) => {
    const count = found.filter((one) => one.voice === voice).length;
    const { first, further, most, reason } = IN_FAVOUR[voice];
    return count > 0 ? [{ weight: -Math.min(most, first + (count - 1) * further), reason }] : [];
  });
}

function weightOf(phrase: string, isTelling: boolean): number {
  if (!isTelling) return WEIGHTS.hint;
  if (ADDRESSED.test(phrase)) return WEIGHTS.addressed;
  return phrase.includes(' ') || phrase.length >= 12 ? WEIGHTS.phrase : WEIGHTS.word;
}

function tellingWeight(sum: number): number {
  const first = 72;
  return Math.round(Math.min(MOST.telling, Math.min(sum, first) + Math.max(0, sum - first) * FURTHER));
}

function total(some: ReadonlyArray<{ weight: number }>): number {
  return some.reduce((sum, { weight }) => sum + weight, 0);
}
