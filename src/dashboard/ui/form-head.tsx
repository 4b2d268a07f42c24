/** @jsxRuntime automatic @jsxImportSource hono/jsx */

import type { Form } from '../../domain/form.ts';
import type { Markup } from '../../lib/markup.ts';
import type { Viewer } from '../viewer.ts';
import { LinkLine } from './elements.tsx';

const TABS = [
  ['overview', '', 'read'],
  ['submissions', '/submissions', 'read'],
  ['settings', '/settings', 'edit'],
  ['connect', '/connect', 'read'],
  ['webhooks', '/webhooks', 'edit'],
  ['export', '/export', 'read'],
] as const;

type Props = Readonly<{
  viewer: Viewer;
  form: Form;
  current: (typeof TABS)[number][0];
  /** The actions on the form. */
  menu?: Markup;
}>;

/** The head of a form's pages: its name and a tab for each of them. */
export function FormHead({ viewer, form, current, menu }: Props) {
  const { form: t } = viewer.texts;
  return (
    <>
      <LinkLine href="/dashboard/forms" text={t.all} isSmall />
      <div class="head">
        <h1>{form.name}</h1>
        {form.archivedAt !== null && <span class="badge">{t.archived}</span>}
        {form.archivedAt === null && !form.isActive && <span class="badge bad">{t.paused}</span>}
        {menu}
      </div>
      <nav aria-label={t.parts}>
        <ul class="tabs">
          {TABS.filter(([, , access]) => viewer.can(access)).map(([tab, path]) => (
            <li>
              <a href={`/dashboard/forms/${form.id}${path}`} aria-current={tab === current ? 'page' : undefined}>
                {t[tab]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
