import { sql } from 'drizzle-orm';
import { type Drizzle, placeholders } from './database.ts';
import { formDays, teamStorage } from './schema.ts';

/** Prepares the statements that add to the counts of a form's day and to the stored bytes of a team. */
export function counterStatements(db: Drizzle) {
  const countDay = db
    .insert(formDays)
    .values(placeholders('formId', 'day', 'genuine', 'spam'))
    .onConflictDoUpdate({
      target: [formDays.formId, formDays.day],
      set: { genuine: sql`genuine + excluded.genuine`, spam: sql`spam + excluded.spam` },
    })
    .prepare();
  const addStored = db
    .insert(teamStorage)
    .values(placeholders('teamId', 'bytes'))
    .onConflictDoUpdate({ target: teamStorage.teamId, set: { bytes: sql`bytes + excluded.bytes` } })
    .prepare();
  return { countDay, addStored };
}
