import { type TSchema, Type } from '@sinclair/typebox';
import type { ValidationError } from 'elysia';
import { AppError } from '../domain/errors.ts';

/** Wraps data in the success envelope of the management API. */
export function success<Data>(data: Data): { success: true; data: Data } {
  return { success: true, data };
}

/** A success response that is already JSON. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Returns the error response of the management API, with these headers and those of the error. */
export function refusal(error: AppError, headers: Readonly<Record<string, string>>): Response {
  return Response.json(
    { success: false, error: error.message, statusCode: error.status },
    { status: error.status, headers: { ...headers, ...error.headers } },
  );
}

/**
 * Returns a schema with its own error message. Without one the framework formats the whole invalid value, which takes
 * seconds if it is deeply nested.
 */
export function withMessage<Schema extends TSchema>(schema: Schema, message: string): Schema {
  return { ...schema, error: message };
}

/** Returns the schema of a body without additional properties, with an example for the OpenAPI document. */
export function strictObject<Properties extends Record<string, TSchema>>(properties: Properties, example: unknown) {
  const required: readonly string[] = Type.Object<Record<string, TSchema>>(properties).required ?? [];
  const names = required.length > 0 ? required.join(' and ') : `at least one of ${Object.keys(properties).join(', ')}`;
  return Type.Object(properties, {
    additionalProperties: false,
    examples: [example],
    minProperties: 1,
    error: `The body must be a JSON object with ${names}.`,
  });
}

/** Converts a failed validation to `invalid_input` with a message of one sentence. */
export function explainValidation({ valueError: first }: Readonly<ValidationError>): AppError {
  if (!first || !('schema' in first)) return new AppError('invalid_input', 'The request does not match this endpoint.');
  const name = first.path.slice(1);
  const { error: message } = first.schema as TSchema & { error?: string };
  if (first.message === 'Unexpected property') {
    return new AppError('invalid_input', `Unknown field "${name}". The API reference lists the fields.`);
  }
  return new AppError('invalid_input', message ?? `Invalid ${name || 'body'}: ${first.message}.`);
}
