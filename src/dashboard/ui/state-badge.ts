import { type Html, html } from '../../lib/html.ts';

/** A badge for a setting that is on or off. */
export function stateBadge(isGood: boolean, words: string): Html {
  return html`<span class="badge${isGood && ' good'}">${words}</span>`;
}
