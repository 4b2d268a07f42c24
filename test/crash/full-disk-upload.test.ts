import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { blobNames, formData, noise } from '../fast/visitor/files.ts';
import { temporaryDir } from '../support/instance.ts';
import { FROM_SOURCE, spawnServer } from '../support/process.ts';
import { limit } from '../support/speed.ts';

test(
  'on a disk that runs full in the middle of a file, the post is refused and leaves nothing',
  async () => {
    const dataDir = temporaryDir();
    // Limit files of this process to 2 MiB, which has the effect of a full disk.
    const limited = ['sh', '-c', `trap '' XFSZ; ulimit -f 4096; exec "$@"`, 'sh'];
    const server = await spawnServer(dataDir, {}, { command: [...limited, ...FROM_SOURCE.command] });
    const endpoint = /"endpoint":"([^"]+)"/.exec(server.stdout())?.[1] ?? '';
    const send = (size: number) =>
      fetch(endpoint, { method: 'POST', body: formData([['cv', new File([noise(size)], 'cv')]]) });
    const refused = await send(5 * 1024 * 1024);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([500, '60']);
    expect(await refused.json()).toMatchObject({ success: false, code: 'storage_unavailable' });
    expect(blobNames({ dataDir })).toEqual([]);
    expect((await send(1024 * 1024)).status).toBe(200);
    expect(blobNames({ dataDir })).toHaveLength(1);
    expect(await server.end()).toBe(0);
    rmSync(dataDir, { recursive: true });
  },
  limit(30),
);
