import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import type { Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Db } from '../database.ts';
import { forms, spamLessons, teams, workspaces } from '../schema.ts';
import { IN_WORKSPACE } from './reach.ts';

type Marked = Pick<StoredSubmission, 'id' | 'formId' | 'spamReasons'>;

/**
 * Records a member's marks on submissions for the learning job, in the caller's transaction, which must have locked the
 * submissions. A mark replaces an earlier one. *Not spam* for a submission without reasons of the filter only withdraws
 * the earlier mark.
 */
export async function writeSpamMarks(tx: Db, marked: readonly Marked[], isSpam: boolean, now: Micros): Promise<void> {
  if (marked.length === 0) return;
  const ids = marked.map(({ id }) => id);
  const isEarlier = and(inArray(spamLessons.submissionId, ids), isNull(spamLessons.balances));
  const rows = await tx.selectDistinct({ id: spamLessons.submissionId }).from(spamLessons).where(isEarlier);
  const earlier = new Set(rows.map(({ id }) => id));
  await withdrawSpamMarks(tx, ids);
  const added = marked.filter(({ id, spamReasons }) => isSpam || spamReasons !== null || !earlier.has(id));
  const formIds = [...new Set(added.map(({ formId }) => formId))];
  const learning = await tx
    .select({ formId: forms.id, teamId: teams.id })
    .from(forms)
    .innerJoin(workspaces, IN_WORKSPACE)
    .innerJoin(teams, eq(teams.id, workspaces.teamId))
    .where(and(inArray(forms.id, formIds), teams.learnsSpam));
  const teamOf = new Map(learning.map(({ formId, teamId }) => [formId, teamId]));
  const lessons = added.flatMap(({ id: submissionId, formId }) => {
    const teamId = teamOf.get(formId);
    const lesson = { isSpam, changes: Buffer.alloc(0), isForgotten: true, createdAt: now };
    return teamId === undefined ? [] : [{ id: newId('les'), teamId, submissionId, ...lesson }];
  });
  if (lessons.length > 0) await tx.insert(spamLessons).values(lessons);
}

/** Withdraws the marks on submissions, in the caller's transaction, which must have locked the submissions. */
export async function withdrawSpamMarks(tx: Db, submissionIds: readonly string[]): Promise<void> {
  const isOnThem = inArray(spamLessons.submissionId, [...submissionIds]);
  await tx.delete(spamLessons).where(and(isOnThem, sql`length(changes) = 0`));
  await tx.update(spamLessons).set({ isForgotten: true }).where(isOnThem);
}
