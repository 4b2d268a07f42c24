/** Returns a quoted attribute value. */
export function attribute(value: string): string {
  return `"${Bun.escapeHTML(value)}"`;
}

/** Returns a JavaScript string literal, safe in an HTML script too. */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('<', '\\u003c')}'`;
}

/** Escapes a text for JSX and Astro, where braces are syntax. */
export function inBraces(text: string): string {
  return braced(Bun.escapeHTML(text));
}

/** Escapes the braces of markup for JSX and Astro. */
export function braced(markup: string): string {
  return markup.replaceAll('{', '&#123;').replaceAll('}', '&#125;');
}

/** Quotes a text for a POSIX shell. */
export function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Joins lines; skips null and undefined. */
export function lines(...parts: ReadonlyArray<string | null | undefined>): string {
  return parts.filter((part) => typeof part === 'string').join('\n');
}
