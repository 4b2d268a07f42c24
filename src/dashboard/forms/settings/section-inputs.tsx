/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { SettingName } from '../../../domain/forms/form-settings.ts';
import type { Markup } from '../../../lib/markup.ts';
import { CheckInput, LineInput } from '../../ui/form-inputs.tsx';
import { AccentInputs, HostedPageNote } from './appearance-inputs.tsx';
import { MailNote, Placeholders, RecipientConditions, TimeZones } from './mail-inputs.tsx';
import { RetentionOutlook } from './retention-outlook.tsx';
import { type PlainSection, settingsIn } from './sections.ts';
import { SettingInput } from './setting-input.tsx';
import type { SettingsProps } from './settings-props.ts';
import { ChallengeSection } from './spam-inputs.tsx';

type Part = (props: SettingsProps) => Markup | null;

/** Markup above the settings of a section. */
const ABOVE: Readonly<Partial<Record<PlainSection, Part>>> = {
  general: NameInput,
  spam: ChallengeSection,
  mail: MailNote,
  reply: MailNote,
};

/** Markup below the input of a setting. */
const BELOW: Readonly<Partial<Record<SettingName, Part>>> = {
  publicName: ActiveInput,
  accentColor: AccentInputs,
  hasHostedPage: HostedPageNote,
  notify: RecipientConditions,
  timeZone: TimeZones,
  autoReplyText: Placeholders,
  retentionDays: ({ viewer, retention }) => retention && <RetentionOutlook viewer={viewer} retention={retention} />,
};

/** The inputs of a section: its settings of the table, and what is written by hand around them. */
export function SectionInputs({ section, ...props }: SettingsProps & Readonly<{ section: PlainSection }>) {
  return (
    <>
      {ABOVE[section]?.({ section, ...props })}
      {settingsIn(section).map((name) => (
        <>
          <SettingInput {...props} section={section} name={name} />
          {BELOW[name]?.({ section, ...props })}
        </>
      ))}
    </>
  );
}

function NameInput({ viewer, form, rejected }: SettingsProps) {
  const value = rejected ? (rejected.input.get('name') ?? '') : form.name;
  const label = viewer.texts.settings.name;
  return <LineInput name="name" label={label} value={value} error={rejected?.errors.name} required maxlength={200} />;
}

function ActiveInput({ viewer, form, rejected }: SettingsProps) {
  const { settings: t } = viewer.texts;
  const isActive = rejected ? rejected.input.has('isActive') : form.isActive;
  return <CheckInput name="isActive" label={t.isActive} hint={t.isActiveHint} value={isActive ? 'yes' : ''} />;
}
