import type { StoredBlob } from '../blobs.ts';
import type { DiskWatch } from '../disk-watch.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { SpoolFile } from './spool-file.ts';

/** Reads and writes sealed files under given names in a bucket. They are spooled to a folder for their upload. */
export function s3Copies(bucket: S3Bucket, spoolFolder: string, disk: DiskWatch) {
  return {
    read: (name: string): Promise<StoredBlob | null> => bucket.read(name),
    put: async (name: string, { bytes }: StoredBlob): Promise<void> => {
      const spool = await SpoolFile.create(spoolFolder, disk);
      try {
        for await (const chunk of bytes) spool.write(chunk);
        await bucket.put(name, spool.content());
      } finally {
        await spool.close();
      }
    },
  };
}
