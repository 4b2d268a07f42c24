import type { Evidence } from './evidence.ts';
import { MASS_MAIL, OFFER_PHRASES } from './offer-phrases.ts';
import { type SubmittedText, wordsOf } from './text.ts';

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Each phrase as it is looked for: a whole word, or anywhere in scripts without spaces. */
const LOOKED_FOR = Object.entries(OFFER_PHRASES).map(([topic, phrases]) => ({
  topic,
  phrases: [...new Set(phrases)].map((phrase) => (UNSPACED.test(phrase) ? phrase : ` ${phrase} `)),
}));

/** Talk of someone who sells what was not asked for. One phrase is none; a customer may ask about any of these things. */
export function offerEvidence({ fields }: SubmittedText): Evidence[] {
  const words = wordsOf(fields.map(({ text }) => text).join(' '));
  const signs: Evidence[] = [];
  for (const { topic, phrases } of LOOKED_FOR) {
    const found = phrases.filter((phrase) => words.includes(phrase)).length;
    if (found === 0) continue;
    const weight = topic === MASS_MAIL ? Math.min(40, 12 * found) : Math.min(90, 25 * found + (found > 1 ? 10 : 0));
    signs.push({ weight, reason: `${found} phrases of unasked offers: ${topic}` });
  }
  return signs;
}
