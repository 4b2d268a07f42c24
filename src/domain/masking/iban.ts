import { DASH, isAlphanumeric, isDigit, LETTER, SPACE } from './characters.ts';
import type { DigitGroups } from './digit-groups.ts';

const LENGTHS = lengthsByCountry(`
  AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24
  FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32
  LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24
  RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`);

/**
 * Returns the text offset of the end of an IBAN whose check digits start `group`, or 0. Checks only country and length,
 * and allows single spaces and dashes.
 */
export function ibanEnd(groups: DigitGroups, group: number): number {
  const start = groups.start(group);
  if (groups.kindAt(start - 1) !== LETTER || groups.kindAt(start - 2) !== LETTER) return 0;
  if (isAlphanumeric(groups.kindAt(start - 3)) || !isDigit(groups.kindAt(start + 1))) return 0;
  const length = LENGTHS[countryAt(groups.text, start - 2)];
  if (!length) return 0;
  let end = start;
  for (let remaining = length - 2; remaining > 0; remaining--) {
    let kind = groups.kindAt(end++);
    if ((kind & (SPACE | DASH)) !== 0) kind = groups.kindAt(end++);
    if (!isAlphanumeric(kind)) return 0;
  }
  return isAlphanumeric(groups.kindAt(end)) ? 0 : end;
}

function lengthsByCountry(list: string): Uint8Array {
  const lengths = new Uint8Array(32 * 32);
  for (const entry of list.trim().split(/\s+/)) lengths[countryAt(entry, 0)] = Number(entry.slice(2));
  return lengths;
}

/** Encodes two letters as a number, ignoring case: both cases share the last five bits. */
function countryAt(text: string, at: number): number {
  return (text.charCodeAt(at) % 32) * 32 + (text.charCodeAt(at + 1) % 32);
}
