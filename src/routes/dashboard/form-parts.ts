import { CHALLENGE_KINDS, type ChallengeInput, type ChallengeKind, validateChallenge } from '../../domain/challenge.ts';
import { parseAddresses } from '../../domain/email-address.ts';
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
} from '../../domain/form.ts';
import { parseName } from '../../domain/team.ts';
import { parseTimeZone } from '../../domain/time-zone.ts';
import type { ChallengeSettings } from '../../services/challenge.ts';
import { type Faults, isTaken } from './inputs.ts';
import type { Texts } from './texts/index.ts';

export const PARTS = ['general', 'fields', 'after', 'access', 'spam', 'mail', 'reply', 'retention'] as const;

/** One group of settings, which is saved by itself. */
export type Part = (typeof PARTS)[number];

/** A part that is no list. */
export type PlainPart = Exclude<Part, 'fields'>;

/** How a setting is written into an input and read back. A ticked checkbox holds `yes`, others nothing. */
type Setting = Readonly<{ write: (form: Form) => string; read: (text: string) => FormChanges; isList?: true }>;

const byCommas = (text: string) => text.replace(/[\r\n]+/g, ',');

/** What an input of the same name holds. The challenge has more than one, see `readPart`. */
export const SETTINGS = {
  name: { write: ({ name }) => name, read: (text) => ({ name: parseName(text) }) },
  isActive: { write: ({ isActive }) => tick(isActive), read: (text) => ({ isActive: text !== '' }) },
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
    isList: true,
  },
  allowedFileTypes: {
    write: ({ allowedFileTypes }) => allowedFileTypes.join('\n'),
    read: (text) => ({ allowedFileTypes: parseFileTypes(byCommas(text)) }),
    isList: true,
  },
  blockedWords: {
    write: ({ blockedWords }) => blockedWords.join('\n'),
    read: (text) => ({ blockedWords: parseBlockedWords(byCommas(text)) }),
    isList: true,
  },
  notify: {
    write: ({ notify }) => notify.join('\n'),
    read: (text) => ({ notify: parseAddresses(byCommas(text)) }),
    isList: true,
  },
  attachFiles: { write: ({ attachFiles }) => tick(attachFiles), read: (text) => ({ attachFiles: text !== '' }) },
  threadMails: { write: ({ threadMails }) => tick(threadMails), read: (text) => ({ threadMails: text !== '' }) },
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

/** By the part that they stand in. */
export const SETTINGS_OF: Readonly<Record<PlainPart, readonly SettingName[]>> = {
  general: ['name', 'isActive'],
  after: ['redirectUrl', 'thanksTitle', 'thanksText'],
  access: ['allowedOrigins', 'allowedFileTypes'],
  spam: ['blockedWords'],
  mail: ['notify', 'attachFiles', 'threadMails', 'digest', 'timeZone'],
  reply: ['autoReplySubject', 'autoReplyText'],
  retention: ['retentionDays'],
};

function tick(isOn: boolean): string {
  return isOn ? 'yes' : '';
}

type Reading = Readonly<{ changes: FormChanges; faults: Faults }>;

/** Makes the settings of a challenge, with its secret sealed. */
type Seal = (wanted: ChallengeInput | null) => ChallengeSettings;

/** What was typed into a part, as changes of the form; where there are faults they are not to be made. */
export function readPart(
  part: PlainPart,
  form: Form,
  sent: URLSearchParams,
  { settings: { faults: words } }: Texts,
  seal: Seal,
): Reading {
  const challenge = part === 'spam' ? readChallenge(form, sent, words, seal) : { changes: {}, faults: {} };
  let changes = challenge.changes;
  const faults: Record<string, string> = { ...challenge.faults };
  for (const name of SETTINGS_OF[part]) {
    const { read, isList }: Setting = SETTINGS[name];
    const text = (sent.get(name) ?? '').replaceAll('\r\n', '\n');
    if (isTaken(() => read(text))) changes = { ...changes, ...read(text) };
    else faults[name] = faultText(words, name, isList === true ? faultyItem(text, read) : null);
  }
  return { changes, faults };
}

/** The entry of a list that alone is at fault; null where there is none, so that it is their number. */
function faultyItem(text: string, read: Setting['read']): string | null {
  const items = byCommas(text).split(',');
  return items.find((item) => !isTaken(() => read(item)))?.trim() ?? null;
}

type FaultWords = Texts['settings']['faults'];

function faultText(words: FaultWords, name: SettingName, item: string | null): string {
  const known: Readonly<Record<string, string | ((item: string | null) => string)>> = words;
  const fault = known[name] ?? '';
  return typeof fault === 'string' ? fault : fault(item);
}

/** Those that have no address of their own. */
export const NEEDS_ADDRESS: readonly ChallengeKind[] = ['cap', 'custom'];

/**
 * The secret is never shown, and an empty input keeps it, but only for the service and the address that it was given
 * for: nobody who comes upon this page can have it sent elsewhere.
 */
function readChallenge(form: Form, sent: URLSearchParams, words: FaultWords, seal: Seal): Reading {
  const kind = CHALLENGE_KINDS.find((known) => known === sent.get('challenge')) ?? null;
  if (kind === null || kind === 'altcha') {
    const wanted = kind && { kind, secret: null, verifyUrl: null };
    return { changes: seal(wanted), faults: {} };
  }
  const secret = sent.get('challengeSecret')?.trim() || null;
  const typed = sent.get('challengeVerifyUrl')?.trim() || null;
  const isSame = kind === form.challenge;
  const verifyUrl = NEEDS_ADDRESS.includes(kind) ? typed : isSame ? form.challengeVerifyUrl : null;
  if (isSame && secret === null && verifyUrl === form.challengeVerifyUrl) return { changes: {}, faults: {} };
  const isAddressTaken = isTaken(() => validateChallenge({ kind, secret: 'any', verifyUrl }));
  const faults = {
    ...(secret === null && { challengeSecret: words.challengeSecret }),
    ...(!isAddressTaken && { challengeVerifyUrl: words.challengeVerifyUrl }),
  };
  const isFine = Object.keys(faults).length === 0;
  return { changes: isFine ? seal({ kind, secret, verifyUrl }) : {}, faults };
}
