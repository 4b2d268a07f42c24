/** Words for card in common languages, and brand names. */
export const CARD_WORD =
  /card|kart|cart[aeã]|tarjeta|kaart|kort|карт|κάρτ|כרטיס|بطاقة|कार्ड|カード|卡|카드|cr[eé]dit|kredit|visa|maestro|amex|(?<![a-z])(?:cc|mc|pan)(?![a-z])/iu;

const CURRENCY =
  'aed|aud|brl|cad|chf|cny|czk|dkk|eur|gbp|hkd|huf|idr|ils|inr|jpy|kč|kr|krw|mxn|nok|nzd|php|pln|ron|rs|rub|sar|sek|sgd|thb|try|twd|uah|usd|vnd|zar|zł';

/** A currency code as a whole word. */
export const CURRENCY_WORD = new RegExp(`^(?:${CURRENCY})$`, 'i');

/** A currency code at the end of the five characters before a group, and at the start of the five after it. */
export const CURRENCY_BEFORE = new RegExp(`(?<!\\p{L})(?:${CURRENCY})\\p{Zs}?$`, 'iu');
export const CURRENCY_AFTER = new RegExp(`^\\p{Zs}?(?:${CURRENCY})(?!\\p{L})`, 'iu');

/** Words for social security number. */
export const SSN_WORD = /(?<![a-z])ss[^a-z]?n(?:o|r|um|umber)?s?(?![a-z])|social[^a-z]*sec/i;

/** Reports whether a field name such as `userSSN` is for social security numbers. */
function isSsnField(name: string): boolean {
  return SSN_WORD.test(name.replace(/\p{Ll}(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& '));
}

/** Number of characters of a name that are examined. */
const MAX_LENGTH = 256;

/** Hints that a field's name gives about its numbers, evaluated lazily and once. */
export class FieldName {
  private ofCards: boolean | undefined;
  private ofSsns: boolean | undefined;

  constructor(private readonly text: string) {}

  /** Reports whether the name contains a word for card. */
  isForCards(): boolean {
    this.ofCards ??= CARD_WORD.test(this.text.slice(0, MAX_LENGTH));
    return this.ofCards;
  }

  /** Returns true if the name is one of a field for social security numbers. */
  isForSsns(): boolean {
    this.ofSsns ??= isSsnField(this.text.slice(0, MAX_LENGTH));
    return this.ofSsns;
  }
}
