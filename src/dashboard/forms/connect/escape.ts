/** Returns a quoted attribute value. */
export const attribute = (value: string): string => `"${Bun.escapeHTML(value)}"`;

/** Returns a JavaScript string literal, safe in an HTML script too. */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('<', '\\u003c')}'`;
}

/** Escapes a text for JSX and Astro, where braces are syntax. */
export const inBraces = (text: string): string => braced(Bun.escapeHTML(text));

/** Escapes the braces of markup for JSX and Astro. */
export const braced = (markup: string): string => markup.replaceAll('{', '&#123;').replaceAll('}', '&#125;');

/** Quotes a text for a POSIX shell. */
export const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Joins lines; skips null and undefined. */
export function lines(...parts: ReadonlyArray<string | null | undefined>): string {
  return parts.filter((part) => typeof part === 'string').join('\n');
}
