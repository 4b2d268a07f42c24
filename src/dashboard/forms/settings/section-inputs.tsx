/** @jsxRuntime automatic @jsxImportSource hono/jsx */

import { type SettingName, settingNamed } from '../../../domain/forms/form-settings.ts';
import type { Markup } from '../../../lib/markup.ts';
import { VISITOR_CATALOG } from '../../../visitor/i18n/index.ts';
import { CheckInput, LineInput, RadioInputs, SelectInput, TextInput } from '../../ui/form-inputs.tsx';
import { Time } from '../../ui/time.tsx';
import { TimeZoneInput } from '../../ui/time-zone-field.tsx';
import { AccentInputs, HostedPageNote } from './appearance-inputs.tsx';
import { MailNote, Placeholders, RecipientConditions, Recipients } from './mail-inputs.tsx';
import { inputValue, type PlainSection, settingsIn } from './sections.ts';
import { MAX_COUNT, type SettingsProps } from './settings-props.ts';
import { ChallengeInputs, ChallengeWarning } from './spam-inputs.tsx';
import { RETENTION_TEXTS, SETTINGS_TEXTS, type SettingChoices, type SettingHints } from './texts.ts';

type Part = (props: SettingsProps) => Markup | null;

/** Markup above the settings of a section. */
const ABOVE: Readonly<Partial<Record<PlainSection, Part>>> = { general: NameInput, mail: MailNote, reply: MailNote };

/** Markup below the input of a setting. */
const BELOW: Readonly<Partial<Record<SettingName, Part>>> = {
  publicName: ActiveInput,
  accentColor: AccentInputs,
  hasHostedPage: HostedPageNote,
  confirmAddress: MailNote,
  notify: RecipientConditions,
  autoReplyText: Placeholders,
  retentionDays: RetentionOutlook,
};

/** The inputs of a section: its settings of the table, and what is written by hand around them. */
export function SectionInputs({ section, ...props }: SettingsProps & Readonly<{ section: PlainSection }>) {
  if (section === 'spam') return <SpamInputs {...props} section={section} />;
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

/** One choice, and the rest behind *More*, which is open if any of it is in use. */
function SpamInputs(props: SettingsProps) {
  const { viewer, form, rejected, check } = props;
  const isInUse = form.challenge !== null || form.blockedWords.length > 0 || rejected !== undefined;
  return (
    <>
      {check && <ChallengeWarning {...props} check={check} />}
      <SettingInput {...props} name="maybeSpamAction" />
      <details open={isInUse}>
        <summary>{viewer.texts.more}</summary>
        <ChallengeInputs {...props} />
        <SettingInput {...props} name="blockedWords" />
      </details>
    </>
  );
}

function NameInput({ viewer, form, rejected }: SettingsProps) {
  const value = rejected ? (rejected.input.get('name') ?? '') : form.name;
  const label = SETTINGS_TEXTS[viewer.language].name;
  return <LineInput name="name" label={label} value={value} error={rejected?.errors.name} required maxlength={200} />;
}

function ActiveInput({ viewer, form, rejected }: SettingsProps) {
  const t = SETTINGS_TEXTS[viewer.language];
  const isActive = rejected ? rejected.input.has('isActive') : form.isActive;
  return <CheckInput name="isActive" label={t.isActive} hint={t.isActiveHint} value={isActive ? 'yes' : ''} />;
}

/** The input of a setting, with the rejected input or else the saved value. */
function SettingInput({ name, ...props }: SettingsProps & Readonly<{ name: SettingName }>) {
  const { viewer, form, rejected, retention } = props;
  const t = SETTINGS_TEXTS[viewer.language];
  const ages = RETENTION_TEXTS[viewer.language];
  const { kind, examples = [], choices = [], input: { rows, radios, ...attributes } = {} } = settingNamed(name);
  const visitor = VISITOR_CATALOG.textsIn(form.language === 'visitor' ? viewer.language : form.language);
  const { [name]: placeholder = examples[0] }: SettingHints = {
    publicName: visitor.hosted.title,
    buttonLabel: visitor.hosted.send,
    thanksTitle: visitor.thanks.title,
    successMessage: visitor.thanks.text,
  };
  const { [name]: hint }: SettingHints = t.hints;
  const field = {
    name,
    label: t.names[name] + (attributes.type === 'datetime-local' ? ` (${form.timeZone})` : ''),
    hint: name === 'retentionDays' ? ages.hint(retention?.instanceDays ?? null) : hint,
    value: rejected ? rejected.input.getAll(name).join('\n') : inputValue(name, form),
    error: rejected?.errors[name],
  };
  // Fields of the form decide, and a hidden input keeps the setting.
  if (name === 'acceptsFiles' && form.fields.length > 0) return <input type="hidden" name={name} value={field.value} />;
  if (name === 'notify') return <Recipients {...field} viewer={viewer} />;
  if (kind === 'flag') return <CheckInput {...field} />;
  if (name === 'timeZone') return <TimeZoneInput {...field} />;
  if (kind === 'list' || rows) return <TextInput {...field} rows={rows ?? 2} placeholder={placeholder} />;
  if (kind !== 'choice') return <LineInput {...field} placeholder={placeholder} {...attributes} />;
  const { [name]: { none, ...texts } = {} }: SettingChoices = t.choices;
  const options = choices.map((choice) => [choice, texts[choice] ?? choice] as const);
  if (radios)
    return <RadioInputs {...field} options={options.map(([value, text]) => [value, <Explained text={text} />])} />;
  return <SelectInput {...field} options={none === undefined ? options : [['', none], ...options]} />;
}

/** The name of a choice, and below it what follows its colon. */
function Explained({ text }: Readonly<{ text: string }>) {
  const [name, ...rest] = text.split(': ');
  return (
    <span>
      <b>{name}</b>
      <span class="hint">{rest.join(': ')}</span>
    </span>
  );
}

/** A summary of what the next run deletes. */
function RetentionOutlook({ viewer, retention }: SettingsProps) {
  const t = RETENTION_TEXTS[viewer.language];
  if (!retention?.next) return null;
  const { days, before, count } = retention.next;
  const amount = count > MAX_COUNT ? t.moreThan(viewer.number(MAX_COUNT)) : t.about(count);
  const next = (
    <>
      {t.next(amount)} <Time viewer={viewer} at={before} />.
    </>
  );
  return (
    <p>
      {t.hourly(days)} {count === 0 ? t.noneYet : next}
    </p>
  );
}
