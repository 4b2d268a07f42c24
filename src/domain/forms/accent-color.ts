import { readableOn } from '../../lib/contrast.ts';
import { invalidInput } from '../errors.ts';

/** Backgrounds of text on visitor pages, by color scheme. */
export const CARD_COLORS = { light: '#ffffff', dark: '#1d2127' } as const;

/** Parses a color such as `#0b6655` into lowercase. Throws `invalid_input` otherwise. */
export function parseColor(text: string): string {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase();
  throw invalidInput('The accent color must be # and six hexadecimal digits, such as #0b6655.', ['invalid_color']);
}

/** Returns the color of links and outlines on visitor pages: `color`, or a shade of it that is readable there. */
export function linkColor(color: string, scheme: keyof typeof CARD_COLORS): string {
  return readableOn(color, CARD_COLORS[scheme]);
}
