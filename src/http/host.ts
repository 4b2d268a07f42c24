import { invalidInput } from '../domain/errors.ts';

/** Throws `AppError` if the request has several Host headers, which the server joins with a comma. */
export function requireOneHost({ headers }: Request): void {
  if (!headers.get('host')?.includes(',')) return;
  throw invalidInput('The request has more than one Host header. Send one.');
}
