import * as captcha from '../../../domain/forms/challenge.ts';
import * as conditions from '../../../domain/forms/condition.ts';
import type { Form, FormChanges } from '../../../domain/forms/form.ts';
import { parseSetting, SETTING_NAMES, type SettingName, settingNamed } from '../../../domain/forms/form-settings.ts';
import { requireOpeningOrder } from '../../../domain/forms/opening.ts';
import { SETTING_SECTIONS } from '../../../domain/forms/setting-kinds.ts';
import { MAX_ADDRESSES } from '../../../domain/forms/setting-parsers.ts';
import { parseName } from '../../../domain/teams/team.ts';
import { fromLocalInput, toLocalInput } from '../../../domain/users/time-zone.ts';
import type { ChallengeSettings } from '../../../services/forms/challenge.ts';
import { type ConditionRow, getCondition, isBlank, NO_CONDITION, readRows, toRow } from '../../ui/condition-inputs.tsx';
import { type FieldErrors, parseInput } from '../../ui/parse-input.ts';
import type { Texts } from '../../ui/texts.ts';
import type { Viewer } from '../../viewer.ts';
import { WEBHOOKS_TEXTS } from '../../webhooks/texts.ts';

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
  form: Form,
): ReadonlyArray<readonly [name: string, parse: (text: string) => FormChanges]> {
  const plain = settingsIn(section).map((name) => [name, (text: string) => parseInputOf(name, text, form)] as const);
  if (section !== 'general') return plain;
  return [
    ['name', (text) => ({ name: parseName(text) })],
    ...plain,
    ['isActive', (text) => ({ isActive: text !== '' })],
  ];
}

/** Parses the text of an input: a list has one entry per line, an empty number stands for none, and times are local. */
function parseInputOf(name: SettingName, text: string, form: Form): FormChanges {
  const { kind, input } = settingNamed(name);
  // A page shows minutes only, so an untouched time keeps its seconds.
  if (input?.type === 'datetime-local') {
    return text === inputValue(name, form) ? {} : parseSetting(name, fromLocalInput(text, form.timeZone) ?? text);
  }
  if (kind === 'list') return parseSetting(name, text.replace(/[\r\n]+/g, ','));
  return parseSetting(name, kind === 'number' ? text.trim() || 'none' : text);
}

/** Returns the text of a setting's input. A checked checkbox has the value `yes`. */
export function inputValue(name: SettingName, form: Form): string {
  const value = form[name];
  if (typeof value === 'boolean') return value ? 'yes' : '';
  if (typeof value === 'object') return value?.join('\n') ?? '';
  const isTime = settingNamed(name).input?.type === 'datetime-local';
  return isTime ? toLocalInput(String(value), form.timeZone) : String(value);
}

/** Result of reading a section. If there are errors, the changes are incomplete. */
export type ParsedSection = Readonly<{ changes: FormChanges; errors: FieldErrors }>;

/** Reads and validates the inputs of a section. */
export function parseSection(
  section: PlainSection,
  form: Form,
  input: URLSearchParams,
  viewer: Viewer,
  seal: SealChallenge,
): ParsedSection {
  const { texts } = viewer;
  const challenge = section === 'spam' ? readChallenge(form, input, texts, seal) : { changes: {}, errors: {} };
  let changes = challenge.changes;
  const errors: Record<string, string> = { ...challenge.errors };
  for (const [name, parse] of getParsers(section, form)) {
    const result = parseInput(texts, () => parse(input.getAll(name).join('\n').replaceAll('\r\n', '\n')));
    if ('error' in result) errors[name] = result.error;
    else changes = { ...changes, ...result.value };
  }
  const { opensAt = form.opensAt, closesAt = form.closesAt } = changes;
  const order = section === 'access' && parseInput(texts, () => requireOpeningOrder({ opensAt, closesAt }));
  if (order && 'error' in order && !errors.closesAt) errors.closesAt = order.error;
  if (section !== 'mail' || !changes.notify) return { changes, errors };
  const conditions = parseRecipientRows(readRecipientRows(input), changes.notify, viewer);
  return { changes: { ...changes, ...conditions.changes }, errors: { ...errors, ...conditions.errors } };
}

/** Makes the settings of a challenge, with its secret sealed. */
type SealChallenge = (challenge: captcha.ChallengeInput | null) => ChallengeSettings;

/**
 * Reads the inputs of the challenge. An empty secret keeps the current one only for the same service and verify URL:
 * otherwise an editor could have it sent to another server.
 */
export function readChallenge(
  form: Form,
  input: URLSearchParams,
  texts: Texts,
  seal: SealChallenge,
): Readonly<{ changes: FormChanges; errors: FieldErrors }> {
  const kind = captcha.CHALLENGE_KINDS.find((kind) => kind === input.get('challenge')) ?? null;
  if (kind === null || kind === 'altcha') {
    const challenge = kind && { kind, secret: null, verifyUrl: null };
    return { changes: seal(challenge), errors: {} };
  }
  const secret = input.get('challengeSecret')?.trim() || null;
  const isSame = kind === form.challenge;
  const current = isSame ? form.challengeVerifyUrl : null;
  const verifyUrl = captcha.needsVerifyUrl(kind) ? input.get('challengeVerifyUrl')?.trim() || null : current;
  if (isSame && secret === null && verifyUrl === form.challengeVerifyUrl) return { changes: {}, errors: {} };
  const checkedUrl = parseInput(texts, () => captcha.validateChallenge({ kind, secret: 'any', verifyUrl }));
  const checkedSecret = parseInput(texts, () =>
    captcha.validateChallenge({ kind, secret, verifyUrl: 'https://any.example' }),
  );
  const errors = {
    ...('error' in checkedSecret && { challengeSecret: checkedSecret.error }),
    ...('error' in checkedUrl && { challengeVerifyUrl: checkedUrl.error }),
  };
  const hasErrors = Object.keys(errors).length > 0;
  return { changes: hasErrors ? {} : seal({ kind, secret, verifyUrl }), errors };
}

/** Unchecked inputs of a condition of a recipient. */
type RecipientRow = ConditionRow & Readonly<{ recipient: string }>;

/** Empty rows for new conditions. */
const NEW_ROWS = 2;

/** Returns the saved conditions as rows, and some empty rows. */
export function recipientRows({ notifyWhen }: Form): RecipientRow[] {
  const saved = Object.entries(notifyWhen).flatMap(([recipient, when]) =>
    when.map((condition) => ({ ...toRow(condition), recipient })),
  );
  return [...saved, ...Array.from({ length: NEW_ROWS }, () => ({ ...NO_CONDITION, recipient: '' }))];
}

/** Reads the rows that the page submitted. */
export function readRecipientRows(input: URLSearchParams): RecipientRow[] {
  const recipients = input.getAll('recipient');
  const rows = readRows(input, MAX_ADDRESSES * conditions.MAX_CONDITIONS + NEW_ROWS);
  return rows.map((row, index) => ({ ...row, recipient: (recipients[index] ?? '').trim() }));
}

/** Parses the conditions of these recipients. Rows without field and value are left out. */
function parseRecipientRows(
  rows: readonly RecipientRow[],
  recipients: readonly string[],
  { texts, language }: Viewer,
): ParsedSection {
  const errors: Record<string, string> = {};
  let notifyWhen: conditions.RecipientConditions = {};
  for (const [index, row] of rows.entries()) {
    if (isBlank(row)) continue;
    const recipient = conditions.findRecipient(row.recipient, recipients) ?? row.recipient;
    const condition = parseInput(texts, () => conditions.validateWhen([getCondition(row)]));
    const added: readonly conditions.Condition[] = 'value' in condition ? condition.value : [];
    const when = [...(notifyWhen[recipient] ?? []), ...added];
    const parsed = parseInput(texts, () => conditions.recipientConditions([[recipient, when]], recipients));
    if ('value' in parsed) notifyWhen = { ...notifyWhen, ...parsed.value };
    else errors[`recipient-${index}`] = parsed.error;
    if (row.field.trim() === '') errors[`field-${index}`] = WEBHOOKS_TEXTS[language].noField;
    else if ('error' in condition) errors[`value-${index}`] = condition.error;
  }
  return { changes: { notifyWhen }, errors };
}
