import type { PayloadValue } from '../../src/domain/submissions/submission.ts';
import { digits, grouped, type Random, withCheckDigit } from '../../test/fast/domain/masking/support.ts';

const MIB = 2 ** 20;

/** Returns values of 1 MiB each, as text or JSON, that are as expensive as possible to mask. */
export function hostileValues(random: Random): Readonly<Record<string, PayloadValue>> {
  const card = () => withCheckDigit(`4${digits(random, 14)}`);
  return {
    prose: text(() => 'I would like more of your roof tiles, call 030 1234567 on 12.05.2024 please. '),
    'prose in Cyrillic': text(() => 'Здравствуйте, позвоните по номеру 030 1234567 до 12.05.2024, спасибо. '),
    'prose in Japanese': text(() => '屋根瓦について詳しく知りたいです。電話は０３０１２３４５６７。'),
    'one digit repeated': text(() => '1'),
    'random digits': text(() => digits(random, 1024)),
    'single digits with spaces': text(() => `${digits(random, 1)} `),
    'fours with spaces': text(() => `${digits(random, 4)} `),
    'groups with every separator': text(
      () =>
        digits(random, random.between(1, 5)) + random.pick(['', ' ', '\u00a0', '\u202f', '-', '–', '\u2011', '.', '/']),
    ),
    'digits of many scripts': text(() => random.pick(['１', '٢', '३', '4', '𝟓', '৬'])),
    'cards in one group': text(() => `${card()} `),
    'cards in fours': text(() => `${grouped(card(), [4, 4, 4, 4], ' ')},`),
    'old cards beside no word': text(() => `${withCheckDigit(`56${digits(random, 10)}`)},`),
    'cards with letters attached': text(() => `a${card()}b`),
    'social security numbers': text(() => '123-45-6789 '),
    'a chain of social security numbers': text(() => '123-45-6789-'),
    'social security numbers with a letter behind': text(() => '123-45-6789ß'),
    'heads of IBANs': text(() => 'DE12 '),
    'heads of the longest IBANs': text(() => 'MT12 '),
    'old cards between letters beyond ASCII': text(() => `ж${withCheckDigit(`4${digits(random, 11)}`)}`),
    'sums in a currency of letters': text(() => '4 EURO 4 2424 '),
    'JSON numbers of one digit': list(() => random.between(0, 9)),
    'JSON numbers of nine digits': list(() => 123_456_789),
    'JSON numbers of 13 digits': list(() => 4_222_222_222_222),
    'JSON numbers that are cards': list(() => Number(card())),
    'JSON texts of one digit': list(() => digits(random, 1)),
    'JSON texts that are cards': list(card),
    'empty JSON objects': list(() => ({})),
  };
}

function text(part: () => string): string {
  const parts: string[] = [];
  for (let length = 0; length < MIB; length += parts.at(-1)?.length ?? 0) parts.push(part());
  return parts.join('').slice(0, MIB);
}

function list(item: () => PayloadValue): PayloadValue {
  const items: PayloadValue[] = [];
  for (let length = 0; length < MIB; length += JSON.stringify(items.at(-1)).length + 1) items.push(item());
  return items;
}
