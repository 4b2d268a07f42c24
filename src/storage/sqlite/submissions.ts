import { SQLiteError } from 'bun:sqlite';
import { and, desc, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../store.ts';
import { acceptInOneTransaction, type LimitOf } from './accept.ts';
import { type Drizzle, explainFailure, unitOfWork } from './database.ts';
import { formOfTeamQuery } from './forms.ts';
import { GroupCommit } from './group-commit.ts';
import { forms, submissions, workspaces } from './schema.ts';
import { usageReader } from './usage.ts';

type SubmissionMethods = 'acceptSubmission' | 'listSubmissions' | 'findSubmission' | 'deleteSubmission' | 'countUsage';

/** Submissions and what they use of a plan; `flush` commits at once what is waiting. */
export function submissionStore(
  db: Drizzle,
  clock: Clock,
  limitOf: LimitOf,
): Pick<Store, SubmissionMethods> & Readonly<{ flush: () => void }> {
  const group = new GroupCommit(
    acceptInOneTransaction(db, clock, limitOf),
    (error) => !(error instanceof SQLiteError) || (error.code ?? '').startsWith('SQLITE_CONSTRAINT'),
    explainFailure,
  );

  const columns = getTableColumns(submissions);
  const page = db
    .select()
    .from(submissions)
    .where(and(eq(submissions.formId, sql.placeholder('formId')), lt(submissions.createdAt, sql.placeholder('before'))))
    .orderBy(desc(submissions.createdAt))
    .limit(sql.placeholder('limit'))
    .prepare();
  const ofTeam = db
    .select(columns)
    .from(submissions)
    .innerJoin(forms, eq(forms.id, submissions.formId))
    .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
    .where(and(eq(submissions.id, sql.placeholder('id')), eq(workspaces.teamId, sql.placeholder('teamId'))))
    .prepare();
  const formOfTeam = formOfTeamQuery(db);
  const readUsed = usageReader(db);

  return {
    acceptSubmission: (submission) => group.add(submission),

    listSubmissions: (teamId, formId, { before, limit }) =>
      unitOfWork(() => {
        if (!formOfTeam.get({ id: formId, teamId })) return null;
        return page.all({ formId, before: before ?? Number.MAX_SAFE_INTEGER, limit });
      }),

    findSubmission: (id, teamId) => unitOfWork(() => ofTeam.get({ id, teamId }) ?? null),

    deleteSubmission: (id, teamId) =>
      unitOfWork(() => {
        const formsOfTeam = db
          .select({ id: forms.id })
          .from(forms)
          .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
          .where(eq(workspaces.teamId, teamId));
        const deleted = db
          .delete(submissions)
          .where(and(eq(submissions.id, id), inArray(submissions.formId, formsOfTeam)))
          .returning({ id: submissions.id })
          .all();
        return deleted.length > 0;
      }),

    countUsage: (teamId, start) => unitOfWork(() => readUsed(teamId, start)),

    flush: () => group.flush(),
  };
}
