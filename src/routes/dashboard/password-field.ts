import { MIN_PASSWORD_LENGTH } from '../../domain/password.ts';
import { type Html, html } from '../../lib/html.ts';
import type { Reader } from './reader.ts';

/** Where a password that is there already is asked for. */
export function presentPasswordField({ texts }: Reader, label: string, isWrong: boolean): Html {
  return html`<div class="field"><label for="password">${label}</label>
<div class="row"><input type="password" id="password" name="password" required autocomplete="current-password"${isWrong && INVALID}>${showButton(texts, 'password')}</div></div>`;
}

/** Where one is thought of; asked for once, since it can be looked at. */
export function newPasswordField({ texts }: Reader, isWrong: boolean): Html {
  return html`<div class="field"><label for="new_password">${texts.password.new}</label>
<div class="row"><input type="password" id="new_password" name="new_password" required minlength="${MIN_PASSWORD_LENGTH}" autocomplete="new-password" aria-describedby="new_password_hint"${isWrong && INVALID}>${showButton(texts, 'new_password')}</div>
<span class="hint" id="new_password_hint">${texts.password.hint(MIN_PASSWORD_LENGTH)}</span></div>`;
}

const INVALID = html` aria-invalid="true"`;

/** Shown by script, which makes it work. */
function showButton({ password }: Reader['texts'], name: string): Html {
  return html`<button type="button" class="quiet" data-shows="${name}" aria-pressed="false" hidden>${password.show}</button>`;
}
