import { type Static, Type } from '@sinclair/typebox';
import { MAX_CONDITIONS, validateWhen } from '../../domain/condition.ts';
import {
  BODY_STYLES,
  MAX_HEADERS,
  parseHeaders,
  parseWebhookUrl,
  TEMPLATE_FORMATS,
  WEBHOOK_EVENTS,
  WEBHOOK_KINDS,
} from '../../domain/webhook.ts';
import type { WebhookInput } from '../../services/webhooks.ts';
import { flag, list, oneOf, strictObject, text, withMessage } from './input.ts';

const EVENTS_LIMITS = { minItems: 1, maxItems: WEBHOOK_EVENTS.length };

const SETTINGS = {
  url: Type.Optional(text('url', 'An https URL. Required for all kinds but `sheets`. Answers show only its host.')),
  events: Type.Optional(
    list(oneOf('events', WEBHOOK_EVENTS), `events must be a list of ${WEBHOOK_EVENTS.join(', ')}.`, EVENTS_LIMITS, {
      type: 'array',
      minItems: 1,
      default: ['submission.created'],
      description: 'The events that are delivered.',
    }),
  ),
  body: Type.Optional(
    oneOf('body', BODY_STYLES, {
      default: 'full',
      description: '`thin` sends only the ID and time of a submission.',
    }),
  ),
  include_spam: flag('include_spam', 'Also sends submissions flagged as spam.'),
  when: Type.Optional(
    // `validateWhen` has better messages about the items.
    withMessage(Type.Array(Type.Unknown()), 'when must be a list of conditions.', {
      type: 'array',
      maxItems: MAX_CONDITIONS,
      description: 'Conditions of a submission that must all be met. An empty list means always.',
    }),
  ),
  is_active: flag('is_active', '`false` pauses the webhook; its deliveries stay queued.'),
  headers: Type.Optional(
    list(Type.String(), 'headers must be a list of lines like "X-Token: abc".', {
      maxItems: MAX_HEADERS,
      description: 'Headers of each request, like `X-Token: abc`. Answers show only their names.',
    }),
  ),
  template: Type.Optional(text('template', 'The body of a `template` webhook, with `{{field}}` for values.')),
  template_format: Type.Optional(oneOf('template_format', TEMPLATE_FORMATS)),
  chat: Type.Optional(text('chat', 'The ID of a Telegram chat, for the kind `telegram`.')),
  sheet: Type.Optional(text('sheet', 'The ID of a Google spreadsheet, for the kind `sheets`.')),
  credentials: Type.Optional(text('credentials', 'The JSON key of the Google service account, for the kind `sheets`.')),
};

const KIND =
  '`standard` signs by Standard Webhooks 1.0, `template` sends a text of your own; others are chats and sheets.';

export const NewWebhook = strictObject(
  {
    kind: Type.Optional(oneOf('kind', WEBHOOK_KINDS, { default: 'standard', description: KIND })),
    ...SETTINGS,
  },
  { url: 'https://hooks.example.com/forms', events: ['submission.created'] },
);

export const WebhookPatch = strictObject(SETTINGS, { is_active: false });

/** Parses the settings in a request body. Throws `invalid_input` for invalid URLs, headers and conditions. */
export function parseWebhookInput(body: Static<typeof NewWebhook>): WebhookInput {
  const { kind: _, include_spam, when, is_active, template_format, ...settings } = body;
  if (settings.url !== undefined) parseWebhookUrl(settings.url);
  // Checked here, because the service would take a placeholder for a stored value.
  if (settings.headers) parseHeaders(settings.headers);
  return {
    ...settings,
    ...(settings.events && { events: WEBHOOK_EVENTS.filter((event) => settings.events?.includes(event)) }),
    ...(include_spam !== undefined && { includeSpam: include_spam }),
    ...(when !== undefined && { when: validateWhen(when) }),
    ...(is_active !== undefined && { isActive: is_active }),
    ...(template_format !== undefined && { templateFormat: template_format }),
  };
}
