import { eq } from 'drizzle-orm';
import type { Drizzle } from './database.ts';
import { formLogos } from './schema.ts';
import type { StoreUnits } from './units.ts';

/** Creates the store methods for the logos of forms. */
export function formLogoStore(db: Drizzle) {
  return {
    setFormLogo: (formId, logo) => {
      if (logo === null) {
        db.delete(formLogos).where(eq(formLogos.formId, formId)).run();
        return;
      }
      const row = { type: logo.type, image: Buffer.from(logo.image).toString('base64') };
      db.insert(formLogos)
        .values({ formId, ...row })
        .onConflictDoUpdate({ target: formLogos.formId, set: row })
        .run();
    },

    findFormLogo: (formId) => {
      const row = db.select().from(formLogos).where(eq(formLogos.formId, formId)).get();
      return row ? { type: row.type, image: Buffer.from(row.image, 'base64') } : null;
    },
  } satisfies Partial<StoreUnits>;
}
