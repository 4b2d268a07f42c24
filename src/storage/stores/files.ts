import { asc, desc, inArray, sql } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { files } from '../schema.ts';

export function fileStore(db: Db) {
  return {
    /** Returns the blob names that no submission refers to. */
    findOrphans: async (blobs: readonly string[]): Promise<string[]> => {
      const isAny = inArray(files.blob, [...blobs]);
      const rows = await db.select({ blob: files.blob }).from(files).where(isAny);
      const referenced = new Set(rows.map(({ blob }) => blob));
      return blobs.filter((name) => !referenced.has(name));
    },

    /** Returns the RFC 3339 time at which the instance was created, which identifies it, and whether it has any files. */
    describe: async (): Promise<Readonly<{ origin: string; hasFiles: boolean }>> => {
      const [first] = await db.rows<{ origin: string }>(
        sql`SELECT applied_at AS origin FROM migrations ORDER BY name LIMIT 1`,
      );
      const [some] = await db.select({ blob: files.blob }).from(files).limit(1);
      return { origin: first?.origin ?? '', hasFiles: some !== undefined };
    },

    /** Returns blob names of the newest and the oldest submissions with files, up to `limit` of each. */
    sample: async (limit: number): Promise<string[]> => {
      const pages = [desc, asc].map((order) =>
        db.select({ blob: files.blob }).from(files).orderBy(order(files.submissionId)).limit(limit),
      );
      const names = (await Promise.all(pages)).flat().map(({ blob }) => blob);
      return [...new Set(names)];
    },
  };
}
