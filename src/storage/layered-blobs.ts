import type { Blobs } from './blobs.ts';

/** Creates blobs in `bucket`. Blobs that are on `disk`, from earlier or from a restored backup, are used there. */
export function layeredBlobs(bucket: Blobs, disk: Blobs): Blobs {
  return {
    create: () => bucket.create(),
    read: async (name) => (await disk.read(name)) ?? (await bucket.read(name)),
    remove: async (names) => {
      const isOnDisk = await Promise.all(names.map(async (name) => (await disk.read(name)) !== null));
      await disk.remove(names.filter((_, index) => isOnDisk[index]));
      await bucket.remove(names.filter((_, index) => !isOnDisk[index]));
    },
    markReferenced: (names) => bucket.markReferenced(names),
    list: async function* () {
      yield* disk.list();
      yield* bucket.list();
    },
  };
}
