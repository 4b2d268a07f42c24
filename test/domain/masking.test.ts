import { describe, expect, test } from 'bun:test';
import { maskPayload, maskText, maskValue } from '../../src/domain/masking.ts';

const VISA = '4242 4242 4242 4242';
const MASKED_VISA = '************4242';

const mask = (text: string): string => maskText(text, 'message');
const expectWhole = (text: string, fieldName = 'message'): void => expect(maskText(text, fieldName)).toBe(text);

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

describe('social security numbers', () => {
  test('keep their last four digits', () => {
    expect(mask('My SSN is 123-45-6789.')).toBe('My SSN is ***-**-6789.');
    for (const separator of SEPARATORS.filter((it) => it !== '')) {
      expect(mask(`123${separator}45${separator}6789`)).toBe('***-**-6789');
    }
    expect(mask('１２３-٤٥-6789')).toBe('***-**-6789');
    expect(mask('SSN123-45-0009')).toBe('SSN***-**-0009');
  });

  test('of areas, groups and serials never issued stay', () => {
    for (const text of ['000-45-6789', '666-45-6789', '900-45-6789', '999-45-6789', '123-00-6789', '123-45-0000']) {
      expectWhole(text);
      expectWhole(text.replaceAll('-', ''), 'ssn');
    }
    expect(mask('001-01-0001 899-99-9999')).toBe('***-**-0001 ***-**-9999');
  });

  test('stay when they are grouped otherwise or part of something longer', () => {
    for (const text of [
      '123-45 6789',
      '12-345-6789',
      '1123-45-6789',
      '123-45-67890',
      '123-45-6789-1',
      '1-123-45-6789',
    ]) {
      expectWhole(text);
    }
    expectWhole('+358 40 1234');
    expectWhole('a123-45-6789');
    expect(mask('123 45 6789 01/02/1990')).toBe('***-**-6789 01/02/1990');
  });

  test('of nine bare digits need a field named so', () => {
    for (const name of [
      'ssn',
      'SSN',
      'user_ssn',
      'userSsn',
      'userSSN',
      'SSNumber',
      'Social Security',
      'socialSecurity',
    ]) {
      expect(maskText('123456789', name)).toBe('***-**-6789');
    }
    for (const name of ['message', 'lessns', 'classname', 'assn', 'ssname', 'social_media', 'tax_id', 'phone']) {
      expectWhole('123456789', name);
    }
    expectWhole('1234567890', 'ssn');
  });
});

describe('other numbers', () => {
  const random = randomFrom(2);
  const families: Record<string, () => string> = {
    'phone numbers': () => random.pick(PHONES).replace(/#/g, () => digits(random, 1)),
    'EAN-13': () => withGs1Digit(digits(random, 12)),
    'EAN-14': () => withGs1Digit(digits(random, 13)),
    IMEI: () => withCheckDigit(random.pick(['01', '35', '86', '99']) + digits(random, 12)),
    'timestamps in ms': () => `1${random.between(500, 999)}${digits(random, 9)}`,
    'timestamps in µs': () => `1${random.between(500, 999)}${digits(random, 12)}`,
    'timestamps in ns': () => `1${random.between(500, 999)}${digits(random, 15)}`,
    'order numbers': () => random.pick(ORDERS).replace(/#/g, () => digits(random, 1)),
    'tracking numbers': () => random.pick(PARCELS).replace(/#/g, () => digits(random, 1)),
    IBAN: () => {
      const [country, length] = random.pick([
        ['DE', 22],
        ['GB', 22],
        ['FR', 27],
        ['NL', 18],
        ['BE', 16],
        ['NO', 15],
      ]);
      const bank = random.pick(['', '', 'ABNA']);
      const iban = country + digits(random, 2) + bank + digits(random, length - 4 - bank.length);
      return random.pick([iban, iban.replace(/.{4}(?=.)/g, '$& ')]);
    },
    UUID: () => uuid(random),
  };

  for (const [name, generate] of Object.entries(families)) {
    test(`such as ${name} are masked in at most 0.5 %`, () => {
      const masked = Array.from({ length: 10_000 }, generate).filter(
        (text) => mask(`No. ${text} ok`) !== `No. ${text} ok`,
      );
      expect(masked.length).toBeLessThanOrEqual(50);
    });
  }
});

describe('values', () => {
  test('are masked at any depth, under the name of the nearest key', () => {
    expect(maskValue({ a: [{ ssn: ['123456789', VISA] }], id: '123456789' }, 'ssn')).toEqual({
      a: [{ ssn: ['***-**-6789', MASKED_VISA] }],
      id: '123456789',
    });
    expect(maskValue(['123456789', [123456789]], 'ssn')).toEqual(['***-**-6789', ['***-**-6789']]);
  });

  test('that are numbers become strings only if something was masked', () => {
    expect(maskValue(4242424242424242, 'n')).toBe(MASKED_VISA);
    expect(maskValue(-4242424242424242, 'n')).toBe(`-${MASKED_VISA}`);
    for (const number of [0, 42, 4242424242424243, 4.242424242424242, 1e300, Date.UTC(2026, 0)]) {
      expect(maskValue(number, 'n')).toBe(number);
    }
  });

  test('that are numbers too large to be exact are judged by brand and length', () => {
    const card = withCheckDigit('621234567890123456');
    expect(maskValue(JSON.parse(card), 'n')).toStartWith('***************');
    expect(maskValue(JSON.parse(withCheckDigit('979212345678901')), 'n')).toStartWith('************');
    expect(maskValue(2 ** 60, 'n')).toBe(2 ** 60);
  });

  test('without anything to mask come back as they are', () => {
    for (const value of [{ a: ['x', { b: null }], c: true }, ['1', 2], null, false, 'text', '']) {
      expect(maskValue(value, 'name')).toBe(value);
    }
  });

  test('keep their keys, however they are called', () => {
    const text = `{"__proto__":"${VISA}","constructor":{"__proto__":1},"${VISA}":"x"}`;
    const masked = JSON.stringify(maskValue(JSON.parse(text), 'n'));
    expect(masked).toBe(text.replace(VISA, MASKED_VISA));
  });

  test('of a payload keep their names and order', () => {
    const payload = [
      ['b', VISA],
      ['ssn', '123456789'],
      [VISA, 'x'],
      ['a', ['y']],
    ] as const;
    expect(maskPayload(payload)).toEqual([
      ['b', MASKED_VISA],
      ['ssn', '***-**-6789'],
      [VISA, 'x'],
      ['a', ['y']],
    ]);
    const harmless = [['a', 'b']] as const;
    expect(maskPayload(harmless)).toBe(harmless);
  });
});

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

const SEPARATORS = [
  '',
  ' ',
  '\u00a0',
  '\u202f',
  '\u2009',
  '-',
  '\u2011',
  '\u2012',
  '–',
  '—',
  '−',
  '.',
  '·',
  '/',
  ' - ',
];

const PHONES = [
  ...[
    '+49 30 ########',
    '+49 (0)170 #######',
    '0049 30 ########',
    '+1 (###) ###-####',
    '1-###-###-####',
    '+44 7### ######',
  ],
  ...[
    '+33 # ## ## ## ##',
    '+39 3## ### ####',
    '+34 ### ## ## ##',
    '+55 11 9####-####',
    '5511#########',
    '+52 55 #### ####',
  ],
  ...[
    '+91 9#### #####',
    '+86 13# #### ####',
    '+81 90-####-####',
    '+82 10-####-####',
    '+61 4## ### ###',
    '+31 6 ########',
  ],
  ...[
    '+46 70-### ## ##',
    '+48 ### ### ###',
    '+90 5## ### ## ##',
    '+62 8##-####-####',
    '62812########',
    '+7 9## ###-##-##',
  ],
  ...['+36 30 ### ####', '+380 44 ### ## ##', '+358 40 ####', '+43 660 #######'],
];
const ORDERS = [
  'ORD-########',
  '###-#######-#######',
  '2024-######',
  '#########',
  'ORD-20240512-######',
  'INV################',
];
const PARCELS = [
  ...['1Z################', '94####################', '94## #### #### #### #### ##', '############', '###############'],
  ...['00340434############', 'RR#########DE', 'JD##################', '##############', '####################'],
];

type Random = { between(from: number, to: number): number; pick<Item>(items: readonly Item[]): Item };

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return { between, pick: <Item>(items: readonly Item[]) => items[between(0, items.length - 1)] as Item };
}

function digits(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.between(0, 9)).join('');
}

/** With the digit appended that makes it pass Luhn's check. */
function withCheckDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, at) => {
    const weighted = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return body + ((10 - (sum % 10)) % 10);
}

function withGs1Digit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return body + ((10 - (sum % 10)) % 10);
}

function uuid(random: Random): string {
  return 'xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx'.replace(/x/g, () => random.between(0, 15).toString(16));
}

function grouped(number: string, sizes: readonly number[], separator: string): string {
  let at = 0;
  return sizes
    .map((size) => {
      at += size;
      return number.slice(at - size, at);
    })
    .join(separator);
}

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
