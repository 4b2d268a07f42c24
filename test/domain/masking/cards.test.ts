import { describe, expect, test } from 'bun:test';
import { maskText } from '../../../src/domain/masking.ts';
import {
  digits,
  expectWhole,
  grouped,
  MASKED_VISA,
  mask,
  type Random,
  randomFrom,
  SEPARATORS,
  VISA,
  withCheckDigit,
} from './support.ts';

const BRANDS: ReadonlyArray<readonly [prefixes: readonly string[], lengths: readonly number[]]> = [
  [['4'], [16, 19]],
  [['51', '55', '2221', '2300', '2720'], [16]],
  [['34', '37'], [15]],
  [['300', '305', '309', '36', '38', '39'], [14]],
  [
    ['36', '6011', '644', '65', '622126', '3528', '3589', '62', '81', '636'],
    [16, 17, 18, 19],
  ],
  [
    ['5018', '5038', '6304', '6759', '676770', '6763'],
    [13, 14, 15, 16, 17, 18, 19],
  ],
  [
    ['50', '56', '58', '67', '2200', '2204'],
    [16, 17, 18, 19],
  ],
  [['60', '65', '81', '82', '508', '9792', '5019', '636368', '606282', '384100'], [16]],
  [
    ['506099', '650002', '507865'],
    [16, 18, 19],
  ],
];

describe('cards', () => {
  test('keep their last four digits and lose their separators', () => {
    expect(mask(VISA)).toBe(MASKED_VISA);
    expect(mask('4242424242424242')).toBe(MASKED_VISA);
    expect(mask('3782 822463 10005')).toBe('***********0005');
  });

  test('of every brand are masked with every separator, in every grouping and in prose', () => {
    const random = randomFrom(1);
    const surroundings = [
      ['', ''],
      ['My card is ', ', thanks.'],
      ['"', '"'],
      ['#', ' 12/27 123'],
      ['12.05.2024 ', ''],
      ['カード番号は', 'です'],
      ['1,', ',Bob'],
    ] as const;
    const failed: string[] = [];
    for (const [prefixes, lengths] of BRANDS) {
      for (const prefix of prefixes) {
        for (const length of lengths) {
          for (const separator of SEPARATORS) {
            for (const grouping of groupingsOf(length, random)) {
              const card = withCheckDigit(prefix + digits(random, length - prefix.length - 1));
              const [before, after] = random.pick(surroundings);
              const text = before + grouped(card, grouping, separator) + after;
              const expected = before + '*'.repeat(length - 4) + card.slice(-4) + after;
              if (mask(text) !== expected) failed.push(`${text} -> ${mask(text)}`);
            }
          }
        }
      }
    }
    expect(failed).toEqual([]);
  });

  test('without a valid check digit, a known brand or a length of that brand stay', () => {
    expectWhole('4242 4242 4242 4243');
    expectWhole(withCheckDigit('999999999999999'));
    expectWhole(withCheckDigit('42424242424242424'));
  });

  test('with two kinds of separators in one number stay', () => {
    expectWhole('4242 4242-4242 4242');
    expectWhole('4242 4242\n4242 4242');
  });

  test('stay when the digits go on', () => {
    expectWhole('14242424242424242');
    expectWhole('42424242424242421');
    expectWhole('0.4242424242424242');
    expectWhole('1 42 42 42 42 42 42 42 42');
  });

  test('are found among other numbers beside them', () => {
    expect(mask(`${VISA} 12/27 123`)).toBe(`${MASKED_VISA} 12/27 123`);
    expect(mask(`${VISA} 12 27 123`)).toBe(`${MASKED_VISA} 12 27 123`);
    expect(mask(`4242-4242-4242-4242-123`)).toBe(`${MASKED_VISA}-123`);
    expect(mask(`4242424242424242/123`)).toBe(`${MASKED_VISA}/123`);
    expect(mask(`1 ${VISA}`)).toBe(`1 ${MASKED_VISA}`);
    expect(mask(`${VISA} 5555 5555 5555 4444`)).toBe(`${MASKED_VISA} ************4444`);
    expect(mask(`+49 170 1234567, ${VISA}`)).toBe(`+49 170 1234567, ${MASKED_VISA}`);
    expect(mask('am 12.05. 42424 24242 424242 12/27')).toBe(`am 12.05. ${MASKED_VISA} 12/27`);
  });

  test('of which several readings are valid are read as the longest', () => {
    expect(mask('6200 0000 0000 0005 18')).toBe('**************0518');
    for (let month = 1; month <= 12; month++) {
      const expiry = `${String(month).padStart(2, '0')}/27`;
      expect(mask(`6200 0000 0000 0005 ${expiry}`)).toBe(`************0005 ${expiry}`);
    }
  });

  test('with Latin letters attached are tokens, unless the word says card', () => {
    expectWhole('ORD4242424242424242');
    expectWhole('order_4242424242424242');
    expectWhole('4242424242424242abc');
    expect(mask('card4242424242424242')).toBe(`card${MASKED_VISA}`);
    expect(mask('cc_4242424242424242')).toBe(`cc_${MASKED_VISA}`);
  });

  test('need no space before or after other scripts', () => {
    expect(mask('卡号4242424242424242谢谢')).toBe(`卡号${MASKED_VISA}谢谢`);
    expect(mask('карта4242424242424242')).toBe(`карта${MASKED_VISA}`);
  });

  test('are read in the digits of any script, even mixed, and keep ASCII ones', () => {
    expect(mask('４２４２ ４２４２ ４２４２ ４２４２')).toBe(MASKED_VISA);
    expect(mask('٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢')).toBe(MASKED_VISA);
    expect(mask('۴۲۴۲-४२४२-4242-𝟒𝟐𝟜𝟚')).toBe(MASKED_VISA);
    expect(mask('<𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐>')).toBe(`<${MASKED_VISA}>`);
  });

  test('are found through invisible characters', () => {
    expect(mask('4242\u200b4242\u00ad4242\u20604242')).toBe(MASKED_VISA);
  });

  test('of 13 digits need a word for card beside them or in the name of the field', () => {
    expectWhole('4222222222222');
    expectWhole('4006381333931');
    for (const word of ['card', 'Kreditkarte', 'tarjeta', 'cartão', 'карта', 'カード', 'Visa']) {
      expect(mask(`${word}: 4222222222222`)).toBe(`${word}: *********2222`);
      expect(maskText('4222222222222', word)).toBe('*********2222');
    }
    expect(mask('4222222222222 (my old card)')).toBe('*********2222 (my old card)');
    expectWhole(`card${' '.repeat(40)}4222222222222`);
  });

  test('are not seen in an IBAN, but after one', () => {
    const iban = `DE89 ${VISA} 00`;
    expectWhole(iban);
    expectWhole(iban.replaceAll(' ', ''));
    expectWhole(`gb29 nwbk ${VISA.slice(0, 14)} 24`);
    expect(mask(`${iban} ${VISA}`)).toBe(`${iban} ${MASKED_VISA}`);
    expect(mask(`XY89 ${VISA} 00`)).toBe(`XY89 ${MASKED_VISA} 00`);
  });

  test('are not seen in phone, parcel and order numbers', () => {
    expectWhole('+36000000000008');
    expect(mask('36000000000008')).toBe('**********0008');
    expect(mask('+4242424242424242')).toBe(`+${MASKED_VISA}`);
    expectWhole('9400 4242 4242 4242 4242 00');
    expectWhole(grouped(withCheckDigit('5012345678901234'), [3, 7, 7], '-'));
  });
});

function groupingsOf(length: number, random: Random): number[][] {
  const uneven: number[] = [];
  for (let left = length; left > 0; left -= uneven.at(-1) ?? 0) uneven.push(Math.min(left, random.between(1, 6)));
  const cut = random.between(1, length - 1);
  return [
    [length],
    ofSize(4, length),
    ofSize(2, length),
    ofSize(1, length),
    [4, 6, length - 10],
    [cut, length - cut],
    uneven,
  ];
}

function ofSize(size: number, length: number): number[] {
  return Array.from({ length: Math.ceil(length / size) }, (_, at) => Math.min(size, length - at * size));
}
