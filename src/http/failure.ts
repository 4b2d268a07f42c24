import { AppError, SetupError } from '../domain/errors.ts';
import { explainSystemFault } from '../domain/instance/system-fault.ts';
import type { LogFields, Logger } from '../lib/log.ts';
import { getCaller } from './caller.ts';
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

const INTERVAL_MS = 60_000;

/** Messages by level: for refused requests, and for failures by a lasting fault such as a full disk. */
const MESSAGES = {
  info: { first: 'request refused', further: 'further requests refused' },
  error: { first: 'request failed', further: 'further requests failed' },
} as const;
type Level = keyof typeof MESSAGES;

/**
 * Log of refused requests. The first refusal of a kind is one line; further ones are counted, and the count is logged
 * once a minute, so that a flood of requests does not fill the disk.
 */
export class RefusalLog {
  /** Refusals by kind since the last line. */
  readonly #counts = new Map<string, number>();

  constructor(private readonly log: Logger) {}

  /** Logs or counts a refusal. `kind` has the fields that refusals are counted by, `details` those of the first one. */
  note(level: Level, kind: LogFields, details: LogFields): void {
    const name = JSON.stringify(kind);
    const count = this.#counts.get(name);
    if (count !== undefined) {
      this.#counts.set(name, count + 1);
      return;
    }
    this.log[level](MESSAGES[level].first, { ...details, ...kind });
    this.#counts.set(name, 0);
    const timer = setInterval(() => this.#report(level, name, kind, timer), INTERVAL_MS);
    timer.unref();
  }

  #report(level: Level, name: string, kind: LogFields, timer: Timer): void {
    const count = this.#counts.get(name) ?? 0;
    if (count > 0) {
      this.log[level](MESSAGES[level].further, { ...kind, count, seconds: INTERVAL_MS / 1000 });
      this.#counts.set(name, 0);
    } else {
      clearInterval(timer);
      this.#counts.delete(name);
    }
  }
}
