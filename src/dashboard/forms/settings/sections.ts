import type { Form, FormChanges } from '../../../domain/form.ts';
import { parseSetting, type TextSetting } from '../../../domain/form-settings.ts';
import type { Texts } from '../../i18n/index.ts';
import { type FieldErrors, parseInput } from '../../ui/parse-input.ts';
import { readChallenge, type SealChallenge } from './challenge.ts';
import { parseRecipientRows, readRecipientRows } from './recipient-conditions.ts';

export const SECTIONS = ['general', 'fields', 'after', 'access', 'spam', 'mail', 'reply', 'retention'] as const;

/** A group of settings that is saved by itself. */
export type Section = (typeof SECTIONS)[number];

/** A section of plain inputs. `fields` has an editor instead. */
export type PlainSection = Exclude<Section, 'fields'>;

/** A setting with an input of its own. The challenge has several inputs: see `readChallenge`. */
export type SettingName = TextSetting | 'isActive' | 'attachFiles' | 'threadMails';

/** Settings by section. */
export const SETTINGS_OF: Readonly<Record<PlainSection, readonly SettingName[]>> = {
  general: ['name', 'isActive'],
  after: ['redirectUrl', 'thanksTitle', 'thanksText'],
  access: ['allowedOrigins', 'allowedFileTypes'],
  spam: ['blockedWords'],
  mail: ['notify', 'attachFiles', 'threadMails', 'digest', 'timeZone'],
  reply: ['autoReplySubject', 'autoReplyText'],
  retention: ['retentionDays'],
};

/** Returns the value of a setting's input. A checked checkbox has the value `yes`. */
export function inputValue(form: Form, name: SettingName): string {
  const value = form[name];
  if (typeof value === 'boolean') return value ? 'yes' : '';
  return typeof value === 'object' ? (value?.join('\n') ?? '') : String(value);
}

function readSetting(form: Form, name: SettingName, text: string): FormChanges {
  switch (name) {
    case 'isActive':
    case 'attachFiles':
    case 'threadMails':
      return { [name]: text !== '' };
    case 'retentionDays':
      return parseSetting(name, text.trim() || 'none');
    default:
      return parseSetting(name, Array.isArray(form[name]) ? text.replace(/[\r\n]+/g, ',') : text.trim());
  }
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
