/** A word for card in the languages of many, or the name of a brand. */
export const CARD_WORD =
  /card|kart|cart[aeã]|tarjeta|kaart|kort|карт|κάρτ|כרטיס|بطاقة|कार्ड|カード|卡|카드|cr[eé]dit|kredit|visa|maestro|amex|(?<![a-z])(?:cc|mc|pan)(?![a-z])/iu;

/** A word for social security number. */
export const SSN_WORD = /(?<![a-z])ss[^a-z]?n(?:o|r|um|umber)?s?(?![a-z])|social[^a-z]*sec/i;

/** Whether a field of this name, such as `userSSN`, is for social security numbers. */
export function isSsnField(name: string): boolean {
  return SSN_WORD.test(name.replace(/\p{Ll}(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& '));
}
