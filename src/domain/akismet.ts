import { AppError, type ErrorReason } from './errors.ts';

/** The address of Akismet's own service. */
export const AKISMET_URL = 'https://rest.akismet.com';

/** A form's settings for an Akismet-compatible service. `site` is the address that the key is used for. */
export type AkismetSettings = Readonly<{ key: string; url: string; site: string }>;

/** Validates the settings and returns the URL without a slash at its end. Throws `invalid_input`. */
export function validateAkismet({ key, url, site }: AkismetSettings): AkismetSettings {
  const refuse = (message: string, reason: ErrorReason) => new AppError('invalid_input', message, { reason });
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw refuse('Akismet needs a key of at most 200 characters. Copy it from your account.', ['missing_akismet_key']);
  }
  // Check the length before parsing: `URL` takes seconds for a long host of combining marks.
  const parsed = url.length <= 2_000 && URL.canParse(url) ? new URL(url) : null;
  const hasMore = parsed && (parsed.username || parsed.password || parsed.search || parsed.hash);
  if (!parsed || hasMore || !/^https?:$/.test(parsed.protocol)) {
    const message = `The Akismet URL must be an absolute http or https URL without a query, such as ${AKISMET_URL}.`;
    throw refuse(message, ['invalid_akismet_url']);
  }
  return { key, url: parsed.href.replace(/\/+$/, ''), site };
}
