import { parseAddresses } from '../../../domain/email-address.ts';
import {
  DIGEST_INTERVALS,
  type Form,
  type FormChanges,
  parseAutoReplySubject,
  parseAutoReplyText,
  parseBlockedWords,
  parseFileTypes,
  parseOrigins,
  parseRedirectUrl,
  parseRetentionDays,
  parseThanksText,
  parseThanksTitle,
} from '../../../domain/form.ts';
import { parseName } from '../../../domain/team.ts';
import { parseTimeZone } from '../../../domain/time-zone.ts';
import type { Texts } from '../../i18n/index.ts';
import { type FieldErrors, parseInput } from '../../ui/parse-input.ts';
import { readChallenge, type SealChallenge } from './challenge.ts';

export const SECTIONS = ['general', 'fields', 'after', 'access', 'spam', 'mail', 'reply', 'retention'] as const;

/** A group of settings that is saved by itself. */
export type Section = (typeof SECTIONS)[number];

/** A section of plain inputs. `fields` has an editor instead. */
export type PlainSection = Exclude<Section, 'fields'>;

/** Conversion of a setting to the value of its input and back. A checked checkbox has the value `yes`. */
type Setting = Readonly<{ write: (form: Form) => string; read: (text: string) => FormChanges }>;

const byCommas = (text: string) => text.replace(/[\r\n]+/g, ',');

/** Settings by the name of their input. The challenge has several inputs: see `readChallenge`. */
export const SETTINGS = {
  name: { write: ({ name }) => name, read: (text) => ({ name: parseName(text) }) },
  isActive: { write: ({ isActive }) => checkboxValue(isActive), read: (text) => ({ isActive: text !== '' }) },
  redirectUrl: {
    write: ({ redirectUrl }) => redirectUrl ?? '',
    read: (text) => ({ redirectUrl: text.trim() === '' ? null : parseRedirectUrl(text.trim()) }),
  },
  thanksTitle: {
    write: ({ thanksTitle }) => thanksTitle ?? '',
    read: (text) => ({ thanksTitle: parseThanksTitle(text) }),
  },
  thanksText: { write: ({ thanksText }) => thanksText ?? '', read: (text) => ({ thanksText: parseThanksText(text) }) },
  allowedOrigins: {
    write: ({ allowedOrigins }) => allowedOrigins.join('\n'),
    read: (text) => ({ allowedOrigins: parseOrigins(byCommas(text)) }),
  },
  allowedFileTypes: {
    write: ({ allowedFileTypes }) => allowedFileTypes.join('\n'),
    read: (text) => ({ allowedFileTypes: parseFileTypes(byCommas(text)) }),
  },
  blockedWords: {
    write: ({ blockedWords }) => blockedWords.join('\n'),
    read: (text) => ({ blockedWords: parseBlockedWords(byCommas(text)) }),
  },
  notify: {
    write: ({ notify }) => notify.join('\n'),
    read: (text) => ({ notify: parseAddresses(byCommas(text)) }),
  },
  attachFiles: {
    write: ({ attachFiles }) => checkboxValue(attachFiles),
    read: (text) => ({ attachFiles: text !== '' }),
  },
  threadMails: {
    write: ({ threadMails }) => checkboxValue(threadMails),
    read: (text) => ({ threadMails: text !== '' }),
  },
  digest: {
    write: ({ digest }) => digest ?? '',
    read: (text) => ({ digest: DIGEST_INTERVALS.find((known) => known === text) ?? null }),
  },
  timeZone: { write: ({ timeZone }) => timeZone, read: (text) => ({ timeZone: parseTimeZone(text) }) },
  autoReplySubject: {
    write: ({ autoReplySubject }) => autoReplySubject ?? '',
    read: (text) => ({ autoReplySubject: parseAutoReplySubject(text) }),
  },
  autoReplyText: {
    write: ({ autoReplyText }) => autoReplyText ?? '',
    read: (text) => ({ autoReplyText: parseAutoReplyText(text) }),
  },
  retentionDays: {
    write: ({ retentionDays }) => String(retentionDays ?? ''),
    read: (text) => ({ retentionDays: text.trim() === '' ? null : parseRetentionDays(text.trim()) }),
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

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

/** Returns the value of a checkbox. */
function checkboxValue(isOn: boolean): string {
  return isOn ? 'yes' : '';
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
    const result = parseInput(texts, () => SETTINGS[name].read(text));
    if ('error' in result) errors[name] = result.error;
    else changes = { ...changes, ...result.value };
  }
  return { changes, errors };
}
