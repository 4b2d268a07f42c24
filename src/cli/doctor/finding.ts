import type { Context } from '../../context.ts';

/**
 * The result of a check: `off` means that an optional feature is not set up, `unknown` that the check could not be made
 * now. `says` includes the fix of a `broken` one.
 */
export type Finding = Readonly<{ check: string; state: 'ok' | 'off' | 'unknown' | 'warning' | 'broken'; says: string }>;

/** A check of `doctor`. It leaves nothing changed, and works with or without a running server. */
export type Check = (context: Context) => Finding | Promise<Finding>;
