/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { CheckInput, LineInput, TextInput } from '../../ui/form-inputs.tsx';
import { inputOf } from './input-of.ts';
import { RetentionOutlook } from './retention-outlook.tsx';
import type { SettingsProps } from './settings-props.ts';

export function GeneralInputs(props: SettingsProps) {
  const { settings: t } = props.viewer.texts;
  return (
    <>
      <LineInput {...inputOf(props, 'name')} required maxlength={200} />
      <LineInput {...inputOf(props, 'publicName')} hint={t.publicNameHint} maxlength={200} />
      <CheckInput {...inputOf(props, 'isActive')} hint={t.isActiveHint} />
      <TextInput {...inputOf(props, 'closedText')} hint={t.closedTextHint} rows={3} />
    </>
  );
}

export function AfterInputs(props: SettingsProps) {
  const { settings: t } = props.viewer.texts;
  return (
    <>
      <LineInput {...inputOf(props, 'redirectUrl')} hint={t.redirectUrlHint} type="url" inputmode="url" />
      <LineInput {...inputOf(props, 'thanksTitle')} hint={t.thanksHint} />
      <TextInput {...inputOf(props, 'thanksText')} hint={t.thanksHint} rows={3} />
    </>
  );
}

export function AccessInputs(props: SettingsProps) {
  const { settings: t } = props.viewer.texts;
  return (
    <>
      <TextInput {...inputOf(props, 'allowedOrigins')} hint={t.allowedOriginsHint} rows={3} />
      <CheckInput {...inputOf(props, 'acceptsFiles')} hint={t.acceptsFilesHint} />
      <TextInput {...inputOf(props, 'allowedFileTypes')} hint={t.allowedFileTypesHint} rows={3} />
    </>
  );
}

export function DataInputs(props: SettingsProps) {
  const { viewer, retention } = props;
  const { settings: t } = viewer.texts;
  const hint = viewer.texts.retention.hint(retention?.instanceDays ?? null);
  return (
    <>
      <LineInput {...inputOf(props, 'retentionDays')} hint={hint} inputmode="numeric" />
      {retention && <RetentionOutlook viewer={viewer} retention={retention} />}
      <CheckInput {...inputOf(props, 'keepsSource')} hint={t.keepsSourceHint} />
    </>
  );
}
