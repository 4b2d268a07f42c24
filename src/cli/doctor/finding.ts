import type { Context } from '../../context/context.ts';

/**
 * The result of a check: `off` means that an optional feature is not set up, `unknown` that the check could not be made
 * now. `says` includes the fix of a `broken` one.
 */
export type Finding = Readonly<{ check: string; state: 'ok' | 'off' | 'unknown' | 'warning' | 'broken'; says: string }>;

/** A result before it has the name of its check. */
export type Verdict = Omit<Finding, 'check'>;

export const ok = (says: string): Verdict => ({ state: 'ok', says });
export const off = (says: string): Verdict => ({ state: 'off', says });
export const unknown = (says: string): Verdict => ({ state: 'unknown', says });
export const broken = (says: string): Verdict => ({ state: 'broken', says });

/** A check of `doctor`. It leaves nothing changed, and works with or without a running server. */
export type Check = (context: Context) => Verdict | Promise<Verdict>;
