import type { Form, FormChanges } from '../../../domain/form.ts';
import { parseSetting, type TextSetting } from '../../../domain/form-settings.ts';
import type { Texts } from '../../i18n/index.ts';
import { type FieldErrors, parseInput } from '../../ui/parse-input.ts';
import { readChallenge, type SealChallenge } from './challenge.ts';
import { parseRecipientRows, readRecipientRows } from './recipient-conditions.ts';

/** The sub-pages of the settings, in order. */
export const SECTIONS = [
  'general',
  'fields',
  'after',
  'appearance',
  'access',
  'spam',
  'mail',
  'reply',
  'data',
  'danger',
] as const;

/** A sub-page of the settings. */
export type Section = (typeof SECTIONS)[number];

/** A section of plain inputs. `fields` has an editor instead, and `danger` has buttons. */
export type PlainSection = Exclude<Section, 'fields' | 'danger'>;

const SWITCHES = ['isActive', 'attachFiles', 'threadMails', 'hasHostedPage', 'keepsSource', 'acceptsFiles'] as const;

/** A setting with an input of its own. Challenge and logo have several inputs: see `readChallenge` and `readLogo`. */
export type SettingName = TextSetting | (typeof SWITCHES)[number];

/** Settings by section. */
export const SETTINGS_OF: Readonly<Record<PlainSection, readonly SettingName[]>> = {
  general: ['name', 'publicName', 'isActive', 'closedText'],
  after: ['redirectUrl', 'thanksTitle', 'thanksText'],
  appearance: ['accentColor', 'hasHostedPage'],
  access: ['allowedOrigins', 'acceptsFiles', 'allowedFileTypes'],
  spam: ['maybeSpamAction', 'blockedWords'],
  mail: ['notify', 'attachFiles', 'threadMails', 'digest', 'timeZone', 'senderName', 'replyTo'],
  reply: ['autoReplySubject', 'autoReplyText'],
  data: ['retentionDays', 'keepsSource'],
};

/** Returns the value of a setting's input. A checked checkbox has the value `yes`. */
export function inputValue(form: Form, name: SettingName): string {
  const value = form[name];
  if (typeof value === 'boolean') return value ? 'yes' : '';
  return typeof value === 'object' ? (value?.join('\n') ?? '') : String(value);
}

function readSetting(form: Form, name: SettingName, text: string): FormChanges {
  if (isSwitch(name)) return { [name]: text !== '' };
  if (name === 'retentionDays') return parseSetting(name, text.trim() || 'none');
  return parseSetting(name, Array.isArray(form[name]) ? text.replace(/[\r\n]+/g, ',') : text.trim());
}

function isSwitch(name: SettingName): name is (typeof SWITCHES)[number] {
  return (SWITCHES as readonly SettingName[]).includes(name);
}

/** Result of reading a section. If there are errors, the changes are incomplete. */
export type ParsedSection = Readonly<{ changes: FormChanges; errors: FieldErrors }>;

/** Reads and validates the inputs of a section. */
export function parseSection(
  section: PlainSection,
  form: Form,
  input: URLSearchParams,
  texts: Texts,
  seal: SealChallenge,
): ParsedSection {
  const challenge = section === 'spam' ? readChallenge(form, input, texts, seal) : { changes: {}, errors: {} };
  let changes = challenge.changes;
  const errors: Record<string, string> = { ...challenge.errors };
  for (const name of SETTINGS_OF[section]) {
    const text = (input.get(name) ?? '').replaceAll('\r\n', '\n');
    const result = parseInput(texts, () => readSetting(form, name, text));
    if ('error' in result) errors[name] = result.error;
    else changes = { ...changes, ...result.value };
  }
  if (section !== 'mail' || !changes.notify) return { changes, errors };
  const conditions = parseRecipientRows(readRecipientRows(input), changes.notify, texts);
  return { changes: { ...changes, ...conditions.changes }, errors: { ...errors, ...conditions.errors } };
}
