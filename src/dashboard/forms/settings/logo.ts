import { AppError } from '../../../domain/errors.ts';
import { type FormLogo, LOGO_TYPES, MAX_LOGO_BYTES } from '../../../domain/form.ts';
import { SAMPLE_BYTES, sniffType } from '../../../intake/file-type.ts';
import type { Texts } from '../../i18n/index.ts';
import { parseInput } from '../../ui/parse-input.ts';

export const MAX_LOGO_KIB = MAX_LOGO_BYTES / 1024;

/**
 * Reads the logo from the inputs: an image, null to remove it, or undefined to keep the current one. Returns an error for
 * a file that is too large or no image.
 */
export async function readLogo(input: URLSearchParams, texts: Texts) {
  // A hidden input holds the image of a page with errors; a file that was chosen since comes after it.
  const encoded = input.getAll('logo').findLast((text) => text !== '');
  if (input.has('removeLogo')) return { value: null };
  if (encoded === undefined) return { value: undefined };
  const image = Buffer.from(encoded, 'base64');
  const { type } = await sniffType('application/octet-stream', image.subarray(0, SAMPLE_BYTES));
  return parseInput(texts, () => requireLogo({ type, image }));
}

function requireLogo(logo: FormLogo): FormLogo {
  if (logo.image.length > MAX_LOGO_BYTES) {
    throw new AppError('invalid_input', `The logo must have at most ${MAX_LOGO_KIB} KiB.`, {
      reason: ['logo_too_large', MAX_LOGO_KIB],
    });
  }
  if (LOGO_TYPES.some((known) => known === logo.type)) return logo;
  throw new AppError('invalid_input', 'The logo must be a PNG, JPEG or WebP image.', { reason: ['not_a_logo'] });
}
