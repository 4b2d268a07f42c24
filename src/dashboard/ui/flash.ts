/** Returns the flash message that the query names with `done`; null for an unknown one. */
export function flash(texts: Readonly<Record<string, string>>, query: URLSearchParams): string | null {
  const word = query.get('done') ?? '';
  return Object.hasOwn(texts, word) ? (texts[word] ?? null) : null;
}
