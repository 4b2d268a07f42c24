/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { samplePayload } from '../../../domain/fields/field-types.ts';
import { type SampleKind, sampleMail } from '../../../services/mail/sample-mail.ts';
import { ErrorMessage, FactList, PostButton } from '../../ui/elements.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Choice } from '../../ui/form-inputs.tsx';
import { getFields } from '../../ui/sample-fields.ts';
import type { SettingsProps } from './settings-props.ts';
import { SETTINGS_TEXTS } from './texts.ts';

/** Previews in frames, by section. */
export const FRAMED = { after: 'thanks', mail: 'notification', reply: 'auto-reply' } as const;

/** The thank-you page, or a mail with sample values, as it is saved; with a button that sends the mail. */
export function SavedPreview({ kind, ...props }: SettingsProps & Readonly<{ kind: SampleKind | 'thanks' }>) {
  const { viewer, form, hasMail, email, test } = props;
  const { preview: t } = SETTINGS_TEXTS[viewer.language];
  const { language } = viewer;
  const address = `/dashboard/forms/${form.id}/preview/${kind}`;
  const payload = samplePayload(getFields(form, viewer.texts));
  const sample = kind === 'thanks' ? null : sampleMail(kind, form, payload, { language, baseUrl: null });
  if (kind === 'auto-reply' && sample === null) {
    return (
      <aside class="live-preview" aria-label={t.title}>
        <EmptyState icon="mail" title={t.noReply} text={t.noReplyText} />
      </aside>
    );
  }
  return (
    <aside class="live-preview" aria-labelledby="preview-title">
      <div class="row">
        <h2 id="preview-title">{t.title}</h2>
        <a href={address} target="_blank" rel="noopener">
          {t.open}
        </a>
      </div>
      {kind !== 'thanks' && <p class="soft small">{t.text}</p>}
      {kind === 'thanks' && form.redirectUrl !== null && <p class="soft small">{t.redirected}</p>}
      <ErrorMessage error={test?.error} />
      {sample && (
        <FactList
          facts={[
            [t.subject, <bdi>{sample.subject}</bdi>],
            [t.replyTo, sample.replyTo],
          ]}
        />
      )}
      <iframe src={address} title={t.title} sandbox="" />
      {sample && hasMail && (
        <div class="row">
          <PostButton action={address} text={t.send} />
          <span class="soft small">{t.sendsTo(email)}</span>
        </div>
      )}
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
      {!form.hasHostedPage && <p class="soft small">{t.notPublic}</p>}
      <iframe
        src={`${path}/preview/page`}
        title={t.livePreview}
        sandbox="allow-same-origin"
        data-preview={`${path}/settings/${section}/preview`}
      />
    </aside>
  );
}
