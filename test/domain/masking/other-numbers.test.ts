import { describe, expect, test } from 'bun:test';
import { digits, mask, type Random, randomFrom, withCheckDigit } from './support.ts';

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

function withGs1Digit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return body + ((10 - (sum % 10)) % 10);
}

function uuid(random: Random): string {
  return 'xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx'.replace(/x/g, () => random.between(0, 15).toString(16));
}
