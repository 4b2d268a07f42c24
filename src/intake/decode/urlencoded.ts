import { refuseLongName, refuseLongValue, refuseTooManyFields, type TextEntry } from './entries.ts';
import { lossyUtf8 } from './utf8.ts';

/**
 * Decodes `application/x-www-form-urlencoded` by the WHATWG URL standard, section 5.1: malformed percent-encoding stays
 * as it is, invalid UTF-8 becomes U+FFFD. Throws `AppError` beyond the limits.
 */
export function decodeUrlencoded(body: Uint8Array): TextEntry[] {
  // Empty pairs count for nothing, but a million of them took 20 ms.
  const text = lossyUtf8(body).replace(/&&+/g, '&');
  refuseTooManyPairs(text);
  const entries: TextEntry[] = [];
  // URLSearchParams drops a leading question mark; a leading ampersand prevents that and adds no field.
  new URLSearchParams(`&${text}`).forEach((value, name) => {
    refuseLongName(name);
    refuseLongValue(name, value);
    entries.push([name, value]);
  });
  return entries;
}

/** Throws `too_many_fields` before `URLSearchParams` builds the fields. */
function refuseTooManyPairs(text: string): void {
  let pairs = 0;
  for (let start = 0; start < text.length; ) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) refuseTooManyFields(++pairs);
    start = end + 1;
  }
}
