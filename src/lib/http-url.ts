/** The limit of URLs that people enter. `URL` takes seconds for a long host of combining marks, so it is checked before. */
export const MAX_URL_LENGTH = 2_000;

/** Parses an http or https URL without credentials, relative to `base` if given. Returns null for anything else. */
export function parseHttpUrl(text: string, base?: URL): URL | null {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text, base?.href) : null;
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : null;
}
