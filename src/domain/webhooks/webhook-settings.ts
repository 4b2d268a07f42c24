import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from '../../lib/schema.ts';
import { Condition, MAX_CONDITIONS, type When } from '../forms/condition.ts';
import {
  BODY_STYLES,
  MAX_HEADERS,
  type SigningSecret,
  TEMPLATE_FORMATS,
  WEBHOOK_EVENTS,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookKind,
} from './webhook.ts';

/** Settings that only some kinds take. They are sealed with the URL. Secrets are `writeOnly`. */
const OPTIONS = {
  template: Type.String({ description: 'Body of a template webhook, with {{field}} for values.' }),
  templateFormat: oneOf(TEMPLATE_FORMATS, { default: 'json', description: 'Format of the template.' }),
  chat: Type.String({ description: 'ID of the Telegram chat, for the kind telegram.' }),
  sheet: Type.String({ description: 'ID or address of the Google spreadsheet, for the kind sheets.' }),
  credentials: Type.String({
    writeOnly: true,
    description: 'JSON key of the Google service account, for the kind sheets.',
  }),
};

/**
 * The settings of a webhook. The editor, the API, the file of forms, the command and the manual take names, values and
 * descriptions from here; no other place lists an option.
 */
export const WebhookSettings = Type.Object({
  url: Type.String({
    writeOnly: true,
    description: 'Https address for deliveries; all kinds but sheets need one; only its host is shown again.',
  }),
  events: Type.Unsafe<readonly WebhookEvent[]>(
    Type.Array(oneOf(WEBHOOK_EVENTS), {
      minItems: 1,
      maxItems: WEBHOOK_EVENTS.length,
      default: ['submission.created'],
      description: 'Events that are delivered.',
    }),
  ),
  body: oneOf(BODY_STYLES, {
    default: 'full',
    description: '"full" sends all fields, "thin" only the ID and time of a submission.',
  }),
  includeSpam: Type.Boolean({ default: false, description: 'Also send submissions flagged as spam.' }),
  when: Type.Unsafe<When>(
    Type.Array(Condition, {
      maxItems: MAX_CONDITIONS,
      description: 'Conditions that a submission must all meet; an empty list means always.',
    }),
  ),
  isActive: Type.Boolean({ default: true, description: 'Send deliveries; while false they stay queued.' }),
  headers: Type.Unsafe<readonly string[]>(
    Type.Array(Type.String(), {
      writeOnly: true,
      maxItems: MAX_HEADERS,
      description: 'Headers of your own, such as "X-Token: abc"; only their names are shown again.',
    }),
  ),
  ...OPTIONS,
});

/** A webhook to create, or changes to one; missing properties keep their value. `headers` are lines like `X-Token: abc`. */
export type WebhookInput = Readonly<Partial<Static<typeof WebhookSettings>>>;

export const WEBHOOK_SETTING_NAMES = Object.keys(WebhookSettings.properties) as ReadonlyArray<keyof WebhookInput>;

export type WebhookOption = keyof typeof OPTIONS;

export const WEBHOOK_OPTIONS = Object.keys(OPTIONS) as readonly WebhookOption[];

/** Settings that decide where deliveries go. */
export const ADDRESS_SETTINGS = ['url', 'chat', 'sheet', 'credentials'] as const;

const CHAT = ['url', 'events', 'body'] as const;

/** The settings of each kind, besides those that all have. */
export const KIND_SETTINGS: Readonly<Record<WebhookKind, ReadonlyArray<keyof WebhookInput>>> = {
  standard: ['url', 'events', 'body', 'headers'],
  slack: CHAT,
  discord: CHAT,
  telegram: [...CHAT, 'chat'],
  teams: CHAT,
  ntfy: [...CHAT, 'headers'],
  sheets: ['sheet', 'credentials'],
  template: ['url', 'events', 'headers', 'template', 'templateFormat'],
};

/** The sealed part of a webhook: settings that are secret or may contain secrets. Options of other kinds are left out. */
export type SealedSettings = Readonly<{ url: string; secrets: readonly SigningSecret[]; headers: WebhookHeaders }> &
  Pick<WebhookInput, WebhookOption>;

/** Returns whether people may not see the value of an option again. */
export function isSecret(name: keyof WebhookInput): boolean {
  return WebhookSettings.properties[name].writeOnly === true;
}
