/** What is said of the action that the query names with `done`; null where it names none of these. */
export function flash(texts: Readonly<Record<string, string>>, query: URLSearchParams): string | null {
  const word = query.get('done') ?? '';
  return Object.hasOwn(texts, word) ? (texts[word] ?? null) : null;
}
