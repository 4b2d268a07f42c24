import { refuseLongName, refuseLongValue, refuseTooManyFields, type TextEntry } from './entries.ts';
import { lossyUtf8 } from './utf8.ts';

/**
 * Reads `application/x-www-form-urlencoded` as browsers define it (WHATWG URL, section 5.1): a malformed escape stands
 * for itself, bytes that are not UTF-8 become U+FFFD. Throws `AppError` beyond the limits.
 */
export function decodeUrlencoded(body: Uint8Array): TextEntry[] {
  const text = lossyUtf8(body);
  refuseManyPairs(text);
  const entries: TextEntry[] = [];
  // A question mark at the start would be left out; behind an ampersand, which makes no field, it stays.
  new URLSearchParams(`&${text}`).forEach((value, name) => {
    refuseLongName(name);
    refuseLongValue(name, value);
    entries.push([name, value]);
  });
  return entries;
}

function refuseManyPairs(text: string): void {
  let pairs = 0;
  for (let start = 0; start < text.length; ) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) refuseTooManyFields(++pairs);
    start = end + 1;
  }
}
