/**
 * Formats text for a single line: replaces control characters and line breaks with spaces, drops bidirectional marks
 * and truncates to `maxLength` code points with an ellipsis.
 */
export function toSingleLine(text: string, maxLength: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line;
}
