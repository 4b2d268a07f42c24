/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AKISMET_URL } from '../../../domain/akismet.ts';
import { CheckInput, LineInput } from '../../ui/form-inputs.tsx';
import type { SettingsProps } from './settings-props.ts';

/** The inputs of an Akismet-compatible service. The style hides key and URL while it is off: see `.akismet`. */
export function AkismetInputs({ viewer, rejected, akismet }: SettingsProps) {
  const { akismet: t } = viewer.texts.settings;
  const { input, errors = {} } = rejected ?? {};
  const isOn = input ? input.has('akismet') : akismet !== null;
  return (
    <div class="akismet">
      {akismet?.failure && (
        <p class="note" role="status">
          {t.failing(t.failures[akismet.failure])}
        </p>
      )}
      <CheckInput name="akismet" label={t.label} value={isOn ? 'yes' : ''} hint={t.hint} />
      <div class="of-akismet">
        <LineInput
          name="akismetKey"
          label={t.key}
          hint={akismet ? t.keySet : t.keyHint}
          value=""
          error={errors.akismetKey}
          type="password"
          spellcheck={false}
        />
        <LineInput
          name="akismetUrl"
          label={t.url}
          hint={t.urlHint}
          value={input?.get('akismetUrl') ?? akismet?.url ?? AKISMET_URL}
          error={errors.akismetUrl}
          inputmode="url"
          spellcheck={false}
        />
      </div>
    </div>
  );
}
