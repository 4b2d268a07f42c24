import { inputValue, type SettingName } from './sections.ts';
import type { SettingsProps } from './settings-props.ts';

/** Returns the properties of a setting's input: rejected input, else the saved value. */
export function inputOf({ viewer, form, rejected }: SettingsProps, name: SettingName) {
  return {
    name,
    label: viewer.texts.settings[name],
    value: rejected ? (rejected.input.get(name) ?? '') : inputValue(form, name),
    error: rejected?.errors[name],
  };
}
