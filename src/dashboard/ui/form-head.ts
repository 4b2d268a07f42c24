import type { Form } from '../../domain/form.ts';
import { type Html, html } from '../../lib/html.ts';
import type { Viewer } from '../viewer.ts';

const PARTS = [
  ['submissions', '', 'read'],
  ['settings', '/settings', 'edit'],
  ['connect', '/connect', 'read'],
  ['export', '/export', 'read'],
] as const;

/** What stands over every page of a form: its name, and the way to the others. */
export function formHead({ texts, can }: Viewer, form: Form, current: (typeof PARTS)[number][0]): Html {
  const tabs = PARTS.filter(([, , access]) => can(access)).map(
    ([part, path]) =>
      html`<li><a href="/dashboard/forms/${form.id}${path}"${part === current ? html` aria-current="page"` : ''}>${texts.form[part]}</a></li>`,
  );
  return html`<p class="small"><a href="/dashboard/forms">${texts.form.all}</a></p>
<div class="head"><h1>${form.name}</h1>${!form.isActive && html`<span class="badge bad">${texts.form.paused}</span>`}</div>
<nav aria-label="${texts.form.parts}"><ul class="tabs">${tabs}</ul></nav>`;
}
