/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context.ts';
import type { ChallengeInput } from '../../../domain/challenge.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Form, FormChanges } from '../../../domain/form.ts';
import { DAY } from '../../../lib/clock.ts';
import { challengeSettings } from '../../../services/challenge.ts';
import { requireForm } from '../../../services/forms.ts';
import { action, type DashboardRoute, type PageContext, page, redirectTo } from '../../page.ts';
import type { Page } from '../../ui/layout.tsx';
import type { Viewer } from '../../viewer.ts';
import { editDraft, readDraft, validateDraft } from './fields.ts';
import { MAX_COUNT, type Retention } from './retention-outlook.tsx';
import { parseSection, SECTIONS, type Section } from './sections.ts';
import type { Unsaved } from './settings-props.ts';
import { SettingsView } from './settings-view.tsx';

/** Settings of a form, saved by section. */
export function formSettingsRoutes({ store, vault, mail, clock, config }: Context): readonly DashboardRoute[] {
  const findForm = ({ param, team }: PageContext<'edit'>) => requireForm(store, param('formId'), team.id);

  const retentionOf = async ({ id, retentionDays }: Form): Promise<Retention> => {
    const days = retentionDays ?? config.retentionDays;
    if (days === null) return { instanceDays: config.retentionDays, next: null };
    const before = clock() - days * DAY;
    const next = { days, before, count: await store.countOlder(id, before, MAX_COUNT + 1) };
    return { instanceDays: config.retentionDays, next };
  };

  const settingsPage = async (viewer: Viewer, form: Form, unsaved: Unsaved): Promise<Page> => {
    const hasErrors = Object.keys({ ...unsaved.rejected?.errors, ...unsaved.draft?.errors }).length > 0;
    const retention = await retentionOf(form);
    return {
      title: `${viewer.texts.form.settings} · ${form.name}`,
      section: 'forms',
      status: hasErrors ? 400 : 200,
      body: <SettingsView viewer={viewer} form={form} hasMail={mail !== null} retention={retention} {...unsaved} />,
    };
  };

  const show = async (page: PageContext<'edit'>): Promise<Page> => {
    const saved = SECTIONS.find((section) => section === page.query.get('done'));
    return settingsPage(page.viewer, await findForm(page), { saved });
  };

  const save = async ({ team, note }: PageContext<'edit'>, form: Form, section: Section, changes: FormChanges) => {
    const before = new Map<string, unknown>(Object.entries(form));
    await store.updateForm(form.id, changes, team.id);
    const changed = Object.entries(changes).filter(([name, value]) => !Bun.deepEquals(value, before.get(name)));
    note({ settings: changed.map(([name]) => name).join(', ') });
    return redirectTo(`/dashboard/forms/${form.id}/settings?done=${section}#${section}`);
  };

  const saveFields = async (page: PageContext<'edit'>, form: Form, input: URLSearchParams) => {
    const { viewer } = page;
    const submitted = readDraft(input);
    const edited = editDraft(submitted, input);
    if (edited) {
      page.note({}, { action: null });
      return settingsPage(viewer, form, { draft: edited });
    }
    const { changes, draft } = validateDraft(submitted, viewer.texts);
    return changes ? save(page, form, 'fields', changes) : settingsPage(viewer, form, { draft });
  };

  const saveSection = async (page: PageContext<'edit'>, input: URLSearchParams) => {
    const { viewer } = page;
    const form = await findForm(page);
    const section = SECTIONS.find((known) => known === page.param('section'));
    if (!section) throw new AppError('not_found', 'There is no such section of the settings.');
    if (section === 'fields') return saveFields(page, form, input);
    const seal = (wanted: ChallengeInput | null) => challengeSettings(vault, form.id, wanted);
    const { changes, errors } = parseSection(section, form, input, viewer.texts, seal);
    if (Object.keys(errors).length === 0) return save(page, form, section, changes);
    return settingsPage(viewer, form, { rejected: { section, input, errors } });
  };

  return [
    page('/dashboard/forms/:formId/settings', { access: 'edit' }, show),
    action('/dashboard/forms/:formId/settings/:section', { access: 'edit', audit: 'form.changed' }, saveSection),
  ];
}
