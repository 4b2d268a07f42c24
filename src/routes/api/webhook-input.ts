import { Type } from '@sinclair/typebox';
import { t } from 'elysia';
import { Condition, MAX_CONDITIONS, validateWhen } from '../../domain/condition.ts';
import {
  BODY_STYLES,
  type BodyStyle,
  MAX_HEADERS,
  parseHeaders,
  parseWebhookUrl,
  TEMPLATE_FORMATS,
  type TemplateFormat,
  WEBHOOK_EVENTS,
  WEBHOOK_KINDS,
  type WebhookEvent,
  type WebhookKind,
} from '../../domain/webhook.ts';
import { strictObject, withMessage } from '../../http/envelope.ts';
import type { WebhookInput } from '../../services/webhooks.ts';

/** Returns the schema of a string that is one of `values`. */
function oneOf<Value extends string>(name: string, values: readonly Value[], more: object = {}) {
  const published = { type: 'string', enum: values, ...more };
  const pattern = `^(?:${values.map((value) => value.replaceAll('.', '\\.')).join('|')})$`;
  const schema = t.Unsafe<Value>(t.String({ pattern, publishedAs: published }));
  return withMessage(schema, `${name} must be one of ${values.join(', ')}.`);
}

function text(name: string, description: string) {
  return t.Optional(withMessage(t.String({ description }), `${name} must be a string.`));
}

function flag(name: string, description: string) {
  return t.Optional(withMessage(t.Boolean({ description }), `${name} must be true or false.`));
}

const EVENTS_MESSAGE = `events must be a list of ${WEBHOOK_EVENTS.join(', ')}.`;
const HEADERS_MESSAGE = 'headers must be a list of lines like "X-Token: abc".';

const SETTINGS = {
  url: text('url', 'An https URL. Required for all kinds but `sheets`. Answers show only its host.'),
  events: t.Optional(
    withMessage(
      t.Array(withMessage(oneOf('events', WEBHOOK_EVENTS), EVENTS_MESSAGE), {
        minItems: 1,
        maxItems: WEBHOOK_EVENTS.length,
        publishedAs: {
          type: 'array',
          minItems: 1,
          items: { type: 'string', enum: WEBHOOK_EVENTS },
          default: ['submission.created'],
          description: 'The events that are delivered.',
        },
      }),
      EVENTS_MESSAGE,
    ),
  ),
  body: t.Optional(
    oneOf('body', BODY_STYLES, {
      default: 'full',
      description: '`thin` sends only the ID and time of a submission.',
    }),
  ),
  include_spam: flag('include_spam', 'Also sends submissions flagged as spam.'),
  when: t.Optional(
    withMessage(
      // `validateWhen` has better messages about the items.
      t.Array(t.Unknown(), {
        publishedAs: {
          type: 'array',
          maxItems: MAX_CONDITIONS,
          items: Condition,
          description: 'Conditions of a submission that must all be met. An empty list means always.',
        },
      }),
      'when must be a list of conditions.',
    ),
  ),
  is_active: flag('is_active', '`false` pauses the webhook; its deliveries stay queued.'),
  headers: t.Optional(
    withMessage(
      t.Array(withMessage(t.String(), HEADERS_MESSAGE), {
        maxItems: MAX_HEADERS,
        publishedAs: {
          type: 'array',
          maxItems: MAX_HEADERS,
          items: { type: 'string' },
          description: 'Headers of each request, like `X-Token: abc`. Answers show only their names.',
        },
      }),
      HEADERS_MESSAGE,
    ),
  ),
  template: text('template', 'The body of a `template` webhook, with `{{field}}` for values.'),
  template_format: t.Optional(oneOf('template_format', TEMPLATE_FORMATS)),
  chat: text('chat', 'The ID of a Telegram chat, for the kind `telegram`.'),
  sheet: text('sheet', 'The ID of a Google spreadsheet, for the kind `sheets`.'),
  credentials: text('credentials', 'The JSON key of the Google service account, for the kind `sheets`.'),
};

const KIND =
  '`standard` signs by Standard Webhooks 1.0, `template` sends a text of your own; others are chats and sheets.';

const EXAMPLE = { url: 'https://hooks.example.com/forms', events: ['submission.created'] };

export const NewWebhook = strictObject(
  { kind: t.Optional(oneOf('kind', WEBHOOK_KINDS, { default: 'standard', description: KIND })), ...SETTINGS },
  EXAMPLE,
);

export const WebhookPatch = strictObject(SETTINGS, { is_active: false });

type Body = Readonly<{
  kind?: WebhookKind;
  url?: string;
  events?: WebhookEvent[];
  body?: BodyStyle;
  include_spam?: boolean;
  when?: unknown[];
  is_active?: boolean;
  headers?: string[];
  template?: string;
  template_format?: TemplateFormat;
  chat?: string;
  sheet?: string;
  credentials?: string;
}>;

/** Returns the settings of a request body. Throws `invalid_input` for invalid URLs, headers and conditions. */
export function webhookInputOf(body: Body): WebhookInput {
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

export const MAX_PAST = 1_000;

export const Redelivery = strictObject(
  {
    delivery_id: text('delivery_id', 'One delivery of the webhook.'),
    failed: t.Optional(
      withMessage(t.Literal(true, { description: 'All failed deliveries of the webhook.' }), 'failed must be true.'),
    ),
    past: t.Optional(
      withMessage(
        Type.Integer({
          minimum: 1,
          maximum: MAX_PAST,
          description: 'The latest submissions of the form, as new ones.',
        }),
        `past must be an integer from 1 to ${MAX_PAST}.`,
      ),
    ),
  },
  { failed: true },
);
