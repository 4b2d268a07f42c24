import type { AppError } from '../domain/errors.ts';

/** Wraps data in the success envelope of the management API. */
export const success = <Data>(data: Data): { success: true; data: Data } => ({ success: true, data });

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
