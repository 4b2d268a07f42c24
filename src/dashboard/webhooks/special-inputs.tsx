/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { TSchema } from '@sinclair/typebox';
import { BODY_STYLES } from '../../domain/webhooks/webhook.ts';
import {
  KIND_SETTINGS,
  WEBHOOK_OPTIONS,
  type WebhookOption,
  WebhookSettings,
} from '../../domain/webhooks/webhook-settings.ts';
import { KEPT_VALUE } from '../../services/webhooks/webhooks.ts';
import { CheckInput, LineInput, SelectInput, TextInput } from '../ui/form-inputs.tsx';
import { isLine } from './draft.ts';
import type { EditorProps } from './editor-view.tsx';

function getInput({ viewer, draft, errors }: EditorProps, name: 'url' | 'body' | 'headers') {
  return { name, label: viewer.texts.webhooks[name], value: draft[name], error: errors[name] };
}

/** The inputs that not every kind has. */
export function SpecialInputs(props: EditorProps) {
  const { viewer, shown, draft } = props;
  const { webhooks: t } = viewer.texts;
  const inputs = KIND_SETTINGS[draft.kind];
  const host = shown?.settings?.host;
  const hasHeaders = (shown?.settings?.headerNames ?? []).length > 0;
  return (
    <>
      {inputs.includes('url') && (
        <LineInput
          {...getInput(props, 'url')}
          hint={host ? t.urlSet(host) : t.urlHints[draft.kind]}
          type="url"
          inputmode="url"
          required={shown === null}
          maxlength={2_000}
        />
      )}
      {WEBHOOK_OPTIONS.filter((name) => inputs.includes(name)).map((name) => (
        <OptionInput {...props} name={name} />
      ))}
      {inputs.includes('headers') && (
        <TextInput
          {...getInput(props, 'headers')}
          hint={hasHeaders ? `${t.headersHint} ${t.headersSet(KEPT_VALUE)}` : t.headersHint}
          rows={2}
        />
      )}
      {inputs.includes('body') && (
        <SelectInput {...getInput(props, 'body')} options={BODY_STYLES.map((style) => [style, t.bodies[style]])} />
      )}
    </>
  );
}

function OptionInput({ viewer, shown, draft, errors, name }: EditorProps & Readonly<{ name: WebhookOption }>) {
  const { options, credentialsSet } = viewer.texts.webhooks;
  const { label, hint, values = {} } = options[name];
  const { type, enum: choices }: TSchema = WebhookSettings.properties[name];
  const account = name === 'credentials' && shown?.settings?.account;
  const field = { name, label, hint: account ? credentialsSet(account) : hint, value: draft[name] };
  if (type === 'boolean') return <CheckInput {...field} />;
  const input = { ...field, error: errors[name] };
  if (choices) return <SelectInput {...input} options={Object.entries(values)} />;
  return isLine(name) ? <LineInput {...input} required /> : <TextInput {...input} rows={5} />;
}
