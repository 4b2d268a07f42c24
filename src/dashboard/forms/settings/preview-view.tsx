/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { samplePayload } from '../../../domain/fields/field-types.ts';
import { type SampleKind, sampleMail } from '../../../services/mail/sample-mail.ts';
import { ErrorMessage, FactList, PostButton } from '../../ui/elements.tsx';
import { Choice } from '../../ui/form-inputs.tsx';
import { getFields } from '../../ui/sample-fields.ts';
import type { SettingsProps } from './settings-props.ts';
import { SETTINGS_TEXTS } from './texts.ts';

export function ThanksPreview({ viewer, form }: SettingsProps) {
  const { preview: t } = SETTINGS_TEXTS[viewer.language];
  return (
    <aside class="preview" aria-label={t.title}>
      {form.redirectUrl !== null && <p class="soft">{t.redirected}</p>}
      <a class="button quiet" href={`/dashboard/forms/${form.id}/preview/thanks`} target="_blank" rel="noopener">
        {t.thanks}
      </a>
    </aside>
  );
}

/** The head of a sample mail, with a link to the whole and a button that sends it. */
export function MailPreview(props: SettingsProps & Readonly<{ kind: SampleKind }>) {
  const { viewer, form, kind, hasMail, email, test } = props;
  const { preview: t } = SETTINGS_TEXTS[viewer.language];
  const { language } = viewer;
  const sample = sampleMail(kind, form, samplePayload(getFields(form, viewer.texts)), { language, baseUrl: null });
  const address = `/dashboard/forms/${form.id}/preview/${kind}`;
  return (
    <aside class="preview" aria-labelledby="preview-title">
      <h3 id="preview-title">{t.title}</h3>
      <p class="soft small">{t.text}</p>
      <ErrorMessage error={test?.error} />
      <FactList
        facts={[
          [t.subject, <bdi>{sample?.subject}</bdi>],
          [t.replyTo, sample?.replyTo],
        ]}
      />
      <div class="row">
        <a class="button quiet" href={address} target="_blank" rel="noopener">
          {t.mail}
        </a>
        {hasMail && <PostButton action={address} text={t.send} />}
        {hasMail && <span class="soft small">{t.sendsTo(email)}</span>}
      </div>
    </aside>
  );
}

/** The hosted page as it is saved. The script shows unsaved input in it. */
export function LivePreview({ viewer, form, section }: SettingsProps) {
  const t = SETTINGS_TEXTS[viewer.language];
  const path = `/dashboard/forms/${form.id}`;
  return (
    <aside class="live-preview" aria-labelledby="preview-title">
      <div class="row">
        <h2 id="preview-title">{t.livePreview}</h2>
        <Choice type="radio" name="device" value="desktop" checked={true} text={t.desktop} />
        <Choice type="radio" name="device" value="phone" checked={false} text={t.phone} />
      </div>
      <iframe
        src={`${path}/preview/page`}
        title={t.livePreview}
        sandbox="allow-same-origin"
        data-preview={`${path}/settings/${section}/preview`}
      />
    </aside>
  );
}
