import type { Context } from '../../../context.ts';
import { AKISMET_URL, type AkismetSettings, validateAkismet } from '../../../domain/akismet.ts';
import type { Form } from '../../../domain/form.ts';
import { type Akismet, type AkismetFailure, openAkismet, sealAkismet } from '../../../intake/spam/akismet.ts';
import type { Texts } from '../../i18n/index.ts';
import { parseInput } from '../../ui/parse-input.ts';
import type { ParsedSection } from './sections.ts';

type Deps = Readonly<{
  vault: Context['vault'];
  akismet: Akismet;
  /** The address of this instance. */
  site: string;
  /** Counts a request of the current user, and returns false if there were too many. */
  mayAsk: () => boolean;
}>;

/** The address of a form's service, and its latest failure; null if the form has none. */
export type ShownAkismet = Readonly<{ url: string; failure: AkismetFailure | null }> | null;

/** Returns what the settings show of a form's service. */
export function shownAkismet({ vault, akismet }: Pick<Deps, 'vault' | 'akismet'>, form: Form): ShownAkismet {
  const settings = openAkismet(vault, form);
  return settings && { url: settings.url, failure: akismet.lastFailure(form.id) };
}

/**
 * Reads the inputs of the service and has it verify a new key. An empty key keeps the current one only for the same URL:
 * otherwise an editor could have it sent to another server.
 */
export async function readAkismet(
  deps: Deps,
  form: Form,
  input: URLSearchParams,
  texts: Texts,
): Promise<ParsedSection> {
  const { vault, site } = deps;
  if (!input.has('akismet')) return { changes: form.akismetKey === null ? {} : { akismetKey: null }, errors: {} };
  const current = openAkismet(vault, form);
  const url = input.get('akismetUrl')?.trim() || AKISMET_URL;
  const key = input.get('akismetKey')?.trim() ?? '';
  if (current && key === '' && url === current.url) return { changes: {}, errors: {} };
  const checkedKey = parseInput(texts, () => validateAkismet({ key, url: AKISMET_URL, site }));
  const checkedUrl = parseInput(texts, () => validateAkismet({ key: 'any', url, site }));
  if ('error' in checkedKey || 'error' in checkedUrl) {
    const errors = {
      ...('error' in checkedKey && { akismetKey: checkedKey.error }),
      ...('error' in checkedUrl && { akismetUrl: checkedUrl.error }),
    };
    return { changes: {}, errors };
  }
  const settings = { ...checkedUrl.value, key };
  const error = await verificationError(deps, settings, texts);
  if (error !== null) return { changes: {}, errors: { akismetKey: error } };
  return { changes: { akismetKey: sealAkismet(vault, form.id, settings) }, errors: {} };
}

/** Returns why the service does not take the key; null if it does. */
async function verificationError({ akismet, mayAsk }: Deps, settings: AkismetSettings, texts: Texts) {
  const { check, akismet: t } = texts.settings;
  if (!mayAsk()) return check.tooMany;
  const result = await akismet.verifyKey(settings);
  return result === 'valid' ? null : t.failures[result];
}
