import { type TSchema, Type } from '@sinclair/typebox';
import { WEBHOOK_KINDS, WEBHOOK_SETTING_NAMES, type WebhookInput, WebhookSettings } from '../delivery/targets/index.ts';
import { Condition, validateWhen } from '../domain/forms/condition.ts';
import { parseHeaders, parseWebhookUrl, WEBHOOK_EVENTS } from '../domain/webhooks/webhook.ts';
import { oneOf } from '../lib/schema.ts';
import { snakeCase } from '../lib/snake-case.ts';
import { strictObject, withMessage } from './input.ts';
import { NamedCondition } from './shared-schemas.ts';

/** Completes "… must be". */
const LISTS: Readonly<Record<string, string>> = {
  events: `a list of ${WEBHOOK_EVENTS.join(', ')}`,
  when: 'a list of conditions',
  headers: 'a list of lines like "X-Token: abc"',
};

/**
 * Returns the schema of an optional property, with its error message. Defaults are only published: the validation would
 * fill them in. A change has none: clients that fill them in would overwrite settings.
 */
function property<Schema extends TSchema>(name: string, schema: Schema, isNew = true) {
  const { default: _, ...rest } = schema as TSchema;
  const message = `${name} must be ${LISTS[name] ?? expectation(schema)}.`;
  const item = schema.items && withMessage(schema.items, message, published(schema.items));
  // `validateWhen` has better messages about the items.
  const items = name === 'when' ? Type.Unknown() : item;
  return Type.Optional(
    withMessage({ ...rest, ...(items && { items }) } as unknown as Schema, message, published(isNew ? schema : rest)),
  );
}

function expectation({ type, enum: values }: TSchema): string {
  if (values) return `one of ${values.join(', ')}`;
  return type === 'boolean' ? 'true or false' : 'a string';
}

/** Returns a schema without the patterns that repeat an `enum`. */
function published({ pattern: _, items, ...rest }: Partial<TSchema>): object {
  return { ...rest, ...(items && { items: items === Condition ? NamedCondition : published(items) }) };
}

const { properties } = WebhookSettings;
const settings = (isNew: boolean) =>
  Object.fromEntries(
    WEBHOOK_SETTING_NAMES.map((name) => [snakeCase(name), property(snakeCase(name), properties[name], isNew)]),
  );

const KIND =
  '`standard` signs by Standard Webhooks 1.0, `template` sends a text of your own; others are chats and sheets.';

const EXAMPLE = { url: 'https://hooks.example.com/forms', events: ['submission.created'] };

export const NewWebhook = strictObject(
  { kind: property('kind', oneOf(WEBHOOK_KINDS, { default: 'standard', description: KIND })), ...settings(true) },
  EXAMPLE,
);

export const WebhookPatch = strictObject(settings(false), { is_active: false });

/** A body that its schema has checked, except for the conditions. */
type Body = Readonly<{ kind?: string; when?: readonly unknown[]; [name: string]: unknown }>;

/** Parses the settings in a request body. Throws `invalid_input` for invalid URLs, headers and conditions. */
export function parseWebhookInput(body: Body): WebhookInput {
  const given = WEBHOOK_SETTING_NAMES.filter((name) => body[snakeCase(name)] !== undefined);
  const input: WebhookInput = Object.fromEntries(given.map((name) => [name, body[snakeCase(name)]]));
  const { url, headers, events } = input;
  if (url !== undefined) parseWebhookUrl(url);
  // Checked here, because the service would take a placeholder for a stored value.
  if (headers) parseHeaders(headers);
  return {
    ...input,
    ...(events && { events: WEBHOOK_EVENTS.filter((event) => events.includes(event)) }),
    ...(body.when && { when: validateWhen(body.when) }),
  };
}
