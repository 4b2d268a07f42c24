import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { invalidInput } from '../domain/errors.ts';
import { type Micros, parseTime } from '../lib/clock.ts';

export const DEFAULT_LIMIT = 50;

/** Returns a schema with an error message. `publishedAs` replaces it in the OpenAPI document. */
export function withMessage<Schema extends TSchema>(schema: Schema, message: string, publishedAs?: object): Schema {
  return { ...schema, error: message, ...(publishedAs && { publishedAs }) };
}

/** Returns the schema of an optional property with an error message. `publishedAs` replaces it in the OpenAPI document. */
export function optional<Schema extends TSchema>(schema: Schema, message: string, publishedAs?: object) {
  return Type.Optional(withMessage(schema, message, publishedAs));
}

/** Returns the schema of a string in a body. `options` can have an `example`. */
export function text(name: string, description: string, options: object = {}) {
  return withMessage(Type.String({ description, ...options }), `${name} must be a string.`);
}

/** Returns the schema of a form's or workspace's name. */
export function nameText(description: string, example: string) {
  const limits = '1 to 200 characters. Leading and trailing spaces are removed.';
  return withMessage(
    Type.String({ description: `${description}, ${limits}`, example }),
    'name must be a string of 1 to 200 characters.',
  );
}

/** Returns the schema of an optional flag in a body. */
export function flag(name: string, description: string) {
  return optional(Type.Boolean({ description }), `${name} must be true or false.`);
}

/** Returns the schema of a list in a body. */
export function list<Item extends TSchema>(item: Item, message: string, options: object) {
  return withMessage(Type.Array(withMessage(item, message), options), message);
}

/** Returns the schema of a body without additional properties, with an example for the OpenAPI document. */
export function strictObject<Properties extends TProperties>(properties: Properties, example?: object) {
  const required: readonly string[] = Type.Object<TProperties>(properties).required ?? [];
  const names = required.length > 0 ? required.join(' and ') : `at least one of ${Object.keys(properties).join(', ')}`;
  return Type.Object(properties, {
    additionalProperties: false,
    minProperties: 1,
    error: `The body must be a JSON object with ${names}.`,
    ...(example && { example }),
  });
}

/** Returns the schema of a query. Unknown parameters are ignored. */
export function queryObject<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: true });
}

/** Returns the schema of the `limit` of a page. */
export function limit(description: string) {
  const published = { description, type: 'integer', minimum: 1, maximum: 100, default: DEFAULT_LIMIT };
  // A pattern, because a conversion to a number would also accept `0x10` and `1e1`.
  const schema = Type.String({ pattern: '^(?:[1-9][0-9]?|100)$' });
  return optional(schema, 'limit must be an integer from 1 to 100.', published);
}

/** Parameters of a page of submissions. */
export const PAGE = {
  limit: limit('Maximum number of submissions per page. A page ends early at 4 MiB of data.'),
  before: Type.Optional(
    Type.String({
      description:
        'A cursor for pagination: the `next_cursor` of the previous page. Any RFC 3339 timestamp works; ' +
        'only submissions created before it are returned.',
    }),
  ),
};

export const Since = Type.Optional(
  Type.String({ description: 'An RFC 3339 timestamp. Only submissions created at this time or later are returned.' }),
);

/** Returns the schema of a `spam` parameter. */
export function spamFlag(description: string) {
  const schema = Type.String({ pattern: '^(?:true|false)$' });
  return optional(schema, 'spam must be true or false.', { description, type: 'boolean' });
}

/** Parses the time of a parameter; undefined gives `absent`. Throws `invalid_input`. */
export function parseTimeParam<Absent>(name: string, value: string | undefined, absent: Absent): Micros | Absent {
  if (value === undefined) return absent;
  const time = parseTime(value);
  if (time !== null) return time;
  throw invalidInput(`${name} must be an RFC 3339 timestamp such as 2026-11-21T08:00:00.000123Z.`);
}

/** Throws `invalid_input` with a message of one sentence unless the value matches the schema. */
export function requireValid(schema: TSchema | undefined, value: unknown): void {
  if (!schema || Value.Check(schema, value)) return;
  const error = Value.Errors(schema, value).First();
  const name = error?.path.slice(1) ?? '';
  if (error?.message === 'Unexpected property') {
    throw invalidInput(`Unknown field "${name}". The API reference lists the fields.`);
  }
  const { error: message } = (error?.schema ?? {}) as { error?: string };
  throw invalidInput(message ?? `Invalid ${name || 'body'}: ${error?.message}.`);
}
