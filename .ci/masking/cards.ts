import type { PayloadValue } from '../../src/domain/submissions/submission.ts';
import { digits, grouped, type Random, withCheckDigit } from '../../test/fast/domain/masking/support.ts';
import { AMOUNTS, type Surroundings } from './surroundings.ts';

/** A text with a number, and the same text with the number masked. */
export type Case = Readonly<{ kind: string; text: string; masked: string }>;

/** Prefixes and card lengths of each brand. */
const BRANDS: ReadonlyArray<readonly [name: string, prefixes: readonly string[], lengths: readonly number[]]> = [
  ['Visa', ['4'], [16, 19]],
  ['Mastercard', ['51', '52', '53', '54', '55', '2221', '2300', '2599', '2720'], [16]],
  ['American Express', ['34', '37'], [15]],
  ['Diners Club', ['300', '305', '309', '36', '38', '39'], [14]],
  ['Diners Club', ['36'], [16, 17, 18, 19]],
  ['Discover', ['6011', '644', '649', '65', '622126', '622925'], [16, 17, 18, 19]],
  ['JCB', ['3528', '353', '356', '3589'], [16, 17, 18, 19]],
  ['JCB', ['1800', '2131'], [15]],
  ['UnionPay', ['62', '81'], [16, 17, 18, 19]],
  ['InterPayment', ['636'], [16, 17, 18, 19]],
  ['Maestro', ['5018', '5020', '5038', '5893', '6304', '6759', '6761', '6763', '676770'], [13, 14, 15, 16, 17, 18, 19]],
  ['Maestro', ['50', '56', '57', '58', '67', '6390'], [16, 17, 18, 19]],
  ['Mir', ['2200', '2204'], [16, 17, 18, 19]],
  ['RuPay', ['60', '65', '81', '82', '508', '353', '356'], [16]],
  ['Troy', ['65', '9792'], [16]],
  ['Verve', ['506099', '507865', '650002'], [16, 18, 19]],
  ['Elo', ['401178', '438935', '504175', '636297', '651652'], [16]],
  ['Hipercard', ['606282', '384100'], [16]],
  ['Hipercard', ['384100'], [19]],
  ['Dankort', ['5019', '4571'], [16]],
  ['Cartes Bancaires', ['4970', '5131'], [16]],
];

const SEPARATORS = [
  ...[
    '',
    ' ',
    '\u00a0',
    '\u202f',
    '\u2009',
    '\u3000',
    '\t',
    '  ',
    '-',
    '\u2010',
    '\u2011',
    '\u2012',
    '–',
    '—',
    '−',
    '－',
  ],
  ...['.', '·', '・', '/', '_', ' - ', ' – ', '\u200b', '\u00ad'],
];

const ZEROS = {
  ASCII: '0',
  fullwidth: '０',
  'Arabic-Indic': '٠',
  Persian: '۰',
  Devanagari: '०',
  Bengali: '০',
  Thai: '๐',
} as const;
const SCRIPTS = [
  'ASCII',
  'fullwidth',
  'Arabic-Indic',
  'Persian',
  'Devanagari',
  'Bengali',
  'Thai',
  'mathematical',
  'mixed',
] as const;

/** Generates each prefix, length and separator, in two groupings, within each of the texts from `around`. */
export function* cardCases(random: Random, around: () => readonly Surroundings[]): Generator<Case> {
  for (const [kind, prefixes, lengths] of BRANDS) {
    for (const prefix of prefixes) {
      for (const length of lengths) {
        for (const separator of SEPARATORS) {
          for (const surroundings of around()) {
            const groupings = groupingsOf(length, AMOUNTS.includes(surroundings), random);
            for (const grouping of [random.pick(groupings), random.pick(groupings)]) {
              const number = card(random, prefix, length);
              const masked = '*'.repeat(length - 4) + number.slice(-4);
              const beside =
                AMOUNTS.includes(surroundings) && hasLonger(number) ? ([surroundings[0], ''] as const) : surroundings;
              yield inText(kind, grouped(number, grouping, separator), masked, beside, random);
            }
          }
        }
      }
    }
  }
}

function hasLonger(number: string): boolean {
  return BRANDS.some(
    ([, prefixes, lengths]) =>
      prefixes.some((prefix) => number.startsWith(prefix)) && lengths.some((length) => length > number.length),
  );
}

/** Generates social security numbers with each separator. */
export function* ssnCases(random: Random, around: () => readonly Surroundings[]): Generator<Case> {
  for (const separator of SEPARATORS.filter((it) => /[^\p{Cf}]/u.test(it))) {
    for (const surroundings of around()) {
      const area = random.pick([random.between(1, 665), random.between(667, 899)]);
      const parts = [area, random.between(1, 99), random.between(1, 9999)].map(String);
      const [first = '', second = '', serial = ''] = parts.map((part, at) => part.padStart([3, 2, 4][at] ?? 0, '0'));
      yield inText('SSN', [first, second, serial].join(separator), `***-**-${serial}`, surroundings, random);
    }
  }
}

/** Generates a card number with a valid check digit. */
export function card(random: Random, prefix: string, length: number): string {
  return withCheckDigit(prefix + digits(random, length - prefix.length - 1));
}

function inText(kind: string, number: string, masked: string, [before, after]: Surroundings, random: Random): Case {
  return { kind, text: before + inScript(number, random) + after, masked: before + masked + after };
}

/** Returns the usual groupings of a number of this length, and also unusual ones unless `isUsual`. */
function groupingsOf(length: number, isUsual: boolean, random: Random): number[][] {
  const usual = [
    [length],
    ...(length > 15 ? [ofSize(4, length)] : []),
    ...(length === 14 || length === 15 ? [[4, 6, length - 10]] : []),
  ];
  if (isUsual) return usual;
  const uneven: number[] = [];
  for (let left = length; left > 0; left -= uneven.at(-1) ?? 0) uneven.push(Math.min(left, random.between(1, 6)));
  const cut = random.between(1, length - 1);
  return [
    ...usual,
    ...[5, 4, 3, 2, 1].map((size) => ofSize(size, length)),
    [4, 6, length - 10],
    [6, length - 6],
    [8, length - 8],
    [cut, length - cut],
    uneven,
  ];
}

function ofSize(size: number, length: number): number[] {
  return Array.from({ length: Math.ceil(length / size) }, (_, at) => Math.min(size, length - at * size));
}

/** Returns the digits in another script, half of the time. */
function inScript(text: string, random: Random): string {
  const script = random.pick(['ASCII', random.pick(SCRIPTS)] as const);
  return text.replace(/\d/g, (digit) => {
    if (script === 'mathematical') return String.fromCodePoint(0x1d7ce + Number(digit) + 10 * random.between(0, 4));
    const zero = script === 'mixed' ? random.pick(Object.values(ZEROS)) : ZEROS[script];
    return String.fromCodePoint(zero.charCodeAt(0) + Number(digit));
  });
}

/** Generates cards as JSON numbers, nested in lists and objects. */
export function* cardValues(
  random: Random,
  count: number,
): Generator<Readonly<{ value: PayloadValue; masked: PayloadValue }>> {
  for (let made = 0; made < count; made++) {
    const [, prefixes, lengths] = random.pick(BRANDS);
    const number = card(random, random.pick(prefixes), random.pick(lengths));
    const isExact = Number.isSafeInteger(Number(number));
    const value = random.between(0, 1) === 0 && isExact ? Number(number) : number;
    const masked = '*'.repeat(number.length - 4) + number.slice(-4);
    const nest = random.pick(NESTS);
    yield { value: nest(value), masked: nest(masked) };
  }
}

const NESTS: ReadonlyArray<(value: PayloadValue) => PayloadValue> = [
  (value) => value,
  (value) => [value, 1, 'x'],
  (value) => ({ a: 1, b: value }),
  (value) => ({ a: [{ b: [[value]] }, null], c: true }),
  (value) => [[[[[[{ deep: { deeper: [0, value] } }]]]]]],
];
