import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Drizzle } from './database.ts';
import type { submissions } from './schema.ts';

type Marked = Pick<typeof submissions.$inferSelect, 'id' | 'formId' | 'spamReasons'>;

/**
 * Returns functions that record a member's mark on a submission for the learning job, or withdraw it, in the caller's
 * transaction. A mark replaces an earlier one. *Not spam* for a submission without reasons of the filter only withdraws
 * the earlier mark.
 */
export function spamMarkWriters(db: Drizzle, clock: Clock) {
  const { $client } = db;
  const countMarks = $client.query<{ total: number }, [submissionId: string]>(
    'SELECT count(*) AS total FROM spam_lessons WHERE submission_id = ? AND balances IS NULL',
  );
  const dropUnlearned = $client.query<null, [submissionId: string]>(
    "DELETE FROM spam_lessons WHERE submission_id = ? AND changes = x''",
  );
  const forget = $client.query<null, [submissionId: string]>(
    'UPDATE spam_lessons SET is_forgotten = 1 WHERE submission_id = ?',
  );
  const insert = $client.query<null, { id: string; submissionId: string; formId: string; isSpam: number; at: number }>(
    `INSERT INTO spam_lessons (id, team_id, submission_id, is_spam, changes, is_forgotten, created_at)
     SELECT $id, t.id, $submissionId, $isSpam, x'', 1, $at FROM forms f
     JOIN workspaces w ON w.id = f.workspace_id JOIN teams t ON t.id = w.team_id
     WHERE f.id = $formId AND t.learns_spam = 1`,
  );

  const withdrawMark = (submissionId: string): void => {
    dropUnlearned.run(submissionId);
    forget.run(submissionId);
  };

  const writeMark = ({ id: submissionId, formId, spamReasons }: Marked, isSpam: boolean): void => {
    const isMarked = (countMarks.get(submissionId)?.total ?? 0) > 0;
    withdrawMark(submissionId);
    if (isMarked && !isSpam && spamReasons === null) return;
    insert.run({ id: newId('les'), submissionId, formId, isSpam: Number(isSpam), at: clock() });
  };
  return { writeMark, withdrawMark };
}
