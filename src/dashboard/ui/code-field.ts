import { type Html, html } from '../../lib/html.ts';
import type { Viewer } from '../viewer.ts';

const INVALID = html` aria-invalid="true"`;

/** The input for a code of the authenticator app. */
export function codeField({ texts: { secondFactor: words } }: Viewer, isWrong: boolean): Html {
  return html`<div class="field"><label for="code">${words.code}</label>
<input id="code" name="code" required inputmode="numeric" autocomplete="one-time-code" spellcheck="false" aria-describedby="code_hint"${isWrong && INVALID}>
<span class="hint" id="code_hint">${words.codeHint}</span></div>`;
}
