/**
 * A text on one line: control characters and line breaks become single spaces, marks that turn what follows around are
 * left out, and the end is cut at `longest`.
 */
export function toSingleLine(text: string, longest: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
}
