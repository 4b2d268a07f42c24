import { eq } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { formLogos } from '../schema.ts';
import type { Store } from '../store.ts';

/** Creates the store methods for the logos of forms. */
export function formLogoStore(db: Db) {
  return {
    setFormLogo: async (formId, logo) => {
      if (logo === null) {
        await db.delete(formLogos).where(eq(formLogos.formId, formId));
        return;
      }
      const row = { type: logo.type, image: Buffer.from(logo.image).toString('base64') };
      await db
        .insert(formLogos)
        .values({ formId, ...row })
        .onConflictDoUpdate({ target: formLogos.formId, set: row });
    },

    findFormLogo: async (formId) => {
      const [row] = await db.select().from(formLogos).where(eq(formLogos.formId, formId));
      return row ? { type: row.type, image: Buffer.from(row.image, 'base64') } : null;
    },
  } satisfies Partial<Store>;
}
