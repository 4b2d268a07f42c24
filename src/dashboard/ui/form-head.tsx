/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../domain/forms/form.ts';
import type { Markup } from '../../lib/markup.ts';
import type { Viewer } from '../viewer.ts';
import { LinkLine, LinkRow } from './elements.tsx';

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
  const tabs = TABS.filter(([, , access]) => viewer.can(access));
  return (
    <div class="form-head">
      <LinkLine href="/dashboard/forms" text={t.all} isSmall />
      <div class="head">
        <h1>{form.name}</h1>
        {form.archivedAt !== null && <span class="badge">{t.archived}</span>}
        {form.archivedAt === null && !form.isActive && <span class="badge bad">{t.paused}</span>}
        {menu}
      </div>
      <LinkRow
        style="tabs"
        label={t.parts}
        links={tabs.map(([tab, path]) => [`/dashboard/forms/${form.id}${path}`, t[tab], tab === current])}
      />
    </div>
  );
}
