import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { conflict } from '../../domain/errors.ts';
import type { Form, FormChanges, FormLogo } from '../../domain/forms/form.ts';
import { requireOpeningOrder } from '../../domain/forms/opening.ts';
import { DAY, type Micros } from '../../lib/clock.ts';
import { endOfDay, PLACES_OF_FORM } from '../counters.ts';
import { byAge, type Db, firstRow, insertNew, upsert } from '../database.ts';
import type { DayCount, FormActivity, FormStats } from '../records.ts';
import { consents, formLogos, forms, submissions, workspaces } from '../schema.ts';
import { FIRST, GENUINE, LAST, liveQuery, newestLive } from './live-submissions.ts';
import { fromForms, isOfTeam, teamCondition } from './reach.ts';

const { key: _, digestedUntil: __, heldBackUntil: ___, ...columns } = getTableColumns(forms);

/** The columns of `Form`, without the key and the progress of digests. */
export const formColumns = columns;

const TRASH_CONDITION = { live: isNull(forms.trashedAt), trashed: isNotNull(forms.trashedAt), all: undefined } as const;

/** Returns a function that finds a form of a team outside the trash. */
export function formOfTeamFinder(db: Db) {
  const [id, teamId] = [sql.placeholder('id'), sql.placeholder('teamId')];
  const isLive = and(eq(forms.id, id), isOfTeam(db, teamId), isNull(forms.trashedAt));
  const find = db.prepared('form_of_team', () => fromForms(db, formColumns).where(isLive));
  return (id: string, teamId: string) => firstRow(find({ id, teamId }));
}

/** Returns a query for a column of a team's forms. */
export function formsOfTeam<Column extends SQLiteColumn>(
  db: Db,
  teamId: string,
  column: Column,
  which: keyof typeof TRASH_CONDITION = 'all',
) {
  return fromForms(db, { column }).where(and(isOfTeam(db, teamId), TRASH_CONDITION[which]));
}

/**
 * Returns the condition that a submission is in a form of a team. SQLite must not search by it: it expects
 * few submissions of a form, and would read all of them instead of those with some ids.
 */
export function isInFormOf(db: Db, teamId: string, which: keyof typeof TRASH_CONDITION): SQL {
  const key = db.engine === 'sqlite' ? sql`+${submissions.formKey}` : submissions.formKey;
  return sql`${key} IN ${formsOfTeam(db, teamId, forms.key, which)}`;
}

/** Creates the store methods for forms, their logos and their stats. Each figure is read from an index in constant time. */
export function formStore(db: Db) {
  const named = (id: string | Placeholder) => or(eq(forms.id, id), eq(forms.shortId, id));
  const findFormOfTeam = formOfTeamFinder(db);
  const isPublic = and(named(sql.placeholder('id')), isNull(forms.trashedAt));
  const findPublicForm = db.prepared('public_form', () => db.select(formColumns).from(forms).where(isPublic));
  const unread = liveQuery(db, ['unread'], 'DESC', { form: F_KEY, above: FIRST, below: LAST, limit: 100 });
  const activity = sql`f.id, (SELECT count(*) FROM (${unread}) AS newest) AS unread,
    ${newestLive(db, GENUINE, F_KEY)} AS "lastArrival"`;

  return {
    /** Throws `AppError('conflict')` if the short id is taken, and `invalid_input` if it would close before it opens. */
    create: async (form: Form): Promise<void> => {
      requireOpeningOrder(form);
      const { id, shortId: target } = forms;
      const created = await db.insert(forms).values(form).onConflictDoNothing({ target }).returning({ id });
      if (created.length === 0) throw conflict('This short id is taken.');
    },

    /**
     * Returns the updated form, or null if it does not exist or belongs to another team. Archiving a form pauses it, and
     * activating it takes it out of the archive. Throws `invalid_input` if it would close before it opens.
     */
    update: (id: string, changes: FormChanges, teamId?: string): Promise<Form | null> =>
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
        if (form) requireOpeningOrder(form);
        return form ?? null;
      }),

    /**
     * Removes a recipient of notifications with their conditions, or puts another address in their place. Returns false if
     * the form has no such recipient.
     */
    removeRecipient: (formId: string, recipient: string, replacement: string | null = null): Promise<boolean> =>
      db.transaction(async (tx) => {
        const [form] = await tx.select(formColumns).from(forms).where(eq(forms.id, formId));
        if (!form?.notify.includes(recipient)) return false;
        const { [recipient]: conditions, ...others } = form.notifyWhen;
        const isNew = replacement !== null && !form.notify.includes(replacement);
        const notify = form.notify.flatMap((one) => (one !== recipient ? [one] : isNew ? [replacement] : []));
        const notifyWhen = isNew && conditions ? { ...others, [replacement]: conditions } : others;
        await tx.update(forms).set({ notify, notifyWhen }).where(eq(forms.id, formId));
        return true;
      }),

    find: findFormOfTeam,

    /** Finds a form outside the trash by id or short id. */
    findPublic: (id: string): Promise<Form | null> => firstRow(findPublicForm({ id })),

    /** Returns whether a form has as many stored submissions, without spam and trash, as it may have. */
    isFull: async ({ id, maxSubmissions }: Pick<Form, 'id' | 'maxSubmissions'>): Promise<boolean> => {
      if (maxSubmissions === null) return false;
      const places = sql`SELECT ${sql.raw(PLACES_OF_FORM)} AS count FROM forms f WHERE f.id = ${id}`;
      const [row] = await db.rows<{ count: number | null }>(places);
      return (row?.count ?? 0) >= maxSubmissions;
    },

    /** Finds a form by id or short id, in the trash too. */
    findStored: (id: string): Promise<Form | null> => firstRow(db.select(formColumns).from(forms).where(named(id))),

    /** Lists the forms of a team outside the trash, those in it, or all, oldest first. */
    list: async (teamId: string, which: keyof typeof TRASH_CONDITION = 'live'): Promise<Form[]> => {
      const isListed = and(isOfTeam(db, teamId), TRASH_CONDITION[which]);
      return fromForms(db, formColumns).where(isListed).orderBy(byAge(forms));
    },

    /** Lists a page of all forms by id, after the id `after`. */
    listRetentionRules: async ({ after, limit }: Readonly<{ after: string; limit: number }>) => {
      const { id, retentionDays } = forms;
      const rules = fromForms(db, { id, teamId: workspaces.teamId, retentionDays });
      return rules.where(gt(id, after)).orderBy(asc(id)).limit(limit);
    },

    /** Sets or removes the logo of a form. The form must exist. */
    setLogo: async (formId: string, logo: FormLogo | null): Promise<void> => {
      if (logo === null) return void (await db.delete(formLogos).where(eq(formLogos.formId, formId)));
      const image = Buffer.from(logo.image).toString('base64');
      await upsert(db, formLogos, ['formId'], { formId, type: logo.type, image });
    },

    /** Stores a version of a form's consent text, sealed, unless it is there. */
    keepConsent: ({ text, ...version }: Readonly<{ id: string; formId: string; text: Uint8Array }>) =>
      insertNew(db, consents, { ...version, text: Buffer.from(text) }),

    /** Returns whether visitors agreed to any consent text of a form. */
    hasConsents: async (formId: string): Promise<boolean> =>
      (await db.select({ id: consents.id }).from(consents).where(eq(consents.formId, formId)).limit(1)).length > 0,

    findLogo: async (formId: string): Promise<FormLogo | null> => {
      const [row] = await db.select().from(formLogos).where(eq(formLogos.formId, formId));
      return row ? { type: row.type, image: Buffer.from(row.image, 'base64') } : null;
    },

    /** Returns the stats of all forms of a team by form id. `at` is the current time. */
    readStats: async (teamId: string, at: Micros): Promise<ReadonlyMap<string, FormStats>> => {
      const before = startOf(at, DAYS);
      const days = await db.rows<DayRow>(sql`
        SELECT c.owner AS "formId", c.until, c.amount AS genuine, c.spam
        FROM workspaces w JOIN forms f ON f.workspace_id = w.id JOIN counters c ON c.owner = f.id
        WHERE ${teamCondition(db, teamId)} AND c.until > ${before} AND c.until <= ${endOfDay(at)}`);
      const summaries = await db.rows<Summary>(sql`
        SELECT ${activity} FROM forms f JOIN workspaces w ON w.id = f.workspace_id
        WHERE ${teamCondition(db, teamId)} AND f.trashed_at IS NULL`);
      const daysOf = new Map<string, DayCount[]>();
      for (const { formId, until, genuine, spam } of days) {
        daysOf.getOrInsertComputed(formId, () => emptyDays(DAYS))[(until - before) / DAY - 1] = { genuine, spam };
      }
      const stats = ({ id, unread, lastArrival }: Summary): [string, FormStats] => [
        id,
        { unread, lastArrival, days: daysOf.get(id) ?? emptyDays(DAYS) },
      ];
      return new Map(summaries.map(stats));
    },

    readActivity: async (formId: string): Promise<FormActivity> => {
      const rows = await db.rows<Summary>(sql`SELECT ${activity} FROM forms f WHERE f.id = ${formId}`);
      const { unread, lastArrival } = rows[0] ?? { unread: 0, lastArrival: null };
      return { unread, lastArrival };
    },

    /** Returns the counts of a form for the last `count` UTC days, that of `at` last. */
    countDays: async (formId: string, at: Micros, count: number): Promise<DayCount[]> => {
      const before = startOf(at, count);
      const rows = await db.rows<DayRow>(sql`
        SELECT owner AS "formId", until, amount AS genuine, spam FROM counters
        WHERE owner = ${formId} AND until > ${before} AND until <= ${endOfDay(at)}`);
      const days = emptyDays(count);
      for (const { until, genuine, spam } of rows) days[(until - before) / DAY - 1] = { genuine, spam };
      return days;
    },
  };
}

const DAYS = 30;

const F_KEY = sql.raw('f.key');

type Summary = FormActivity & Readonly<{ id: string }>;
type DayRow = DayCount & Readonly<{ formId: string; until: Micros }>;

/** Returns the start of the first of `count` UTC days, that of `at` last. */
const startOf = (at: Micros, count: number): Micros => endOfDay(at) - count * DAY;

const emptyDays = (count: number): DayCount[] => Array.from({ length: count }, () => ({ genuine: 0, spam: 0 }));
