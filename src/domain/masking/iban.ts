import { DASH, isAlphanumeric, isDigit, isWordCharacter, kindOf, LETTER, SPACE } from './characters.ts';

const LENGTHS = new Map(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24
  FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32
  LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24
  RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/**
 * Where in the text the IBAN ends whose check digits begin at `start`; 0 if there is none. Told by country and length
 * alone. Single spaces and dashes may stand within.
 */
export function ibanEnd(text: string, start: number): number {
  if (!isWordCharacter(text, start - 1) || !isDigit(text, start + 1) || isAlphanumeric(text, start - 3)) return 0;
  const length = LENGTHS.get(text.slice(start - 2, start).toUpperCase());
  if (!length) return 0;
  let end = start;
  let isSeparated = false;
  for (let left = length - 2; left > 0; end++) {
    if (end === text.length) return 0;
    const kind = kindOf(text.charCodeAt(end));
    const isSeparator = (kind & (SPACE | DASH)) !== 0;
    if (!isSeparator) left--;
    if (isSeparator ? isSeparated : kind >= 10 && kind !== LETTER) return 0;
    isSeparated = isSeparator;
  }
  return isAlphanumeric(text, end) ? 0 : end;
}
