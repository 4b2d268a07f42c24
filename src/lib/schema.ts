import { type ObjectOptions, type TProperties, type TSchema, Type } from '@sinclair/typebox';

/** A time in a response. */
export const Time = Type.String({
  format: 'date-time',
  description: 'A time in RFC 3339 format, in UTC with microseconds.',
  examples: ['2026-11-21T08:00:00.000123Z'],
});

/** Returns the schema of an object without other properties. */
export function closed<Properties extends TProperties>(properties: Properties, options: ObjectOptions = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** Returns the schema of a noun of the API, which has a name in the OpenAPI document. */
export function noun<Properties extends TProperties>($id: string, properties: Properties, options: ObjectOptions = {}) {
  return closed(properties, { $id, ...options });
}

/** Returns the schema of a value or null. */
export function nullable<Schema extends TSchema>(schema: Schema, description: string, options: object = {}) {
  return Type.Union([schema, Type.Null()], { description, ...options });
}

/** Returns the schema of a string that is one of `values`. */
export function choice<Value extends string>(values: readonly Value[], options: object = {}) {
  return Type.Unsafe<Value>({ type: 'string', enum: values, ...options });
}

/** Returns the schema of one of `values`. TypeBox checks the pattern, and editors complete from `enum`. */
export function oneOf<Value extends string>(values: readonly Value[], options: object = {}) {
  const pattern = `^(?:${values.join('|').replaceAll('.', '\\.')})$`;
  return Type.Unsafe<Value>(Type.String({ enum: [...values], pattern, ...options }));
}

/** A number that counts something. */
export const Count = Type.Integer({ minimum: 0 });

type Keywords = TSchema & Readonly<{ required?: readonly string[]; properties?: Record<string, TSchema> }>;

/**
 * Returns an example of a value: the `example` of its schema, or one made of the examples of its properties. Optional
 * properties appear if they have one. Otherwise a flag is false, a choice its first value, and a nullable value null.
 */
export function getExample(schema: TSchema): unknown {
  const { example, examples, enum: values, anyOf, items, properties, required = [] } = schema as Keywords;
  if (example !== undefined) return example;
  if (examples) return examples[0];
  if (schema.const !== undefined) return schema.const;
  if (values) return values[0];
  if (anyOf) return null;
  if (schema.type === 'boolean') return false;
  if (schema.type === 'array') return [getExample(items)];
  const shown = Object.entries(properties ?? {}).filter(
    ([name, { example }]) => required.includes(name) || example !== undefined,
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, getExample(property)]));
}
