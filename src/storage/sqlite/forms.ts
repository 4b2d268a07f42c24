import { and, asc, eq, getTableColumns, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { Drizzle } from './database.ts';
import { forms, workspaces } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

const { digestedUntil: _, heldBackUntil: __, ...columns } = getTableColumns(forms);

/** The columns of `Form`, without the progress of digests. */
export const formColumns = columns;

/** Prepares a query for the form `id` of the team `teamId` outside the trash. */
export function formOfTeamQuery(db: Drizzle) {
  return db
    .select(formColumns)
    .from(forms)
    .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
    .where(
      and(
        eq(forms.id, sql.placeholder('id')),
        eq(workspaces.teamId, sql.placeholder('teamId')),
        isNull(forms.trashedAt),
      ),
    )
    .prepare();
}

const TRASH_CONDITION = { live: isNull(forms.trashedAt), trashed: isNotNull(forms.trashedAt), all: undefined } as const;

/** Creates the store methods for forms. */
export function formStore(db: Drizzle) {
  const publicForm = db
    .select(formColumns)
    .from(forms)
    .where(
      and(or(eq(forms.id, sql.placeholder('id')), eq(forms.shortId, sql.placeholder('id'))), isNull(forms.trashedAt)),
    )
    .prepare();

  const formOfTeam = formOfTeamQuery(db);

  return {
    createForm: (form) => {
      const created = db
        .insert(forms)
        .values(form)
        .onConflictDoNothing({ target: forms.shortId })
        .returning({ id: forms.id })
        .all();
      if (created.length === 0) throw new AppError('conflict', 'This short id is taken.');
    },

    updateForm: (id, changes, teamId) =>
      transaction(db, () => {
        if (teamId !== undefined && !formOfTeam.get({ id, teamId })) return null;
        const implied = {
          ...(changes.isActive && { archivedAt: null }),
          ...(typeof changes.archivedAt === 'number' && { isActive: false }),
        };
        const all = { ...changes, ...implied };
        if (Object.keys(all).length > 0) db.update(forms).set(all).where(eq(forms.id, id)).run();
        return db.select(formColumns).from(forms).where(eq(forms.id, id)).get() ?? null;
      }),

    removeRecipient: (formId, recipient) =>
      transaction(db, () => {
        const form = db.select(formColumns).from(forms).where(eq(forms.id, formId)).get();
        if (!form?.notify.includes(recipient)) return false;
        const notify = form.notify.filter((one) => one !== recipient);
        const { [recipient]: _, ...notifyWhen } = form.notifyWhen;
        db.update(forms).set({ notify, notifyWhen }).where(eq(forms.id, formId)).run();
        return true;
      }),

    findForm: (id, teamId) => formOfTeam.get({ id, teamId }) ?? null,

    findPublicForm: (id) => publicForm.get({ id }) ?? null,

    findStoredForm: (id) =>
      db
        .select(formColumns)
        .from(forms)
        .where(or(eq(forms.id, id), eq(forms.shortId, id)))
        .get() ?? null,

    listForms: (teamId, which = 'live') =>
      db
        .select(formColumns)
        .from(forms)
        .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
        .where(and(eq(workspaces.teamId, teamId), TRASH_CONDITION[which]))
        .orderBy(asc(forms.createdAt), asc(forms.id))
        .all(),
  } satisfies Partial<StoreUnits>;
}
