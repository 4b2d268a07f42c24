/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { Html } from '../../lib/html.ts';

/** Markup of a page. Texts in it are escaped. */
export type Markup = JSX.Element;

/** Renders markup. Components are synchronous, so that it is never a promise. */
export function render(markup: Markup): string {
  return String(markup);
}

/** Puts markup of an `html` template into JSX, until that template is JSX too. */
export function Raw({ html }: Readonly<{ html: Html | null | false }>) {
  return raw(String(html || ''));
}

/** Puts JSX into an `html` template, until that template is JSX too. */
export function toHtml(markup: Markup): Html {
  return new Html(render(markup));
}
