import { sql } from 'drizzle-orm';
import type { Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Db } from './database.ts';
import type { submissions } from './schema.ts';

type Marked = Pick<typeof submissions.$inferSelect, 'id' | 'formId' | 'spamReasons'>;

/**
 * Records a member's marks on submissions for the learning job, in the caller's transaction, which must have locked the
 * submissions. A mark replaces an earlier one. *Not spam* for a submission without reasons of the filter only withdraws
 * the earlier mark.
 */
export async function writeSpamMarks(tx: Db, marked: readonly Marked[], isSpam: boolean, now: Micros): Promise<void> {
  if (marked.length === 0) return;
  const ids = sql.param(marked.map(({ id }) => id));
  const { rows } = await tx.execute<{ id: string }>(
    sql`SELECT DISTINCT submission_id AS id FROM spam_lessons WHERE submission_id = ANY(${ids}::text[]) AND balances IS NULL`,
  );
  const earlier = new Set(rows.map(({ id }) => id));
  await withdrawSpamMarks(
    tx,
    marked.map(({ id }) => id),
  );
  const added = marked.filter(({ id, spamReasons }) => isSpam || spamReasons !== null || !earlier.has(id));
  const column = (read: (one: Marked) => string) => sql.param(added.map(read));
  await tx.execute(sql`
    INSERT INTO spam_lessons (id, team_id, submission_id, is_spam, changes, is_forgotten, created_at)
    SELECT n.id, t.id, n.submission_id, ${isSpam}::boolean, '', true, ${now}::bigint
    FROM unnest(${column(() => newId('les'))}::text[], ${column(({ id }) => id)}::text[], ${column(({ formId }) => formId)}::text[])
      AS n(id, submission_id, form_id)
    JOIN forms f ON f.id = n.form_id JOIN workspaces w ON w.id = f.workspace_id JOIN teams t ON t.id = w.team_id
    WHERE t.learns_spam`);
}

/** Withdraws the marks on submissions, in the caller's transaction, which must have locked the submissions. */
export async function withdrawSpamMarks(tx: Db, submissionIds: readonly string[]): Promise<void> {
  const isOnThem = sql`submission_id = ANY(${sql.param([...submissionIds])}::text[])`;
  await tx.execute(sql`DELETE FROM spam_lessons WHERE ${isOnThem} AND changes = ''`);
  await tx.execute(sql`UPDATE spam_lessons SET is_forgotten = true WHERE ${isOnThem}`);
}
