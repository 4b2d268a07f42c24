/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { ownAddress } from '../../../http/own-address.ts';
import { DAY } from '../../../lib/clock.ts';
import type { Markup } from '../../../lib/markup.ts';
import { flash, type Page, type PageContext } from '../../page.ts';
import { ErrorMessage } from '../../ui/elements.tsx';
import { FormHead } from '../../ui/form-head.tsx';
import { Icon } from '../../ui/icon.tsx';
import { DangerZone } from './danger-view.tsx';
import { getDraft } from './fields.ts';
import { FieldsEditor } from './fields-editor.tsx';
import { FRAMED, LivePreview, SavedPreview } from './preview-view.tsx';
import { SectionInputs } from './section-inputs.tsx';
import { SECTIONS, type Section } from './sections.ts';
import { MAX_COUNT, type Retention, type SettingsProps, type Unsaved } from './settings-props.ts';
import { SETTINGS_TEXTS } from './texts.ts';

/** Returns a sub-page of the settings, with input that was not saved. */
export async function settingsPage(
  page: PageContext<'edit'>,
  form: Form,
  section: Section,
  unsaved: Unsaved = {},
): Promise<Page> {
  const { context, viewer, team, user, request, query } = page;
  const { store, mail, config } = context;
  const t = SETTINGS_TEXTS[viewer.language];
  const hasErrors = Object.keys({ ...unsaved.rejected?.errors, ...unsaved.draft?.errors }).length > 0;
  const done = { saved: t.saved, sent: t.preview.sent, paused: t.danger.paused, resumed: t.danger.resumed };
  return {
    title: `${t.titles[section]} · ${viewer.texts.form.settings} · ${form.name}`,
    section: 'forms',
    status: unsaved.test?.status ?? (hasErrors ? 400 : 200),
    done: flash(done, query),
    body: (
      <SettingsView
        {...{ viewer, form, section }}
        hasMail={mail.sender !== null}
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

/** A sub-page of a form's settings, with links to the others. */
function SettingsView(props: SettingsProps) {
  const { viewer, form, section } = props;
  const t = SETTINGS_TEXTS[viewer.language];
  const links = SECTIONS.map((one) => (
    <a href={getAddress(form, one)} aria-current={one === section ? 'page' : undefined}>
      {t.titles[one]}
    </a>
  ));
  return (
    <>
      <FormHead viewer={viewer} form={form} current="settings" />
      <div class={hasPreview(section) || isFramed(section) ? 'settings with-preview' : 'settings'}>
        <nav aria-label={t.pages}>
          <details class="menu folders">
            <summary>
              {t.titles[section]} <Icon name="down" />
            </summary>
            <div>{links}</div>
          </details>
          <ul>
            {links.map((link) => (
              <li>{link}</li>
            ))}
          </ul>
        </nav>
        <section id={section} aria-labelledby="section-title">
          <div class="row title">
            <h2 id="section-title">{t.titles[section]}</h2>
            <a class="soft" href={`/docs/${MANUAL[section]}`} title={t.manual}>
              <Icon name="help" label={t.manual} />
            </a>
          </div>
          {section === 'danger' ? getInputs(props) : <SettingsForm {...props} />}
        </section>
        {hasPreview(section) && <LivePreview {...props} />}
        {isFramed(section) && <SavedPreview {...props} kind={FRAMED[section]} />}
      </div>
    </>
  );
}

/** The section of the manual that explains a sub-page. */
export const MANUAL: Readonly<Record<Section, string>> = {
  general: 'connect-forms#form-settings',
  fields: 'connect-forms#fields-and-rules',
  after: 'connect-forms#success',
  appearance: 'connect-forms#hosted-page',
  access: 'connect-forms#opening-and-limits',
  spam: 'spam',
  mail: 'mail#notifications',
  reply: 'mail#auto-replies',
  data: 'connect-forms#consent-texts',
  danger: 'dashboard-and-teams',
};

const hasPreview = (section: Section): boolean => section === 'fields' || section === 'appearance';
const isFramed = (section: Section): section is keyof typeof FRAMED => section in FRAMED;

export function getAddress({ id }: Pick<Form, 'id'>, section: Section): string {
  return `/dashboard/forms/${id}/settings/${section}`;
}

/** The form of a section, with one bar to save it. `data-changed` marks input that is not saved. */
function SettingsForm(props: SettingsProps) {
  const { viewer, form, section, rejected, draft, check } = props;
  const t = SETTINGS_TEXTS[viewer.language];
  const { common } = viewer.texts;
  const errors = { ...rejected?.errors, ...draft?.errors };
  const isUnsaved = rejected !== undefined || draft !== undefined;
  return (
    <form
      method="post"
      action={getAddress(form, section)}
      enctype={section === 'appearance' ? 'multipart/form-data' : undefined}
      data-part=""
      data-changed={isUnsaved ? 'yes' : undefined}
    >
      {section === 'fields' && (
        // biome-ignore lint/a11y/noAriaHiddenOnFocusable: not in the tab order. The Enter key presses it.
        <button class="visually-hidden" tabindex={-1} aria-hidden="true">
          {common.save}
        </button>
      )}
      <ErrorMessage error={Object.keys(errors).length > 0 ? t.notSaved : null} />
      {getInputs(props)}
      {check === undefined && (
        <div class="savebar">
          <button>{common.save}</button>
          <a class="button quiet" href={getAddress(form, section)} data-discard="">
            {t.discard}
          </a>
          <span class="soft">{t.unsaved}</span>
        </div>
      )}
    </form>
  );
}

function getInputs(props: SettingsProps): Markup {
  const { viewer, form, draft, section } = props;
  if (section === 'danger') return <DangerZone {...props} />;
  if (section !== 'fields') return <SectionInputs {...props} section={section} />;
  return <FieldsEditor viewer={viewer} draft={draft ?? getDraft(form)} action={getAddress(form, 'fields')} />;
}
