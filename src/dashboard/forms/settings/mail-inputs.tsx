/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { takesFiles } from '../../../domain/fields/field-types.ts';
import { parseSetting } from '../../../domain/forms/form-settings.ts';
import { ConditionInputs, KnownFields, toLines } from '../../ui/condition-inputs.tsx';
import { type Field, LineInput, Notes } from '../../ui/form-inputs.tsx';
import { Icon } from '../../ui/icon.tsx';
import { parseInput } from '../../ui/parse-input.ts';
import type { Viewer } from '../../viewer.ts';
import { WEBHOOKS_TEXTS } from '../../webhooks/texts.ts';
import { readRecipientRows, recipientRows } from './sections.ts';
import type { SettingsProps } from './settings-props.ts';
import { SETTINGS_TEXTS } from './texts.ts';

/** A line for each address, and an empty one: the script adds another when it is filled, or saving does. */
export function Recipients({ viewer, name, label, value, hint, error }: Field & Readonly<{ viewer: Viewer }>) {
  const t = SETTINGS_TEXTS[viewer.language];
  const lines = toLines(value);
  const isWrong = (line: string) => 'error' in parseInput(viewer.texts, () => parseSetting('notify', line));
  const wrong = error === undefined ? -1 : Math.max(0, lines.findIndex(isWrong));
  return (
    <fieldset class="field lines">
      <legend>{label}</legend>
      {[...lines, ''].map((address, index) => (
        <div>
          <input
            type="email"
            name={name}
            value={address}
            aria-label={`${t.recipient} ${index + 1}`}
            aria-describedby={error ? `${name}-hint ${name}-error` : `${name}-hint`}
            autocomplete="off"
            aria-invalid={index === wrong ? 'true' : undefined}
            autofocus={index === wrong}
          />
          <button
            type="button"
            class="button bare"
            data-drop
            title={t.remove}
            aria-label={`${t.remove} ${index + 1}`}
            hidden
          >
            <Icon name="cross" />
          </button>
        </div>
      ))}
      <Notes id={name} hint={hint} error={error} />
    </fieldset>
  );
}

/** One row for each condition of a recipient. Without script, saving adds empty rows. */
export function RecipientConditions({ viewer, form, rejected }: SettingsProps) {
  const t = SETTINGS_TEXTS[viewer.language];
  const webhooks = WEBHOOKS_TEXTS[viewer.language];
  const rows = rejected ? readRecipientRows(rejected.input) : recipientRows(form);
  const errors = rejected?.errors ?? {};
  return (
    <details open={rejected !== undefined || Object.keys(form.notifyWhen).length > 0}>
      <summary>{webhooks.conditions}</summary>
      <p class="soft small">{t.notifyWhenHint}</p>
      <datalist id="recipients">
        {form.notify.map((address) => (
          <option>{address}</option>
        ))}
      </datalist>
      <KnownFields form={form} />
      <ol class="rows">
        {rows.map((row, index) => (
          <li>
            <fieldset>
              <legend>{webhooks.condition(index + 1)}</legend>
              <div class="columns">
                <LineInput
                  name="recipient"
                  id={`recipient-${index}`}
                  label={t.recipient}
                  value={row.recipient}
                  error={errors[`recipient-${index}`]}
                  list="recipients"
                  inputmode="email"
                  spellcheck={false}
                />
                <ConditionInputs viewer={viewer} row={row} index={index} errors={errors} />
              </div>
            </fieldset>
          </li>
        ))}
      </ol>
    </details>
  );
}

export function MailNote({ viewer, hasMail }: SettingsProps) {
  if (hasMail) return null;
  return <p class="note">{SETTINGS_TEXTS[viewer.language].noMail}</p>;
}

/** The names of the form's fields as placeholders of the auto-reply. */
export function Placeholders({ viewer, form: { fields } }: SettingsProps) {
  const ofFields = fields.filter((field) => !takesFiles(field)).map(({ name }) => name);
  const names = fields.length > 0 ? ofFields : ['name', 'email'];
  return (
    <p class="soft small">
      {SETTINGS_TEXTS[viewer.language].placeholders}
      {names.map((name) => (
        <>
          {' '}
          <code>{`{{${name}}}`}</code>
        </>
      ))}
    </p>
  );
}
