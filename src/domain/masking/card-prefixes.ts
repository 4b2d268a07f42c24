/** Lengths of issued cards by prefix. Elo, Verve, Dankort and part of RuPay are within other ranges. */
const ISSUED = lengthsByPrefix([
  ['4', '16 19'], // Visa
  ['51-55 2221-2720', '16'], // Mastercard
  ['34 37', '15'], // American Express
  ['300-305 309 38-39', '14'], // Diners Club
  ['36', '14 16-19'],
  ['3841', '16 19'], // Hipercard
  ['6011 644-649 65', '16-19'], // Discover
  ['3528-3589', '16-19'], // JCB
  ['1800 2131', '15'], // JCB, older
  ['62 81', '16-19'], // UnionPay
  ['60 82', '16'], // RuPay
  ['50 56-58 6304 6390 67', '16-19'], // Maestro
  ['5018 5020 5038 5612 5893 6304 6759 6761-6763 6767', '13-15'], // Maestro, older
  ['2200-2204', '16-19'], // Mir
  ['636', '16-19'], // InterPayment
  ['9792', '16'], // Troy
]);

const OBSOLETE = lengthsByPrefix([
  ['4', '13'],
  ['50 56-58 63 67', '13-15'],
]);

/** Length limits of all brands. */
export const MIN_CARD_LENGTH = 13;
export const MAX_CARD_LENGTH = 19;

/** Reports whether any card, current or obsolete, starts with these four digits. */
export const isPrefix = (prefix: number): boolean => ((ISSUED[prefix] ?? 0) | (OBSOLETE[prefix] ?? 0)) !== 0;

/** Reports whether cards of this length are issued with these first four digits of the IIN. */
export const isIssued = (prefix: number, length: number): boolean => hasLength(ISSUED, prefix, length);

/** Reports whether such cards were issued in the past. Too weak alone: a tenth of all EAN-13 with the prefix match. */
export const wasIssued = (prefix: number, length: number): boolean => hasLength(OBSOLETE, prefix, length);

/** Builds a table of valid lengths, as bit sets, by the first four digits. */
function lengthsByPrefix(brands: ReadonlyArray<readonly [prefixes: string, lengths: string]>): Uint32Array {
  const table = new Uint32Array(10_000);
  for (const [prefixes, lengths] of brands) {
    let bits = 0;
    for (const [from, to] of ranges(lengths)) {
      for (let length = Number(from); length <= Number(to); length++) bits |= 1 << length;
    }
    for (const [from, to] of ranges(prefixes)) {
      for (let prefix = Number(from.padEnd(4, '0')); prefix <= Number(to.padEnd(4, '9')); prefix++) {
        table[prefix] = (table[prefix] ?? 0) | bits;
      }
    }
  }
  return table;
}

function ranges(list: string): Array<[from: string, to: string]> {
  return list.split(' ').map((range) => {
    const [from = '', to = from] = range.split('-');
    return [from, to];
  });
}

function hasLength(table: Uint32Array, prefix: number, length: number): boolean {
  return (((table[prefix] ?? 0) >> length) & 1) === 1;
}
