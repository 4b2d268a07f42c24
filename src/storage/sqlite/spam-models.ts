import { eq } from 'drizzle-orm';
import { MIN_LESSONS } from '../../domain/spam-table.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { SpamLesson, SpamModelChange, StoredSpamModel } from '../store.ts';
import type { Drizzle } from './database.ts';
import { spamLessons, spamModels } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

const COLUMNS = 'id, submission_id AS submissionId, is_spam AS isSpam, balances, changes, created_at AS createdAt';

type Row = Omit<SpamLesson, 'isSpam'> & Readonly<{ isSpam: number }>;

/** Thrown to roll back a change of a model that is out of date. */
class Outdated extends Error {}

/** Creates the store methods for what teams' spam filters have learned. */
export function spamModelStore(db: Drizzle, clock: Clock) {
  const { $client } = db;
  const firstLessons = (isSpam: 0 | 1): string =>
    `SELECT 1 FROM spam_lessons WHERE team_id = t.id AND is_forgotten = 0 AND is_spam = ${isSpam} LIMIT ${MIN_LESSONS}`;
  const modelFor = $client.query<
    StoredSpamModel & { teamId: string; spam: number; genuine: number },
    [workspaceId: string]
  >(
    `SELECT m.weights, m.raised_by AS raisedBy, m.halved_at AS halvedAt, t.id AS teamId,
       (SELECT count(*) FROM (${firstLessons(1)})) AS spam,
       (SELECT count(*) FROM (${firstLessons(0)})) AS genuine
     FROM workspaces w JOIN teams t ON t.id = w.team_id JOIN spam_models m ON m.id = t.id
     WHERE w.id = ? AND t.learns_spam = 1`,
  );
  const model = $client.query<StoredSpamModel, [teamId: string]>(
    'SELECT weights, raised_by AS raisedBy, halved_at AS halvedAt FROM spam_models WHERE id = ?',
  );
  const nextTeam = $client.query<{ teamId: string }, []>(
    `SELECT team_id AS teamId FROM spam_lessons INDEXED BY forgotten_spam_lessons WHERE is_forgotten = 1 LIMIT 1`,
  );
  const work = $client.query<Row, [teamId: string, limit: number]>(
    `SELECT ${COLUMNS} FROM spam_lessons INDEXED BY forgotten_spam_lessons
     WHERE team_id = ? AND is_forgotten = 1 ORDER BY changes = x'', created_at LIMIT ?`,
  );
  const balancing = $client.query<Row, [teamId: string, ids: string]>(
    `SELECT ${COLUMNS} FROM spam_lessons
     WHERE team_id = ? AND is_forgotten = 0 AND balances IN (SELECT value FROM json_each(?))`,
  );
  const learned = $client.query<Row, [teamId: string, after: string, limit: number]>(
    `SELECT ${COLUMNS} FROM spam_lessons
     WHERE team_id = ? AND is_forgotten = 0 AND changes <> x'' AND id > ? ORDER BY id LIMIT ?`,
  );
  const counts = $client.query<{ spam: number; genuine: number; balancing: number; since: Micros | null }, [string]>(
    `SELECT count(*) FILTER (WHERE is_spam = 1 AND balances IS NULL) AS spam,
       count(*) FILTER (WHERE is_spam = 0 AND balances IS NULL) AS genuine,
       count(*) FILTER (WHERE balances IS NOT NULL) AS balancing, min(created_at) AS since
     FROM spam_lessons WHERE team_id = ? AND is_forgotten = 0`,
  );
  const withLesson = $client.query<{ id: string }, [ids: string]>(
    `SELECT DISTINCT submission_id AS id FROM spam_lessons
     WHERE submission_id IN (SELECT value FROM json_each(?))`,
  );
  const forgetOldest = $client.query<null, [teamId: string, max: number]>(
    `UPDATE spam_lessons SET is_forgotten = 1 WHERE id IN (
       SELECT id FROM spam_lessons WHERE team_id = ? AND is_forgotten = 0 AND balances IS NULL
       ORDER BY created_at DESC LIMIT -1 OFFSET ?)`,
  );
  const exists = 'EXISTS (SELECT 1 FROM submissions WHERE id = $submissionId)';
  type NewLesson = Record<string, string | number | Uint8Array | null>;
  const finish = $client.query<null, NewLesson>(
    `UPDATE spam_lessons SET changes = $changes, is_forgotten = 0 WHERE id = $id AND changes = x'' AND ${exists}`,
  );
  const insert = $client.query<null, NewLesson>(
    `INSERT INTO spam_lessons (id, team_id, submission_id, is_spam, balances, changes, created_at)
     SELECT $id, $teamId, $submissionId, 0, $balances, $changes, $createdAt WHERE ${exists}`,
  );
  const remove = $client.query<null, [id: string]>('DELETE FROM spam_lessons WHERE id = ?');
  // A mark on no submission teaches nothing, but makes the learning job compute the threshold.
  const recheck = $client.query<null, { id: string; teamId: string; at: Micros }>(
    `INSERT INTO spam_lessons (id, team_id, submission_id, is_spam, changes, is_forgotten, created_at)
     SELECT $id, id, '', 0, x'', 1, $at FROM spam_models WHERE id = $teamId`,
  );

  const requireChange = ({ changes }: { changes: number }): void => {
    if (changes === 0) throw new Outdated();
  };

  const write = (teamId: string, { before, model: after, learned: lessons, removed }: SpamModelChange): void => {
    const current = model.get(teamId)?.weights ?? null;
    const isSame = before === null || current === null ? before === current : Buffer.compare(before, current) === 0;
    if (!isSame) throw new Outdated();
    for (const id of removed) requireChange(remove.run(id));
    for (const { id, submissionId, balances, changes, createdAt } of lessons) {
      if (balances === null) requireChange(finish.run({ id, submissionId, changes }));
      else requireChange(insert.run({ id, teamId, submissionId, balances, changes, createdAt }));
    }
    const values = { ...after, weights: Buffer.from(after.weights), updatedAt: clock() };
    db.insert(spamModels)
      .values({ id: teamId, ...values })
      .onConflictDoUpdate({ target: spamModels.id, set: values })
      .run();
  };

  return {
    findSpamModelFor: (workspaceId) => modelFor.get(workspaceId),

    findSpamModel: (teamId) => model.get(teamId),

    findSpamWork: (limit, ofTeam) => {
      const teamId = ofTeam ?? nextTeam.get()?.teamId;
      if (teamId === undefined) return null;
      const lessons = work.all(teamId, limit);
      if (lessons.length === 0) return null;
      const ids = new Set(lessons.map(({ id }) => id));
      const others = balancing.all(teamId, JSON.stringify([...ids]));
      return { teamId, lessons: [...lessons, ...others].map(toLesson) };
    },

    saveSpamModel: (teamId, change) => {
      try {
        transaction(db, () => write(teamId, change));
        return true;
      } catch (error) {
        if (error instanceof Outdated) return false;
        throw error;
      }
    },

    listSpamLessons: (teamId, { after, limit }) => learned.all(teamId, after, limit).map(toLesson),

    countSpamLessons: (teamId) => counts.get(teamId) ?? { spam: 0, genuine: 0, balancing: 0, since: null },

    findLearnedSubmissions: (ids) => withLesson.all(JSON.stringify(ids)).map(({ id }) => id),

    limitSpamMarks: (teamId, max) => {
      forgetOldest.run(teamId, max);
    },

    recheckSpamModel: (teamId) => {
      recheck.run({ id: newId('les'), teamId, at: clock() });
    },

    deleteSpamModel: (teamId) =>
      transaction(db, () => {
        db.delete(spamLessons).where(eq(spamLessons.teamId, teamId)).run();
        db.delete(spamModels).where(eq(spamModels.id, teamId)).run();
      }),
  } satisfies Partial<StoreUnits>;
}

function toLesson({ isSpam, ...row }: Row): SpamLesson {
  return { ...row, isSpam: isSpam === 1 };
}
