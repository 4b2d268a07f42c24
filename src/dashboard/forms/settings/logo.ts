import { parseLogo } from '../../../domain/forms/form-logo.ts';
import type { Texts } from '../../i18n/index.ts';
import { parseInput } from '../../ui/parse-input.ts';

/**
 * Reads the logo from the inputs: an image, null to remove it, or undefined to keep the current one. Returns an error for
 * a file that is too large or no image.
 */
export function readLogo(input: URLSearchParams, texts: Texts) {
  // A hidden input holds the image of a page with errors; a file that was chosen since comes after it.
  const encoded = input.getAll('logo').findLast((text) => text !== '');
  if (input.has('removeLogo')) return { value: null };
  if (encoded === undefined) return { value: undefined };
  return parseInput(texts, () => parseLogo(Buffer.from(encoded, 'base64')));
}
