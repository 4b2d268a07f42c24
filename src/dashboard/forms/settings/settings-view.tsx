/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/forms/form.ts';
import type { Markup } from '../../../lib/markup.ts';
import { ErrorMessage, LinkRow } from '../../ui/elements.tsx';
import { FormHead } from '../../ui/form-head.tsx';
import { DangerZone } from './danger-view.tsx';
import { getDraft } from './fields.ts';
import { FieldsEditor } from './fields-editor.tsx';
import { MailPreview, ThanksPreview } from './preview-view.tsx';
import { SectionInputs } from './section-inputs.tsx';
import { SECTIONS, type Section } from './sections.ts';
import type { SettingsProps } from './settings-props.ts';

/** A sub-page of a form's settings, with links to the others. */
export function SettingsView(props: SettingsProps) {
  const { viewer, form, section } = props;
  const { settings: t } = viewer.texts;
  const links = SECTIONS.map((one) => [getAddress(form, one), t.titles[one], one === section] as const);
  return (
    <>
      <FormHead viewer={viewer} form={form} current="settings" />
      <div class="settings">
        <LinkRow style="plain" label={t.pages} links={links} />
        <section id={section} aria-labelledby="section-title">
          <h2 id="section-title">{t.titles[section]}</h2>
          <p class="soft">{t.intros[section]}</p>
          {section === 'danger' ? getInputs(props) : <SettingsForm {...props} />}
          {section === 'after' && <ThanksPreview {...props} />}
          {section === 'mail' && <MailPreview {...props} kind="notification" />}
          {section === 'reply' && form.autoReplyText !== null && <MailPreview {...props} kind="auto-reply" />}
        </section>
      </div>
    </>
  );
}

export function getAddress({ id }: Pick<Form, 'id'>, section: Section): string {
  return `/dashboard/forms/${id}/settings/${section}`;
}

/** The form of a section, with one bar to save it. `data-changed` marks input that is not saved. */
function SettingsForm(props: SettingsProps) {
  const { viewer, form, section, rejected, draft, check } = props;
  const { settings: t, common } = viewer.texts;
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
