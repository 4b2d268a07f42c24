import { digits, type Random, withCheckDigit } from '../../test/fast/domain/masking/support.ts';

/** A number pattern: `#` is any digit, `?` a digit from 1 to 9, `x` a hexadecimal digit, `A` a letter. */
export type Shape = string | ((random: Random) => string);

/** Numbers other than cards, by family; all shapes of a family are equally frequent. */
export const FAMILIES: Readonly<Record<string, readonly Shape[]>> = {
  'phone numbers of 20 countries': [
    ...['+1 ?## ?##-####', '(?##) ?##-####', '?##-?##-####', '1-?##-?##-####', '1?##?######', '?##.?##.####'],
    ...['+44 7### ######', '07### ######', '0044 20 #### ####', '020 #### ####', '+44 (0)20 #### ####'],
    ...['+49 30 ########', '0049 30 ########', '030/########', '0170-#######', '+49 (0)170 #######', '4915#########'],
    ...['+33 6 ## ## ## ##', '06 ## ## ## ##', '06.##.##.##.##', '0033 6########', '+33 (0)6 ## ## ## ##'],
    ...['+39 3## ### ####', '3## #######', '0039 06 ########', '39 3## ### ####'],
    ...['+34 6## ## ## ##', '6## ### ###', '9## ## ## ##', '0034 6########', '34 6## ## ## ##'],
    ...['+55 11 9####-####', '(11) 9####-####', '5511#########', '011 9#### ####'],
    ...['+52 55 #### ####', '55 #### ####', '+52 1 55 #### ####', '52155########'],
    ...['+91 9#### #####', '09#########', '0091 9#########', '91-9#########'],
    ...['+86 13# #### ####', '13# #### ####', '0086 13#########', '86 13#########', '010-########'],
    ...['+81 90-####-####', '090-####-####', '03-####-####', '0081 90 #### ####', '8190########'],
    ...['+82 10-####-####', '010-####-####', '82 10 #### ####', '02-###-####'],
    ...['+61 4## ### ###', '04## ### ###', '(02) #### ####', '0061 4########', '61 4## ### ###'],
    ...['+31 6 ########', '06-########', '0031 6 #### ####', '+31 (0)20 ### ####'],
    ...['+46 70-### ## ##', '070-### ## ##', '0046 70 ### ## ##', '08-### ### ##'],
    ...['+48 ### ### ###', '### ### ###', '48?########', '0048 ?## ### ###', '?## ## ## ##'],
    ...['+90 5## ### ## ##', '05## ### ## ##', '0 5## ### ## ##', '905#########', '0090 5## ### ## ##'],
    ...['+62 8##-####-####', '08##-####-####', '62812########', '0062 812 #### ####', '62 8## #### ####'],
    ...['+7 9## ###-##-##', '8 (9##) ###-##-##', '89#########', '79#########', '8-9##-###-##-##'],
    ...['+41 44 ### ## ##', '044 ### ## ##', '0041 79 ### ## ##', '0041 (0)79 ### ## ##'],
  ],
  'EAN-13 and GTIN-14': [
    (random) => withGs1Digit(digits(random, 12)),
    (random) =>
      withGs1Digit(`${random.pick(['40', '30', '50', '84', '87', '69', '45', '76', '54', '00'])}${digits(random, 10)}`),
    (random) => withGs1Digit(digits(random, 12)).replace(/^(.)(.{6})/, '$1 $2 '),
    (random) => withGs1Digit(`${random.between(0, 9)}${digits(random, 12)}`),
    (random) => `(01)${withGs1Digit(`${random.between(0, 9)}${digits(random, 12)}`)}(21)${digits(random, 6)}`,
  ],
  IMEI: [
    imei,
    (random) => imei(random).replace(/^(..)(.{6})(.{6})/, '$1-$2-$3-'),
    (random) => imei(random).replace(/^(.{6})(..)(.{6})/, '$1 $2 $3 '),
  ],
  timestamps: [
    seconds,
    (random) => seconds(random) + digits(random, 3),
    (random) => seconds(random) + digits(random, 6),
    (random) => seconds(random) + digits(random, 9),
    (random) => `${seconds(random)}.${digits(random, 6)}`,
    (random) => isoTime(random).replaceAll(/[-:]/g, ''),
    (random) => isoTime(random).replaceAll(/[-:TZ]/g, ''),
    (random) => isoTime(random).replaceAll(/[-:TZ]/g, '') + digits(random, 3),
    (random) => isoTime(random).replaceAll(/[-:T]/g, ' '),
    (random) => isoTime(random).replaceAll(/[:T]/g, '-').replace('Z', digits(random, 3)),
    (random) => isoTime(random).replace('Z', `.${digits(random, 6)}+02:00`),
  ],
  'order numbers': [
    ...[
      '#######',
      'ORD-########',
      '#########',
      '2024-######',
      'ORD-20240512-######',
      'INV################',
      'R#########',
    ],
    ...[
      '###-#######-#######',
      '##-#####-#####',
      '#1###',
      'W##########',
      '##########',
      '100######',
      'SO-####-####-####',
    ],
    ...['PO ##########', '4500######', '############', '########-#####', '20240512########', '2024051212####-####'],
  ],
  'tracking numbers': [
    ...[
      '1ZAAA##############',
      '1Z################',
      '1Z ### ### ## #### ### #',
      '1Z ### A## ## #### ####',
      'T##########',
    ],
    ...[
      '############',
      '#### #### ####',
      '###############',
      '96##################',
      '61##################',
      '96## #### #### #### ####',
    ],
    ...[
      '##########',
      'JD##################',
      'JJD##################',
      '00340434############',
      '0034 0434 #### #### ####',
      'GM#################',
    ],
    ...[
      '9400 1### #### #### #### ##',
      '94001#################',
      '9205 5### #### #### #### ##',
      '92055#################',
      '9#####################',
    ],
    ...[
      '70## #### #### #### ####',
      '70##################',
      '420##### 9400 1### #### #### #### ##',
      'RR#########DE',
      'EA ### ### ### US',
    ],
  ],
  IBAN: [
    'DE22',
    'GB22',
    'FR27',
    'NL18',
    'BE16',
    'NO15',
    'ES24',
    'IT27',
    'CH21',
    'PL28',
    'TR26',
    'DK18',
    'FI18',
    'PT25',
  ].flatMap((country) => [
    (random) => iban(random, country),
    (random) => iban(random, country).replace(/.{4}(?=.)/g, '$& '),
  ]),
  UUID: [
    'xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx',
    'xxxxxxxx-xxxx-7xxx-bxxx-xxxxxxxxxxxx',
    'xxxxxxxxxxxx4xxx8xxxxxxxxxxxxxxx',
    '{xxxxxxxx-xxxx-1xxx-9xxx-xxxxxxxxxxxx}',
  ],
  'ISBN-13': [
    (random) => isbn(random),
    (random) => isbn(random).replace(/^(...)(.)(..)(.{6})/, '$1-$2-$3-$4-'),
    (random) => isbn(random).replace(/^(...)(.)(....)(....)/, '$1 $2 $3 $4 '),
    (random) => isbn(random).replace(/^(...)(.{5})(..)(..)/, '$1–$2–$3–$4–'),
  ],
  'keys of databases': [
    (random) => String(random.between(1, 999_999_999)),
    (random) => `?${'#'.repeat(random.between(9, 12))}`,
    (random) => String((BigInt(random.between(41_944, 800_000)) * 10n ** 6n + BigInt(digits(random, 6))) << 22n), // Twitter, Discord
    (random) => String((BigInt(random.between(1_500_000, 2_000_000)) * 10n ** 6n) << 20n),
    (random) => `1784140${digits(random, 10)}`, // Instagram
    (random) => `1000${digits(random, 11)}`, // Facebook
    (random) => `9${digits(random, 14)}`,
  ],
};

/** Long numbers that nothing in the text distinguishes from cards. */
export const BY_CHANCE: Readonly<Record<string, readonly Shape[]>> = {
  'random whole numbers of 63 bits': [
    (random) => String((BigInt(random.between(0, 2 ** 31 - 1)) << 32n) | BigInt(random.between(0, 2 ** 32 - 1))),
  ],
  'sixteen random digits': ['?###############'],
  'nineteen random digits': ['?##################'],
  'keys of 2026 from Sonyflake': [(random) => `6${random.between(32, 53)}${digits(random, 15)}`],
  'IMEI that begin anyhow': [(random) => withCheckDigit(digits(random, 14))],
  'IMEI with version of software': [(random) => imei(random).slice(0, 14) + digits(random, 2)],
  'tracking numbers of 15 digits': ['###############'],
};

/** Generates a number of the shape. */
export function instance(random: Random, shape: Shape): string {
  const text = typeof shape === 'string' ? shape : shape(random);
  return text.replace(/[#?]|x|A/g, (mark) => {
    if (mark === '#') return digits(random, 1);
    if (mark === '?') return String(random.between(1, 9));
    return mark === 'x' ? random.between(0, 15).toString(16) : random.pick([...'ABCEHKWXY']);
  });
}

function imei(random: Random): string {
  return withCheckDigit(random.pick(['35', '35', '86', '86', '01', '99', '91']) + digits(random, 12));
}
function seconds(random: Random): string {
  return String(random.between(1_000_000_000, 2_000_000_000));
}
function isoTime(random: Random): string {
  return new Date(Number(seconds(random)) * 1000).toISOString().replace('.000', '');
}
function iban(random: Random, country: string): string {
  const length = Number(country.slice(2));
  const bank = country.startsWith('GB') || country.startsWith('NL') ? 'ABNA' : '';
  return country.slice(0, 2) + digits(random, 2) + bank + digits(random, length - 4 - bank.length);
}
function isbn(random: Random): string {
  return withGs1Digit(random.pick(['978', '978', '979']) + digits(random, 9));
}
function withGs1Digit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return body + ((10 - (sum % 10)) % 10);
}
