import { and, asc, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { MIN_LESSONS } from '../../domain/spam/spam-table.ts';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { type Db, deleteRows, firstRow, updateRows, upsert } from '../database.ts';
import type { SpamLessonCounts, SpamModelChange, StoredSpamModel } from '../records.ts';
import { forms, spamLessons, spamModels, submissions, teams, workspaces } from '../schema.ts';
import { hasId } from './live-submissions.ts';
import { fromForms } from './reach.ts';

const { id, submissionId, isSpam, balances, changes, createdAt } = spamLessons;
const COLUMNS = { id, submissionId, isSpam, balances, changes, createdAt };

const NOT_LEARNED = sql`length(changes) = 0`;

const isKept = (teamId: string) => and(eq(spamLessons.teamId, teamId), sql`NOT is_forgotten`);

/** Thrown to roll back a change of a model that is out of date. */
class Outdated extends Error {}

export function spamModelStore(db: Db, clock: Clock) {
  const firstLessons = (condition: SQL) =>
    sql`(SELECT count(*) FROM (SELECT 1 FROM spam_lessons
      WHERE team_id = t.id AND NOT is_forgotten AND ${condition} LIMIT ${MIN_LESSONS}) AS lessons)`;
  const findModel = async (tx: Db, teamId: string): Promise<StoredSpamModel | null> => {
    const { weights, raisedBy, halvedAt } = spamModels;
    return firstRow(tx.select({ weights, raisedBy, halvedAt }).from(spamModels).where(eq(spamModels.id, teamId)));
  };

  const write = async (tx: Db, teamId: string, { before, model, learned, removed }: SpamModelChange): Promise<void> => {
    const current = (await findModel(tx, teamId))?.weights ?? null;
    const isSame = before === null || current === null ? before === current : Buffer.compare(before, current) === 0;
    if (!isSame) throw new Outdated();
    await requireSubmissions(tx, learned);
    const deleted = await deleteRows(tx, spamLessons, inArray(id, [...removed]));
    if (deleted < removed.length) throw new Outdated();
    for (const lesson of learned) {
      const values = { changes: Buffer.from(lesson.changes), isForgotten: false };
      const isUnlearned = and(eq(id, lesson.id), NOT_LEARNED);
      if (lesson.balances !== null)
        await tx.insert(spamLessons).values({ ...lesson, ...values, teamId, isSpam: false });
      else if ((await updateRows(tx, spamLessons, values, isUnlearned)) === 0) throw new Outdated();
    }
    const weights = Buffer.from(model.weights);
    await upsert(tx, spamModels, ['id'], { id: teamId, ...model, weights, updatedAt: clock() });
  };

  return {
    /**
     * Returns the spam filter of a workspace's team, with its id and the lessons of each kind, counted up to `MIN_LESSONS`;
     * null if the team has none or turned learning off.
     */
    findModelFor: async (workspaceId: string) => {
      const rows = await db.rows<StoredSpamModel & { teamId: string; spam: number; genuine: number }>(sql`
        SELECT m.weights, m.raised_by AS "raisedBy", m.halved_at AS "halvedAt", t.id AS "teamId",
          ${firstLessons(sql`is_spam`)} AS spam, ${firstLessons(sql`NOT is_spam`)} AS genuine
        FROM workspaces w JOIN teams t ON t.id = w.team_id JOIN spam_models m ON m.id = t.id
        WHERE w.id = ${workspaceId} AND t.learns_spam`);
      return rows[0] ?? null;
    },

    findModel: (teamId: string): Promise<StoredSpamModel | null> => findModel(db, teamId),

    /**
     * Lists up to `limit` lessons to forget or to learn, of one team, and all messages that balance them; null if there are
     * none. `teamId` limits this to a team.
     */
    findWork: async (limit: number, ofTeam?: string) => {
      const next = () => db.select({ teamId: spamLessons.teamId }).from(spamLessons).where(sql`is_forgotten`).limit(1);
      const teamId = ofTeam ?? (await next())[0]?.teamId;
      if (teamId === undefined) return null;
      const isDue = and(eq(spamLessons.teamId, teamId), sql`is_forgotten`);
      const due = db.select(COLUMNS).from(spamLessons).where(isDue).orderBy(NOT_LEARNED, asc(createdAt));
      const lessons = await due.limit(limit);
      if (lessons.length === 0) return null;
      const ids = lessons.map((lesson) => lesson.id);
      const isBalancing = and(isKept(teamId), inArray(balances, ids));
      return { teamId, lessons: [...lessons, ...(await db.select(COLUMNS).from(spamLessons).where(isBalancing))] };
    },

    /** Returns false, changing nothing, if the model, a lesson or a submission changed meanwhile. */
    saveModel: async (teamId: string, change: SpamModelChange): Promise<boolean> => {
      try {
        await db.transaction((tx) => write(tx, teamId, change));
        return true;
      } catch (error) {
        if (error instanceof Outdated) return false;
        throw error;
      }
    },

    /** Lists the learned lessons of a team, without those to forget, by id, after the id `after`. */
    listLessons: async (teamId: string, { after, limit }: Readonly<{ after: string; limit: number }>) => {
      const isNext = and(isKept(teamId), sql`length(changes) > 0`, gt(id, after));
      return db.select(COLUMNS).from(spamLessons).where(isNext).orderBy(asc(id)).limit(limit);
    },

    /** Counts the lessons of a team from marks since `from`. */
    countLessons: async (teamId: string, from: Micros = 0): Promise<SpamLessonCounts> => {
      const rows = await db.rows<SpamLessonCounts>(sql`
        SELECT count(*) FILTER (WHERE is_spam AND balances IS NULL) AS spam,
          count(*) FILTER (WHERE NOT is_spam AND balances IS NULL) AS genuine,
          count(*) FILTER (WHERE balances IS NOT NULL) AS balancing
        FROM spam_lessons WHERE team_id = ${teamId} AND NOT is_forgotten AND created_at >= ${from}`);
      return rows[0] ?? { spam: 0, genuine: 0, balancing: 0 };
    },

    /** Returns those of the submissions that have a lesson. */
    findLearned: async (ids: readonly string[]): Promise<string[]> => {
      const isAny = inArray(submissionId, [...ids]);
      const rows = await db.selectDistinct({ id: submissionId }).from(spamLessons).where(isAny);
      return rows.map((row) => row.id);
    },

    /** Lets the oldest marks above `max` be forgotten. */
    limitMarks: async (teamId: string, max: number): Promise<void> => {
      const marks = db
        .select({ id })
        .from(spamLessons)
        .where(and(isKept(teamId), isNull(balances)));
      const beyond = marks.orderBy(sql`created_at DESC`).limit(Number.MAX_SAFE_INTEGER).offset(max);
      await db.update(spamLessons).set({ isForgotten: true }).where(inArray(id, beyond));
    },

    // A mark on no submission teaches nothing, but makes the learning job compute the threshold.
    /** Lets the learning job compute the threshold of a team's spam filter again; nothing if it has none. */
    recheckModel: async (teamId: string): Promise<void> => {
      if (!(await findModel(db, teamId))) return;
      const mark = { submissionId: '', isSpam: false, changes: Buffer.alloc(0), isForgotten: true };
      await db.insert(spamLessons).values({ id: newId('les'), teamId, ...mark, createdAt: clock() });
    },

    /** Deletes the spam filter of a team with all lessons. */
    deleteModel: (teamId: string): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.delete(spamLessons).where(eq(spamLessons.teamId, teamId));
        await tx.delete(spamModels).where(eq(spamModels.id, teamId));
      }),
  };
}

/**
 * Throws `Outdated` unless the submissions of all lessons exist. Locks them, because the deletion of a submission must
 * find its lessons.
 */
async function requireSubmissions(tx: Db, lessons: SpamModelChange['learned']): Promise<void> {
  const wanted = [...new Set(lessons.map((lesson) => lesson.submissionId))];
  const isWanted = hasId(...wanted);
  const found = await tx.locked(tx.select({ id: submissions.id }).from(submissions).where(isWanted), 'key share');
  if (found.length < wanted.length) throw new Outdated();
}

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
  const withTeam = fromForms(tx, { formId: forms.id, teamId: teams.id }).innerJoin(
    teams,
    eq(teams.id, workspaces.teamId),
  );
  const learning = await withTeam.where(and(inArray(forms.id, formIds), teams.learnsSpam));
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
