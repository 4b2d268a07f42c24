import { t } from 'elysia';
import { AppError } from '../../domain/errors.ts';
import { type Micros, parseTime } from '../../lib/clock.ts';

export const DEFAULT_LIMIT = 50;

/** The `limit` of a page. */
export const Limit = t.Optional(
  // A string with a pattern: the framework's conversion to a number would also accept `0x10` and `1e1`.
  t.String({
    pattern: '^(?:[1-9][0-9]?|100)$',
    error: 'limit must be an integer from 1 to 100.',
    publishedAs: {
      description: 'Maximum number of submissions per page. A page ends early at 4 MiB of data.',
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: DEFAULT_LIMIT,
    },
  }),
);

export const Before = t.Optional(
  t.String({
    description:
      'A cursor for pagination: the `next_cursor` of the previous page. Any RFC 3339 timestamp works; ' +
      'only submissions created before it are returned.',
  }),
);

export const Since = t.Optional(
  t.String({ description: 'An RFC 3339 timestamp. Only submissions created at this time or later are returned.' }),
);

export const Until = t.Optional(
  t.String({ description: 'An RFC 3339 timestamp. Only submissions created before this time are returned.' }),
);

/** Returns the schema of a `spam` parameter. */
export function SpamFlag(description: string) {
  return t.Optional(
    t.String({
      pattern: '^(?:true|false)$',
      error: 'spam must be true or false.',
      publishedAs: { description, type: 'boolean' },
    }),
  );
}

/** Parses the time of a parameter. Throws `invalid_input`. */
export function timeOf(name: string, text: string): Micros {
  const time = parseTime(text);
  if (time !== null) return time;
  throw new AppError('invalid_input', `${name} must be an RFC 3339 timestamp such as 2026-11-21T08:00:00.000123Z.`);
}
