/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { BODY_STYLES, TEMPLATE_FORMATS } from '../../../domain/webhook.ts';
import { KEPT_VALUE } from '../../../services/webhooks.ts';
import { LineInput, SelectInput, TextInput } from '../../ui/form-inputs.tsx';
import { INPUTS_OF } from './draft.ts';
import type { EditorProps } from './editor-view.tsx';

type InputName = 'url' | 'body' | 'headers' | 'template' | 'templateFormat' | 'chat' | 'sheet' | 'credentials';

function inputOf({ viewer, draft, errors }: EditorProps, name: InputName) {
  return { name, label: viewer.texts.webhooks[name], value: draft[name], error: errors[name] };
}

/** The inputs that not every kind has. */
export function SpecialInputs(props: EditorProps) {
  const { viewer, shown, draft } = props;
  const { webhooks: t } = viewer.texts;
  const inputs = INPUTS_OF[draft.kind];
  const host = shown?.settings?.host;
  const hasHeaders = (shown?.settings?.headerNames ?? []).length > 0;
  return (
    <>
      {inputs.includes('url') && (
        <LineInput
          {...inputOf(props, 'url')}
          hint={host ? t.urlSet(host) : t.urlHints[draft.kind]}
          type="url"
          inputmode="url"
          required={shown === null}
          maxlength={2_000}
        />
      )}
      {inputs.includes('chat') && <LineInput {...inputOf(props, 'chat')} hint={t.chatHint} required />}
      {inputs.includes('sheet') && <SheetInputs {...props} />}
      {inputs.includes('template') && <TemplateInputs {...props} />}
      {inputs.includes('headers') && (
        <TextInput
          {...inputOf(props, 'headers')}
          hint={hasHeaders ? `${t.headersHint} ${t.headersSet(KEPT_VALUE)}` : t.headersHint}
          rows={2}
        />
      )}
      {inputs.includes('body') && (
        <SelectInput {...inputOf(props, 'body')} options={BODY_STYLES.map((style) => [style, t.bodies[style]])} />
      )}
    </>
  );
}

function SheetInputs(props: EditorProps) {
  const { viewer, shown } = props;
  const { webhooks: t } = viewer.texts;
  const account = shown?.settings?.account;
  return (
    <>
      <LineInput {...inputOf(props, 'sheet')} hint={t.sheetHint} required />
      <TextInput
        {...inputOf(props, 'credentials')}
        hint={account ? t.credentialsSet(account) : t.credentialsHint}
        rows={5}
      />
    </>
  );
}

function TemplateInputs(props: EditorProps) {
  const { webhooks: t } = props.viewer.texts;
  const formats = TEMPLATE_FORMATS.map((format) => [format, t.templateFormats[format]] as const);
  return (
    <>
      <TextInput {...inputOf(props, 'template')} hint={t.templateHint} rows={5} />
      <SelectInput {...inputOf(props, 'templateFormat')} options={formats} />
    </>
  );
}
