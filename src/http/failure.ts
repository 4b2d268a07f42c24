import { AppError } from '../domain/errors.ts';
import type { Logger } from '../lib/log.ts';
import { callerOf } from './caller.ts';
import { requestId } from './request-id.ts';

/**
 * Makes a refusal of whatever was thrown, and logs it. What we did not foresee becomes `internal_error`: its message
 * may hold what a visitor sent, so the log gets the kind of error and the place in the code, and the answer only an id. The log also
 * gets the id of the key or the user that the request comes from, where that is known.
 */
export function toRefusal(error: unknown, request: Request, route: string, log: Logger): AppError {
  const id = requestId(request);
  const refusal = error instanceof AppError ? error : unforeseen(error, id);
  const { status, code } = refusal;
  const facts = { request: id, method: request.method, route, status, code, ...callerOf(request) };
  if (refusal.status >= 500) log.error('request failed', { ...facts, ...describe(refusal.cause) });
  else log.info('request refused', facts);
  return refusal;
}

function unforeseen(cause: unknown, id: string): AppError {
  return new AppError('internal_error', `Something went wrong here. It is noted under the number ${id}.`, { cause });
}

/** Kind and place of an error without its message. */
function describe(error: unknown): Record<string, string> {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return {
    error: [error.name, code].filter(Boolean).join(' '),
    at: frames
      .slice(0, 4)
      .map((line) => line.trim())
      .join('; '),
  };
}
