import type { JSX } from 'hono/jsx/jsx-runtime';

/** Markup of a page or mail. Texts in it are escaped. */
export type Markup = JSX.Element;

/** Renders markup. Components are synchronous, so that it is never a promise. */
export const render = (markup: Markup): string => String(markup);

export const renderDocument = (markup: Markup): string => `<!doctype html>\n${render(markup)}`;
