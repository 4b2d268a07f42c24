import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import { type Db, firstRow } from '../database.ts';
import { forms, submissions, workspaces } from '../schema.ts';
import type { Store } from '../store.ts';

const { digestedUntil: _, heldBackUntil: __, ...columns } = getTableColumns(forms);

/** The columns of `Form`, without the progress of digests. */
export const formColumns = columns;

const TRASH_CONDITION = { live: isNull(forms.trashedAt), trashed: isNotNull(forms.trashedAt), all: undefined } as const;

/** Returns a function that finds a form of a team outside the trash. */
export function formOfTeamFinder(db: Db) {
  const [id, teamId] = [sql.placeholder('id'), sql.placeholder('teamId')];
  const find = db.prepared('form_of_team', () =>
    db
      .select(formColumns)
      .from(forms)
      .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
      .where(and(eq(forms.id, id), eq(workspaces.teamId, teamId), isNull(forms.trashedAt))),
  );
  return (id: string, teamId: string) => firstRow(find({ id, teamId }));
}

/** Returns a query for the ids of a team's forms outside the trash. */
export function formIdsOfTeam(db: Db, teamId: string) {
  return db
    .select({ id: forms.id })
    .from(forms)
    .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
    .where(and(eq(workspaces.teamId, teamId), isNull(forms.trashedAt)));
}

/**
 * Returns the condition that a submission is in a team's form outside the trash. SQLite must not search by it: it expects
 * few submissions of a form, and would read all of them instead of those with some ids.
 */
export function isInLiveForm(db: Db, teamId: string): SQL {
  const formId = db.engine === 'sqlite' ? sql`+${submissions.formId}` : submissions.formId;
  return sql`${formId} IN ${formIdsOfTeam(db, teamId)}`;
}

/** Creates the store methods for forms. */
export function formStore(db: Db) {
  const named = (id: string | Placeholder) => or(eq(forms.id, id), eq(forms.shortId, id));
  const findFormOfTeam = formOfTeamFinder(db);
  const findPublicForm = db.prepared('public_form', () =>
    db
      .select(formColumns)
      .from(forms)
      .where(and(named(sql.placeholder('id')), isNull(forms.trashedAt))),
  );

  return {
    createForm: async (form) => {
      const created = await db
        .insert(forms)
        .values(form)
        .onConflictDoNothing({ target: forms.shortId })
        .returning({ id: forms.id });
      if (created.length === 0) throw new AppError('conflict', 'This short id is taken.');
    },

    updateForm: (id, changes, teamId) =>
      db.transaction(async (tx) => {
        if (teamId !== undefined && !(await formOfTeamFinder(tx)(id, teamId))) return null;
        const implied = {
          ...(changes.isActive && { archivedAt: null }),
          ...(typeof changes.archivedAt === 'number' && { isActive: false }),
        };
        const all = { ...changes, ...implied };
        const [form] =
          Object.keys(all).length > 0
            ? await tx.update(forms).set(all).where(eq(forms.id, id)).returning(formColumns)
            : await tx.select(formColumns).from(forms).where(eq(forms.id, id));
        return form ?? null;
      }),

    removeRecipient: (formId, recipient) =>
      db.transaction(async (tx) => {
        const [form] = await tx.select(formColumns).from(forms).where(eq(forms.id, formId));
        if (!form?.notify.includes(recipient)) return false;
        const notify = form.notify.filter((one) => one !== recipient);
        const { [recipient]: _, ...notifyWhen } = form.notifyWhen;
        await tx.update(forms).set({ notify, notifyWhen }).where(eq(forms.id, formId));
        return true;
      }),

    findForm: findFormOfTeam,

    findPublicForm: (id) => firstRow(findPublicForm({ id })),

    findStoredForm: async (id) => {
      const [form] = await db.select(formColumns).from(forms).where(named(id));
      return form ?? null;
    },

    listForms: async (teamId, which = 'live') =>
      db
        .select(formColumns)
        .from(forms)
        .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
        .where(and(eq(workspaces.teamId, teamId), TRASH_CONDITION[which]))
        .orderBy(asc(forms.createdAt), asc(forms.id)),

    listRetentionRules: async ({ after, limit }) =>
      db
        .select({ id: forms.id, teamId: workspaces.teamId, retentionDays: forms.retentionDays })
        .from(forms)
        .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
        .where(gt(forms.id, after))
        .orderBy(asc(forms.id))
        .limit(limit),
  } satisfies Partial<Store>;
}
