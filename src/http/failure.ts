import { AppError, SetupError } from '../domain/errors.ts';
import { explainSystemFault } from '../domain/instance/system-fault.ts';
import type { Logger } from '../lib/log.ts';
import { getCaller } from './caller.ts';
import { RefusalLog } from './refusal-log.ts';
import { requestId } from './request-id.ts';

const refusalLogs = new WeakMap<Logger, RefusalLog>();

/**
 * Converts a thrown value to an `AppError` and logs it with the caller, repeated refusals as a count. An unexpected
 * error becomes `internal_error` with the request id; the log gets its type and stack but not its message, which may
 * contain submitted data.
 */
export function toRefusal(error: unknown, request: Request, route: string, log: Logger): AppError {
  const id = requestId(request);
  const refusal = error instanceof AppError ? error : internalError(error, id);
  const { status, code } = refusal;
  const details = { request: id, method: request.method };
  const kind = { route, status, code, ...getCaller(request) };
  const cause = refusal.cause === undefined ? { error: refusal.message } : describe(refusal.cause);
  if (status < 500 || code === 'server_busy') getRefusalLog(log).note('info', kind, details);
  else if (code === 'storage_unavailable') getRefusalLog(log).note('error', { ...kind, ...cause }, details);
  else log.error('request failed', { ...details, ...kind, ...cause });
  return refusal;
}

/** Returns the refusal of a client that sends more than its address may. */
export function tooFrequent(what: string, seconds: number): AppError {
  return new AppError('rate_limited', `Too many ${what} from your address. Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

function getRefusalLog(log: Logger): RefusalLog {
  const refusalLog = refusalLogs.get(log) ?? new RefusalLog(log);
  refusalLogs.set(log, refusalLog);
  return refusalLog;
}

function internalError(cause: unknown, id: string): AppError {
  return new AppError('internal_error', `Something went wrong on the server. Request id: ${id}.`, { cause });
}

/**
 * Returns a failure of the setup, the database or the system in words, and any other error as its type and the top of its
 * stack, without its message.
 */
function describe(error: unknown): Record<string, string> {
  const fault = error instanceof SetupError ? error.message : explainSystemFault(error);
  if (fault !== null) return { error: fault };
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
