import { snakeCase } from '../../lib/snake-case.ts';
import { MAYBE_SPAM_ACTIONS } from '../spam/spam.ts';
import { parseName } from '../teams/team.ts';
import { parseTimeZone } from '../users/time-zone.ts';
import { parseColor } from './accent-color.ts';
import { choice, flag, list, type Setting, text, wholeNumber } from './setting-kinds.ts';
import * as parsers from './setting-parsers.ts';

/** Languages of visitors' pages and mails. */
export const VISITOR_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'zh'] as const;

/** The language of a form's pages: that of each visitor, or always the same. */
export type FormLanguage = 'visitor' | (typeof VISITOR_LANGUAGES)[number];

export const DIGEST_INTERVALS = ['hourly', 'daily'] as const;

/** Interval of digest mails, which replace a notification per submission. */
export type DigestInterval = (typeof DIGEST_INTERVALS)[number];

/**
 * The settings of a form that have one plain value. Types, defaults, validation, the file of `apply`, the options and
 * output of commands, the inputs of the dashboard, the audit log and the types of `formstead/testing` follow this table.
 * Their texts for people are in `dashboard/forms/settings/texts.ts`. Fields, conditions, challenge and logo are written by hand.
 */
export const FORM_SETTINGS = {
  publicName: text('general', 'Name that visitors see', {
    unset: 'the name of the form',
    parse: parseName,
    input: { maxlength: 200 },
  }),
  hasHostedPage: flag('appearance', 'Serve a page with the fields of the form', { option: 'hosted-page' }),
  intro: text('appearance', 'Text below the title of the hosted page', {
    unset: 'none',
    parse: parsers.textParser('The intro', 2_000),
    input: { rows: 3 },
  }),
  buttonLabel: text('appearance', 'Label of the button of the hosted page', {
    unset: "the default in the form's language",
    parse: parsers.textParser('The button label', 60),
    input: { maxlength: 60 },
  }),
  accentColor: text('appearance', 'Color of visitor pages, such as #0b6655', {
    unset: 'the default',
    argument: 'color',
    parse: parseColor,
    input: { maxlength: 7, placeholder: '#0b6655', spellcheck: false },
  }),
  language: choice<FormLanguage, FormLanguage>(
    'appearance',
    'Language of pages, messages and mails for visitors; `visitor` for that of their browser',
    ['visitor', ...VISITOR_LANGUAGES],
    { default: 'visitor' },
  ),
  redirectUrl: text('after', 'Page that visitors are redirected to after a submission', {
    unset: 'none',
    argument: 'url',
    parse: parsers.parseRedirectUrl,
    input: { type: 'url', inputmode: 'url', placeholder: 'https://example.com/thanks' },
  }),
  thanksTitle: text('after', 'Heading of the thank-you page, which is shown without a redirect URL', {
    unset: "the default in the form's language",
    parse: parsers.textParser('The thanks title', 200),
  }),
  successMessage: text('after', 'Message of the thank-you page and the script', {
    unset: "the default in the form's language",
    parse: parsers.textParser('The success message', 500),
    input: { rows: 3 },
  }),
  enforcesRules: flag('fields', 'Refuse submissions that do not match the fields', { option: 'enforce-rules' }),
  allowedOrigins: list('access', 'Origins of pages that may post', {
    examples: ['https://example.com', 'https://www.example.com'],
    unset: 'all',
    parse: parsers.parseOrigins,
  }),
  acceptsFiles: flag('access', 'Accept files while no fields are configured; otherwise the fields of type file do', {
    option: 'accept-files',
    default: true,
  }),
  allowedFileTypes: list('access', 'Accepted file types', {
    examples: ['image/*', 'application/pdf'],
    unset: 'all',
    parse: parsers.parseFileTypes,
  }),
  opensAt: text('access', 'Time from which visitors may post, such as 2026-12-01T09:00:00+01:00', {
    unset: 'none',
    argument: 'time',
    parse: parsers.parseInstant,
    input: { type: 'datetime-local' },
  }),
  closesAt: text('access', 'Time from which visitors may no longer post', {
    unset: 'none',
    argument: 'time',
    parse: parsers.parseInstant,
    input: { type: 'datetime-local' },
  }),
  maxSubmissions: wholeNumber('access', 'Stored submissions, without spam and trash, that fill the form', {
    unset: 'no limit',
    parse: parsers.wholeNumberParser('The limit of submissions', 1, 10_000_000),
    input: { inputmode: 'numeric' },
  }),
  oncePerAddress: flag('access', 'Refuse a second submission with the same email address'),
  confirmAddress: flag('access', 'Ask visitors to confirm their email address before a submission is delivered'),
  closedMessage: text('access', 'Message for visitors while the form is closed, not open yet, full or paused', {
    unset: "the default in the form's language",
    parse: parsers.textParser('The message of a closed form', 500),
    input: { rows: 3 },
  }),
  maybeSpamAction: choice('spam', 'What happens to submissions that may be spam', MAYBE_SPAM_ACTIONS, {
    argument: 'action',
    default: 'deliver',
    input: { radios: true },
  }),
  blockedWords: list('spam', 'Words and phrases that flag a submission as spam', {
    unset: 'none',
    parse: parsers.parseBlockedWords,
  }),
  watchPage: text('access', 'Page with the form, which is fetched once a day to see that the form is still there', {
    unset: 'none',
    argument: 'url',
    parse: parsers.parseWatchPage,
    input: { type: 'url', inputmode: 'url' },
  }),
  notify: list('mail', 'Recipients of a mail about each submission', {
    examples: ['ada@example.com', 'bob@example.com'],
    unset: 'none',
    parse: parsers.parseAddresses,
  }),
  digest: choice('mail', 'One summary mail instead of a mail about each submission', DIGEST_INTERVALS, {
    unset: 'none',
    argument: 'rhythm',
    default: null,
  }),
  timeZone: text('mail', 'Time zone of the digest, such as Europe/Berlin', {
    argument: 'name',
    default: 'UTC',
    parse: parseTimeZone,
  }),
  senderName: text('mail', "Sender name in the form's mails", {
    unset: 'the default',
    parse: parsers.parseSenderName,
    input: { maxlength: 100 },
  }),
  replyTo: text('mail', 'Address for replies of visitors', {
    unset: 'none',
    argument: 'address',
    parse: parsers.parseReplyTo,
    input: { inputmode: 'email', spellcheck: false },
  }),
  attachFiles: flag('mail', 'Attach uploaded files to mails about submissions'),
  threadMails: flag('mail', 'Group mails about submissions in one conversation'),
  silenceAlarm: flag('mail', 'Mail the owners when a form that had submissions every week has none for long', {
    default: true,
  }),
  autoReplySubject: text('reply', 'Subject of the mail to the visitor; {{name}} inserts a field', {
    parse: parsers.parseAutoReplySubject,
  }),
  autoReplyText: text('reply', 'Text of the mail to the visitor', {
    unset: 'no mail',
    parse: parsers.textParser('The auto-reply text', 5_000),
    input: { rows: 6 },
  }),
  autoReplyDailyLimit: wholeNumber('reply', 'Mails to visitors in 24 hours; beyond it none is sent', {
    default: 100,
    parse: parsers.wholeNumberParser('The daily limit', 0, 10_000),
    input: { inputmode: 'numeric' },
  }),
  retentionDays: wholeNumber('data', 'Delete submissions after this number of days', {
    unset: 'RETENTION_DAYS of the instance',
    parse: parsers.wholeNumberParser('The retention', 1, parsers.MAX_RETENTION_DAYS, ' of days'),
    input: { inputmode: 'numeric' },
  }),
  consentText: text('data', 'Text beside fields of the type `consent`, kept with each submission that agrees to it', {
    unset: 'the label of the field',
    parse: parsers.textParser('The consent text', 2_000),
    input: { rows: 3 },
  }),
  keepsSource: flag('data', 'Store the source page and the browser of submissions', { option: 'keep-source' }),
};

export type SettingName = keyof typeof FORM_SETTINGS;

export const SETTING_NAMES = Object.keys(FORM_SETTINGS) as SettingName[];

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(FORM_SETTINGS, name);

/** Values of the settings in the table. An empty allowlist permits everything. */
export type PlainSettings = { readonly [Name in SettingName]: (typeof FORM_SETTINGS)[Name]['default'] };

/** Returns a setting's facts. */
export const settingNamed = (name: SettingName): Setting => FORM_SETTINGS[name];

export const PLAIN_DEFAULTS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, FORM_SETTINGS[name].default]),
) as PlainSettings;

/** Parses a setting from text; an empty text, or `none` for a number, unsets it. Throws `invalid_input`. */
export function parseSetting(name: SettingName, text: string): Partial<PlainSettings> {
  return { [name]: FORM_SETTINGS[name].parse(text) };
}

/** Parses a setting from a value that matches its schema. Throws `invalid_input`. */
export function readSetting(name: SettingName, value: unknown): Partial<PlainSettings> {
  if (value === null || typeof value === 'boolean') return { [name]: value };
  return parseSetting(name, Array.isArray(value) ? value.join(',') : String(value));
}

/** Returns a form's settings as files, commands and the API show them. */
export function serializeSettings(form: PlainSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(SETTING_NAMES.map((name) => [snakeCase(name), form[name]]));
}
