/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/form.ts';
import type { Markup } from '../../../lib/markup.ts';
import { FormHead } from '../../ui/form-head.tsx';
import { draftOf } from './fields.ts';
import { FieldsEditor } from './fields-editor.tsx';
import {
  AccessInputs,
  AfterInputs,
  GeneralInputs,
  MailInputs,
  ReplyInputs,
  RetentionInputs,
  SpamInputs,
} from './section-inputs.tsx';
import type { Section } from './sections.ts';
import type { SettingsProps } from './settings-props.ts';

/** All settings of a form. Each section is saved by itself. */
export function SettingsView(props: SettingsProps) {
  const { viewer, form, draft } = props;
  const { settings: t, retention } = viewer.texts;
  return (
    <>
      <FormHead viewer={viewer} form={form} current="settings" />
      <SettingsSection name="general" title={t.general} text={t.generalText} {...props}>
        <GeneralInputs {...props} />
      </SettingsSection>
      <SettingsSection name="fields" title={t.fields} text={t.fieldsText} {...props}>
        <FieldsEditor viewer={viewer} draft={draft ?? draftOf(form)} action={auditActionOf(form, 'fields')} />
      </SettingsSection>
      <SettingsSection name="after" title={t.after} text={t.afterText} {...props}>
        <AfterInputs {...props} />
      </SettingsSection>
      <SettingsSection name="access" title={t.access} text={t.accessText} {...props}>
        <AccessInputs {...props} />
      </SettingsSection>
      <SettingsSection name="spam" title={t.spam} text={t.spamText} {...props}>
        <SpamInputs {...props} />
      </SettingsSection>
      <SettingsSection name="mail" title={t.mail} text={t.mailText} {...props}>
        <MailInputs {...props} />
      </SettingsSection>
      <SettingsSection name="reply" title={t.reply} text={t.replyText} {...props}>
        <ReplyInputs {...props} />
      </SettingsSection>
      <SettingsSection name="retention" title={retention.title} text={retention.text} {...props}>
        <RetentionInputs {...props} />
      </SettingsSection>
    </>
  );
}

function auditActionOf({ id }: Form, section: Section): string {
  return `/dashboard/forms/${id}/settings/${section}`;
}

type SectionProps = SettingsProps & Readonly<{ name: Section; title: string; text: string; children: Markup }>;

/** A section with its form. */
function SettingsSection({ viewer, form, rejected, draft, saved, name, title, text, children }: SectionProps) {
  const { settings: t, common } = viewer.texts;
  const isDraft = name === 'fields' && draft !== undefined;
  const isRejected = rejected?.section === name || (isDraft && Object.keys(draft.errors).length > 0);
  return (
    <section class="part" id={name} aria-labelledby={`${name}-title`}>
      <div>
        <h2 id={`${name}-title`}>{title}</h2>
        <p class="soft small">{text}</p>
      </div>
      <form class="card" method="post" action={`${auditActionOf(form, name)}#${name}`} data-part="">
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: not in the tab order. The Enter key presses it. */}
        <button class="visually-hidden" tabindex={-1} aria-hidden="true">
          {common.save}
        </button>
        {saved === name && (
          <p class="done" role="status">
            {t.saved}
          </p>
        )}
        {isRejected && (
          <p class="error" role="alert">
            {t.notSaved}
          </p>
        )}
        {children}
        <div class="row">
          <button>{common.save}</button>
          {isDraft && !isRejected && (
            <span class="soft" role="status">
              {t.changed}
            </span>
          )}
        </div>
      </form>
    </section>
  );
}
