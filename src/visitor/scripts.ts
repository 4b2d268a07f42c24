import { readFileSync } from 'node:fs';
// Imported as a file: a binary would contain a text import twice, in the code and in its bytecode.
import widget from 'altcha/i18n' with { type: 'file' };
import { Elysia } from 'elysia';
import { scriptHandler } from '../http/script.ts';
import { dropInScript } from './bundle-drop-in.ts';

/** The widget's own build has short names already. */
const WIDGET_OPTIONS = { loader: 'js', target: 'browser', minifyWhitespace: true } as const;

/** Registers the scripts for pages with forms: `/formstead.js` and the ALTCHA widget `/altcha.js`. */
export function scriptRoutes() {
  return new Elysia().get('/formstead.js', scriptHandler(dropInScript)).get(
    '/altcha.js',
    scriptHandler(async () => new Bun.Transpiler(WIDGET_OPTIONS).transformSync(readFileSync(widget, 'utf8'))),
  );
}
