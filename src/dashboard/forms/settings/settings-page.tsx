/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { ownAddress } from '../../../http/own-address.ts';
import { DAY } from '../../../lib/clock.ts';
import { flash, type Page, type PageContext } from '../../page.ts';
import { MAX_COUNT, type Retention } from './retention-outlook.tsx';
import type { Section } from './sections.ts';
import type { Unsaved } from './settings-props.ts';
import { SettingsView } from './settings-view.tsx';

/** Returns a sub-page of the settings, with input that was not saved. */
export async function settingsPage(
  page: PageContext<'edit'>,
  form: Form,
  section: Section,
  unsaved: Unsaved = {},
): Promise<Page> {
  const { context, viewer, team, user, request, query } = page;
  const { store, mail, config } = context;
  const { settings: t } = viewer.texts;
  const hasErrors = Object.keys({ ...unsaved.rejected?.errors, ...unsaved.draft?.errors }).length > 0;
  const done = { saved: t.saved, sent: t.preview.sent, paused: t.danger.paused, resumed: t.danger.resumed };
  return {
    title: `${t.titles[section]} · ${viewer.texts.form.settings} · ${form.name}`,
    section: 'forms',
    status: unsaved.test?.status ?? (hasErrors ? 400 : 200),
    done: flash(done, query),
    body: (
      <SettingsView
        viewer={viewer}
        form={form}
        section={section}
        hasMail={mail !== null}
        origin={ownAddress(request, config.baseUrl) ?? ''}
        email={user.email}
        savedLogo={section === 'appearance' ? await store.forms.findLogo(form.id) : null}
        retention={section === 'data' ? await readRetention(context, form) : null}
        workspaces={section === 'danger' ? await store.workspaces.list(team.id) : []}
        {...unsaved}
      />
    ),
  };
}

async function readRetention({ store, clock, config }: Context, { id, retentionDays }: Form): Promise<Retention> {
  const days = retentionDays ?? config.retentionDays;
  if (days === null) return { instanceDays: config.retentionDays, next: null };
  const before = clock() - days * DAY;
  const next = { days, before, count: await store.retention.countOlder(id, before, MAX_COUNT + 1) };
  return { instanceDays: config.retentionDays, next };
}
