import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { DAY, type Micros } from '../../lib/clock.ts';
import type { ImportedSubmission } from '../store.ts';
import { counterWriter } from './counters.ts';
import { type Drizzle, placeholders } from './database.ts';
import { files, forms, importRows, imports, workspaces } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** Times of a batch whose successor is remembered, so that many rows of one time don't search from its start. */
const MAX_REMEMBERED = 10_000;

type SubmissionRow = [
  createdAt: Micros,
  id: string,
  formId: string,
  isSpam: boolean,
  payload: Uint8Array,
  files: Uint8Array | null,
  fileBytes: number,
  readAt: Micros,
];

/** Creates the store methods for imports. Imported submissions count as read and toward no usage. */
export function importStore(db: Drizzle) {
  const { $client } = db;
  const insert = $client.query<never, SubmissionRow>(
    'INSERT INTO submissions (created_at, id, form_id, is_spam, payload, files, file_bytes, read_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertRow = $client.query<{ hash: string }, [hash: string, importId: string, submissionId: string]>(
    'INSERT INTO import_rows (hash, import_id, submission_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING hash',
  );
  const insertFile = db.insert(files).values(placeholders('blob', 'submissionId')).prepare();
  const isTaken = $client.query<{ one: 1 }, [createdAt: Micros]>(
    'SELECT 1 AS one FROM submissions WHERE created_at = ?',
  );
  const openImport = db
    .select({ formId: imports.formId, teamId: workspaces.teamId, startedAt: imports.createdAt })
    .from(imports)
    .innerJoin(forms, eq(forms.id, imports.formId))
    .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
    .where(and(eq(imports.id, sql.placeholder('id')), isNull(imports.undoneAt), isNull(forms.trashedAt)))
    .prepare();
  const { countDay, addStored } = counterWriter(db);

  const nextFree = new Map<Micros, Micros>();
  /** Returns the first free creation time at or after `time`. */
  const freeTime = (time: Micros): Micros => {
    let free = nextFree.get(time) ?? time;
    while (isTaken.get(free)) free += 1;
    if (nextFree.size >= MAX_REMEMBERED) nextFree.clear();
    nextFree.set(time, free + 1);
    return free;
  };

  const addRow = (
    importId: string,
    { formId, startedAt }: Readonly<{ formId: string; startedAt: Micros }>,
    row: ImportedSubmission,
  ): boolean => {
    const { id, hash, isSpam, payload, files: sealedFiles, fileBytes, blobs } = row;
    if (insertRow.all(hash, importId, id).length === 0) return false;
    const createdAt = freeTime(row.createdAt);
    insert.run(createdAt, id, formId, isSpam, payload, sealedFiles, fileBytes, startedAt);
    for (const blob of blobs) insertFile.run({ blob, submissionId: id });
    countDay({ formId, day: Math.floor(createdAt / DAY), genuine: Number(!isSpam), spam: Number(isSpam) });
    return true;
  };

  return {
    createImport: (record) => {
      db.insert(imports).values(record).run();
    },

    addImported: (importId, rows) =>
      transaction(db, () => {
        const open = openImport.get({ id: importId });
        if (!open) return null;
        const added = rows.filter((row) => addRow(importId, open, row));
        if (added.length === 0) return [];
        const bytes = added.reduce(
          (sum, { payload, files: sealed, fileBytes }) => sum + payload.length + (sealed?.length ?? 0) + fileBytes,
          0,
        );
        addStored(open.teamId, bytes);
        db.update(imports)
          .set({ added: sql`added + ${added.length}` })
          .where(eq(imports.id, importId))
          .run();
        return added.map(({ id }) => id);
      }),

    findImportedHashes: (hashes) =>
      db
        .select({ hash: importRows.hash })
        .from(importRows)
        .where(sql`hash IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))`)
        .all()
        .map(({ hash }) => hash),

    setImportEnd: (id, end) => {
      db.update(imports).set(end).where(eq(imports.id, id)).run();
    },

    findImport: (id) => db.select().from(imports).where(eq(imports.id, id)).get() ?? null,

    listImports: (formId, limit) =>
      db.select().from(imports).where(eq(imports.formId, formId)).orderBy(desc(imports.createdAt)).limit(limit).all(),

    deleteImportRows: (formId, limit) => {
      // The hashes of a form without imports need no transaction, which would wait for the disk.
      const ofForm = db.select({ id: imports.id }).from(imports).where(eq(imports.formId, formId));
      const some = db
        .select({ hash: importRows.hash })
        .from(importRows)
        .where(inArray(importRows.importId, ofForm))
        .limit(limit)
        .all()
        .map(({ hash }) => hash);
      if (some.length === 0) return 0;
      db.delete(importRows).where(inArray(importRows.hash, some)).run();
      return some.length;
    },
  } satisfies Partial<StoreUnits>;
}
