/** Longer headers are cut before they are parsed: some parsers take a microsecond or more per character. */
const MAX_LENGTH = 500;

/** Returns the beginning of a header, or null if the request lacks it. */
export function shortHeader({ headers }: Request, name: string): string | null {
  return headers.get(name)?.slice(0, MAX_LENGTH) ?? null;
}
