import type { Form, FormChanges } from '../../../domain/forms/form.ts';
import { parseSetting, SETTING_NAMES, type SettingName, settingNamed } from '../../../domain/forms/form-settings.ts';
import { SETTING_SECTIONS } from '../../../domain/forms/setting-kinds.ts';
import { parseName } from '../../../domain/teams/team.ts';
import type { Texts } from '../../i18n/index.ts';
import { type FieldErrors, parseInput } from '../../ui/parse-input.ts';
import { readChallenge, type SealChallenge } from './challenge.ts';
import { parseRecipientRows, readRecipientRows } from './recipient-conditions.ts';

/** The sub-pages of the settings, in order. */
export const SECTIONS = [...SETTING_SECTIONS, 'danger'] as const;

/** A sub-page of the settings. */
export type Section = (typeof SECTIONS)[number];

/** A section of plain inputs. `fields` has an editor instead, and `danger` has buttons. */
export type PlainSection = Exclude<Section, 'fields' | 'danger'>;

/** Returns the settings of a section, in the order of their inputs. */
export function settingsIn(section: PlainSection): readonly SettingName[] {
  return SETTING_NAMES.filter((name) => settingNamed(name).section === section);
}

/** Parsers of the inputs of a section by name. Challenge, conditions and logo have several inputs each. */
function getParsers(
  section: PlainSection,
): ReadonlyArray<readonly [name: string, parse: (text: string) => FormChanges]> {
  const plain = settingsIn(section).map((name) => [name, (text: string) => parseInputOf(name, text)] as const);
  if (section !== 'general') return plain;
  return [
    ['name', (text) => ({ name: parseName(text) })],
    ...plain,
    ['isActive', (text) => ({ isActive: text !== '' })],
  ];
}

/** Parses the text of an input: a list has one entry per line, and an empty number stands for none. */
function parseInputOf(name: SettingName, text: string): FormChanges {
  const { kind } = settingNamed(name);
  if (kind === 'list') return parseSetting(name, text.replace(/[\r\n]+/g, ','));
  return parseSetting(name, kind === 'number' ? text.trim() || 'none' : text);
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
  for (const [name, parse] of getParsers(section)) {
    const result = parseInput(texts, () => parse((input.get(name) ?? '').replaceAll('\r\n', '\n')));
    if ('error' in result) errors[name] = result.error;
    else changes = { ...changes, ...result.value };
  }
  if (section !== 'mail' || !changes.notify) return { changes, errors };
  const conditions = parseRecipientRows(readRecipientRows(input), changes.notify, texts);
  return { changes: { ...changes, ...conditions.changes }, errors: { ...errors, ...conditions.errors } };
}
