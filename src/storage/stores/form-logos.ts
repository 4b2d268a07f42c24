import { eq } from 'drizzle-orm';
import type { FormLogo } from '../../domain/forms/form.ts';
import type { Db } from '../database.ts';
import { formLogos } from '../schema.ts';

/** Creates the store methods for the logos of forms. */
export function formLogoStore(db: Db) {
  return {
    /** Sets or removes the logo of a form. The form must exist. */
    setLogo: async (formId: string, logo: FormLogo | null): Promise<void> => {
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

    findLogo: async (formId: string): Promise<FormLogo | null> => {
      const [row] = await db.select().from(formLogos).where(eq(formLogos.formId, formId));
      return row ? { type: row.type, image: Buffer.from(row.image, 'base64') } : null;
    },
  };
}
