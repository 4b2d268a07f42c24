import type { CommandContext } from '../command.ts';

/**
 * `off` is what works and could do more, `unknown` what could not be looked at now; `says` tells how to mend what is broken.
 */
export type Finding = Readonly<{ check: string; state: 'ok' | 'off' | 'unknown' | 'broken'; says: string }>;

/** Looks at one thing. It changes nothing, beside a serving instance or without one. */
export type Check = (context: CommandContext) => Finding | Promise<Finding>;
