import { newForm } from './form.ts';
import { isInProgress, type Retry } from './post.ts';
import type { FormOptions, FormsteadForm } from './types.ts';

export type { FieldError, FormContent, FormOptions, FormsteadForm, SubmitOptions, SubmitResult } from './types.ts';

const MAX_ATTEMPTS = 5;
/** Longest time that waits take in total, in milliseconds. A longer `Retry-After` is left to the caller. */
const MAX_WAIT_MS = 30_000;

/** Returns a form that is submitted to `url`, the address of a form of your instance. */
export function createForm(url: string, options: FormOptions = {}): FormsteadForm {
  return newForm(url, options, backOff);
}

/** Retries after network errors and temporary failures, after `Retry-After` or with exponential backoff and jitter. */
const backOff: Retry = (reply, attempt, waited) => {
  if (attempt >= MAX_ATTEMPTS || (reply && reply.status < 500 && reply.status !== 429 && !isInProgress(reply)))
    return null;
  const wait = 1000 * (reply?.retryAfter ?? 2 ** (attempt - 2)) * (1 + Math.random());
  return waited + wait > MAX_WAIT_MS ? null : wait;
};
