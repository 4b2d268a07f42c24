import type { Context } from '../../context/context.ts';

/**
 * The result of a check: `off` means that an optional feature is not set up, `unknown` that the check could not be made
 * now. `message` is made of sentences, and includes the fix of a `broken` one.
 */
export type Finding = Readonly<{
  check: string;
  state: 'ok' | 'off' | 'unknown' | 'warning' | 'broken';
  message: string;
}>;

/** A result before it has the name of its check. */
export type Verdict = Omit<Finding, 'check'>;

export const ok = (message: string): Verdict => ({ state: 'ok', message });
export const off = (message: string): Verdict => ({ state: 'off', message });
export const unknown = (message: string): Verdict => ({ state: 'unknown', message });
export const broken = (message: string): Verdict => ({ state: 'broken', message });

/** A check of `doctor`. It leaves nothing changed, and works with or without a running server. */
export type Check = (context: Context) => Verdict | Promise<Verdict>;

/** Capitalizes a text that is also part of a log line, and ends it with a period. */
export function toSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/(?<!\.)$/, '.');
}
