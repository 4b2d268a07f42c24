import { invalidInput } from '../errors.ts';
import { type Form, type FormLogo, LOGO_TYPES, MAX_LOGO_BYTES } from './form.ts';

/** First bytes of the types of `LOGO_TYPES` in hexadecimal; a WebP image has its name after the length. */
const SIGNATURES = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/webp', /^52494646.{8}57454250/],
] as const;

export const MAX_LOGO_KIB = MAX_LOGO_BYTES / 1024;

/** Validates an image as a logo and detects its type. Throws `invalid_input` if it is too large or of another type. */
export function parseLogo(image: Uint8Array): FormLogo {
  if (image.length > MAX_LOGO_BYTES) {
    throw invalidInput(`The logo must have at most ${MAX_LOGO_KIB} KiB.`, ['logo_too_large', MAX_LOGO_KIB]);
  }
  const start = Buffer.from(image.subarray(0, 12)).toString('hex');
  const [type] = SIGNATURES.find(([, signature]) => signature.test(start)) ?? [];
  if (type !== undefined) return { type, image };
  throw invalidInput('The logo must be a PNG, JPEG or WebP image.', ['not_a_logo']);
}

/** Returns the path of a form's logo, which changes with the image; null without one that may be served. */
export function logoPath({ shortId }: Pick<Form, 'shortId'>, logo: FormLogo | null): string | null {
  return logo && isImage(logo) ? `/f/${shortId}/logo/${logoHash(logo)}` : null;
}

/** Returns whether a logo may be served as an image. */
export const isImage = ({ type }: FormLogo): boolean => LOGO_TYPES.some((candidate) => candidate === type);

/** Returns the hash that makes the address of a logo change with its content. */
export const logoHash = ({ image }: FormLogo): string => Bun.hash(image).toString(36);
