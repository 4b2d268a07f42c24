import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { AppError } from '../../domain/errors.ts';
import { unavailable } from '../unavailable.ts';

/** SQLSTATE codes of transactions that succeed when repeated: serialization failure and deadlock. */
const REPEATABLE = new Set(['40001', '40P01']);

/**
 * SQLSTATE codes of a database that cannot work now: connection lost (08), resources exhausted (53), stopping or
 * starting (57), system error (58), internal error (XX), read-only standby, lock not available, and a transaction that
 * was idle for too long, and a record that was sealed under a key of the past.
 */
const UNAVAILABLE = /^(08|53|57|58|XX)|^(25006|55P03|25P03|FS001)$/;

/** Returns the error of the driver, without the statement and the values that Drizzle adds to its message. */
export function driverError(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? (error.cause ?? new Error('the query failed')) : error;
}

/** Returns true if the transaction failed because of a concurrent one, and changed nothing. */
export function isRepeatable(error: unknown): boolean {
  const cause = driverError(error);
  return cause instanceof pg.DatabaseError && REPEATABLE.has(cause.code ?? '');
}

/**
 * Turns errors of a database that is not available into `AppError('storage_unavailable')`. Returns other errors without
 * values, which may be secret.
 */
export function toAppError(error: unknown): unknown {
  const cause = driverError(error);
  if (cause instanceof AppError) return cause;
  if (cause instanceof pg.DatabaseError) {
    const { code = '', message } = cause;
    if (UNAVAILABLE.test(code) || REPEATABLE.has(code)) return unavailable(cause);
    return Object.assign(new Error(`${message} (SQLSTATE ${code})`), { code, constraint: cause.constraint });
  }
  return isConnectionError(cause) ? unavailable(cause) : cause;
}

/** Returns true for an error of the socket, or of the driver about its connection. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (/^E[A-Z]+$/.test(String((error as { code?: unknown }).code ?? ''))) return true;
  return /connection (terminated|error|timeout)|timeout exceeded when trying to connect|timeout expired|not queryable/i.test(
    error.message,
  );
}
