import Negotiator from 'negotiator';
import { LANGUAGES, type Language } from './texts/index.ts';

const MAX_CACHED = 500;
const MAX_CACHED_LENGTH = 200;

const cache = new Map<string, Language>();

/** Returns the supported language that Accept-Language prefers (RFC 9110, section 12.5.4), or English. */
export function languageOf(request: Request): Language {
  const header = request.headers.get('accept-language');
  if (header === null) return 'en';
  const cached = cache.get(header);
  if (cached) return cached;
  const language = negotiate(header);
  if (header.length <= MAX_CACHED_LENGTH) {
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(header, language);
  }
  return language;
}

function negotiate(header: string): Language {
  const best = new Negotiator({ headers: { 'accept-language': header } }).language([...LANGUAGES]);
  return LANGUAGES.find((language) => language === best) ?? 'en';
}
