/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/forms/form.ts';
import { type SettingName, settingNamed } from '../../../domain/forms/form-settings.ts';
import type { SettingChoices, SettingHints } from '../../i18n/en/settings.ts';
import { CheckInput, LineInput, RadioInputs, SelectInput, TextInput } from '../../ui/form-inputs.tsx';
import type { SettingsProps } from './settings-props.ts';

/** The input of a setting, with the rejected input or else the saved value. */
export function SettingInput({ name, ...props }: SettingsProps & Readonly<{ name: SettingName }>) {
  const { viewer, form, rejected, retention } = props;
  const { settings: t, retention: ages } = viewer.texts;
  const { kind, choices = [], input: { rows, radios, ...attributes } = {} } = settingNamed(name);
  const { [name]: hint }: SettingHints = t.hints;
  const field = {
    name,
    label: t.names[name].label,
    hint: name === 'retentionDays' ? ages.hint(retention?.instanceDays ?? null) : hint,
    value: rejected ? (rejected.input.get(name) ?? '') : inputValue(form[name]),
    error: rejected?.errors[name],
  };
  if (kind === 'flag') return <CheckInput {...field} />;
  if (kind === 'list' || rows) return <TextInput {...field} rows={rows ?? 3} />;
  if (kind !== 'choice') return <LineInput {...field} {...attributes} />;
  const { [name]: { none, ...texts } = {} }: SettingChoices = t.choices;
  const options = choices.map((choice) => [choice, texts[choice] ?? choice] as const);
  if (radios) return <RadioInputs {...field} options={options} />;
  return <SelectInput {...field} options={none === undefined ? options : [['', none], ...options]} />;
}

/** Returns the text of an input for a value. A checked checkbox has the value `yes`. */
function inputValue(value: Form[SettingName]): string {
  if (typeof value === 'boolean') return value ? 'yes' : '';
  return typeof value === 'object' ? (value?.join('\n') ?? '') : String(value);
}
