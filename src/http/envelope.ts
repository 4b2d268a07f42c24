import { type TSchema, Type } from '@sinclair/typebox';
import type { ValidationError } from 'elysia';
import { AppError } from '../domain/errors.ts';

/** Every answer of the management API that is a success. */
export function success<Data>(data: Data): { success: true; data: Data } {
  return { success: true, data };
}

/** Every answer of the management API that is not, with the refusal's headers and `X-Request-Id`. */
export function refusal(error: AppError, headers: Readonly<Record<string, string>>): Response {
  return Response.json(
    { success: false, error: error.message, statusCode: error.status },
    { status: error.status, headers: { ...headers, ...error.headers } },
  );
}

/**
 * A schema whose failure is told in these words. Without them the framework writes out the whole value that failed,
 * indented, which takes seconds for one that is deeply nested.
 */
export function explained<Schema extends TSchema>(schema: Schema, explanation: string): Schema {
  return { ...schema, error: explanation };
}

/** A body without further properties, what to say of one, and an example that the document shows. */
export function strictObject<Properties extends Record<string, TSchema>>(properties: Properties, example: unknown) {
  return Type.Object(properties, {
    additionalProperties: false,
    examples: [example],
    minProperties: 1,
    error: `the body takes a JSON object with at least one of ${Object.keys(properties).join(', ')}.`,
  });
}

/** Tells in one sentence what of a request does not fit its schema. */
export function explainValidation({ valueError: first }: Readonly<ValidationError>): AppError {
  if (!first || !('schema' in first)) return new AppError('invalid_input', 'The request does not fit this route.');
  const name = first.path.slice(1);
  const { error: explanation } = first.schema as TSchema & { error?: string };
  if (first.message === 'Unexpected property') {
    return new AppError('invalid_input', `unknown field "${name}"; see the fields this route takes.`);
  }
  return new AppError('invalid_input', explanation ?? `${name || 'the body'}: ${first.message}.`);
}
