import { sql } from 'drizzle-orm';
/** Requests a rewrite, also within another transaction. */
export const REQUEST_REWRITE = sql`INSERT INTO rewrites (id, requested, rewritten, cleared, attempted_at)
  VALUES (1, 1, 0, 0, 0) ON CONFLICT (id) DO UPDATE SET requested = rewrites.requested + 1`;
