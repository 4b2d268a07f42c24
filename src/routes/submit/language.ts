import Negotiator from 'negotiator';
import { LANGUAGES, type Language } from './texts/index.ts';

const MAX_KNOWN = 500;
const MAX_KNOWN_LENGTH = 200;

const known = new Map<string, Language>();

/** The language of ours that a visitor likes best, by Accept-Language (RFC 9110, section 12.5.4); English without. */
export function languageOf(request: Request): Language {
  const wanted = request.headers.get('accept-language');
  if (wanted === null) return 'en';
  const before = known.get(wanted);
  if (before) return before;
  const language = negotiate(wanted);
  if (wanted.length <= MAX_KNOWN_LENGTH) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(wanted, language);
  }
  return language;
}

function negotiate(wanted: string): Language {
  const best = new Negotiator({ headers: { 'accept-language': wanted } }).language([...LANGUAGES]);
  return LANGUAGES.find((language) => language === best) ?? 'en';
}
