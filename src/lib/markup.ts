import type { JSX } from 'hono/jsx/jsx-runtime';

/** Markup of a page or mail. Texts in it are escaped. */
export type Markup = JSX.Element;

/** Renders markup. Components are synchronous, so that it is never a promise. */
export function render(markup: Markup): string {
  return String(markup);
}

export function renderDocument(markup: Markup): string {
  return `<!doctype html>\n${render(markup)}`;
}
