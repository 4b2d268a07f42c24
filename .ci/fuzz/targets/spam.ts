import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { Payload } from '../../../src/domain/submissions/submission.ts';
import { judge } from '../../../src/spam/spam.ts';
import { SpamMemory } from '../../../src/spam/spam-memory.ts';
import { startInstance } from '../../../test/support/instance.ts';
import { NAMES, VALUES } from '../hostile.ts';
import { mutatedText } from '../mutations.ts';
import type { Choices, Prng } from '../prng.ts';
import type { Target } from '../target.ts';

/** Pieces that begin links, markup, quotations, headers and words of several alphabets. */
const PIECES: Choices<string> = [
  ...(['a', 'a.', 'a.b/', '@', 'a@b.', 'http://', 'https://t.me/', 'www.', '<a ', '[url=', '{a|b}', '%', '#'] as const),
  ...(['«', '»', '"', "'", '„', '「', '> ', 'From: x\n', 'Subject: y\n', '\n', '\u200b', '\u0301', '\ufeff'] as const),
  ...([
    '日本',
    'ไทย',
    'пр',
    'αβ',
    'aП',
    '😀',
    '\ud83d',
    '\udc00',
    '١٢',
    '１２',
    'fJkdQ',
    'asdf',
    '$5',
    '5 €',
    ' ',
  ] as const),
];

export const spam: Target = {
  name: 'spam',
  about: 'the spam filter judges every text, the same way twice, and names reasons only for what it marks',
  inputs: 1_000_000,
  open: async () => {
    const instance = await startInstance();
    const { context, owner } = instance;
    const judged = (payload: Payload) =>
      judge({ ...context, spamMemory: new SpamMemory(context) }, owner.form, payload, null);
    return {
      check: (prng) => {
        const payload = randomPayload(prng);
        const verdict = judged(payload);
        strictEqual(verdict.class === 'genuine', verdict.reasons.length === 0);
        ok(verdict.reasons.every((reason) => reason.length > 0 && reason.length < 5_000));
        deepStrictEqual(judged(payload), verdict);
        return verdict.class;
      },
      close: async () => {
        await instance.stop();
        return [];
      },
    };
  },
};

function randomPayload(prng: Prng): Payload {
  return prng.list(4, () => [prng.oneIn(3) ? 'name' : prng.pick(NAMES), randomText(prng)] as const);
}

function randomText(prng: Prng): string {
  if (prng.oneIn(4)) return mutatedText(prng.pick(VALUES), prng, 1 + prng.below(3), VALUES);
  const piece = prng.pick(PIECES);
  if (prng.oneIn(2_000)) return piece.repeat(20_000);
  if (prng.oneIn(3)) return piece.repeat(1 + prng.below(60));
  return prng.list(40, () => prng.pick(PIECES)).join(prng.oneIn(2) ? ' ' : '');
}
