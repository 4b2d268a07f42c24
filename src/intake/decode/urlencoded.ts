import { refuseLongName, refuseLongValue, refuseTooManyFields, type TextEntry } from './entries.ts';
import { lossyUtf8 } from './utf8.ts';

/**
 * Reads `application/x-www-form-urlencoded` as browsers define it (WHATWG URL, section 5.1): a malformed escape stands
 * for itself, bytes that are not UTF-8 become U+FFFD. Throws `AppError` beyond the limits.
 */
export function decodeUrlencoded(body: Uint8Array): TextEntry[] {
  const text = lossyUtf8(body);
  const entries: TextEntry[] = [];
  for (let start = 0; start <= text.length; ) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) {
      refuseTooManyFields(entries.length + 1);
      entries.push(decodePair(text.slice(start, end)));
    }
    start = end + 1;
  }
  return entries;
}

function decodePair(pair: string): TextEntry {
  const equals = pair.indexOf('=');
  const name = decodeText(equals === -1 ? pair : pair.slice(0, equals));
  refuseLongName(name);
  const value = equals === -1 ? '' : decodeText(pair.slice(equals + 1));
  refuseLongValue(name, value);
  return [name, value];
}

function decodeText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeMalformed(spaced);
  }
}

/** Byte by byte, for text whose escapes are broken or are not UTF-8. */
function decodeMalformed(text: string): string {
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++, length++) {
    const escaped = bytes[at] === 0x25 ? hexByte(bytes, at + 1) : -1;
    bytes[length] = escaped === -1 ? (bytes[at] ?? 0) : escaped;
    if (escaped !== -1) at += 2;
  }
  return lossyUtf8(bytes.subarray(0, length));
}

function hexByte(bytes: Uint8Array, at: number): number {
  const high = hexDigit(bytes[at]);
  const low = hexDigit(bytes[at + 1]);
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
