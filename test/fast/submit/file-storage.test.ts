import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startInstance, temporaryDir } from '../../support/instance.ts';
import { FROM_SOURCE, spawnServer } from '../../support/process.ts';
import { blobNames, expectNothingLeft, fileHead, formData, noise } from './files.ts';
import { BOUNDARY, expectAccepted, expectNothingKept, expectRefused, textPart } from './helpers.ts';
import { exchange, head } from './wire.ts';

const instance = await startInstance({ env: { MAX_BODY_BYTES: '10000' } });
afterAll(instance.stop);
const folder = join(instance.dataDir, 'files');

/** The folder is out of reach while this runs: a file stands in its place. */
async function withoutFolder<T>(work: () => Promise<T>): Promise<T> {
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, '');
  try {
    return await work();
  } finally {
    unlinkSync(folder);
    renameSync(`${folder}.away`, folder);
  }
}

async function expectUnavailable(answer: Response): Promise<void> {
  await expectRefused(answer, 500, 'storage_unavailable');
  expect(answer.headers.get('retry-after')).toBe('60');
}

const form = () => formData([['cv', new File([noise(1_000)], 'canary.bin')]]);

describe('while the disk does not take files', () => {
  test('a post with one is refused and not kept, and one without is taken', async () => {
    const owner = await instance.makeOwner();
    await withoutFolder(async () => {
      await expectUnavailable(await instance.post(owner.form.id, form()));
      await expectNothingKept(instance, owner);
      await expectAccepted(await instance.post(owner.form.id, { a: '1' }));
    });
    const failures = instance.logs.filter((line) => line.includes('storage_unavailable'));
    expect(failures.join()).not.toContain('canary');
    expect(failures).toHaveLength(1);
  });

  test('a post is taken again as soon as it does', async () => {
    const owner = await instance.makeOwner();
    rmdirSync(folder);
    await expectUnavailable(await instance.post(owner.form.id, form()));
    mkdirSync(folder);
    await expectAccepted(await instance.post(owner.form.id, form()));
    rmSync(join(folder, blobNames(instance)[0] ?? ''));
  });

  test('a post that is refused anyway is told why', async () => {
    const owner = await instance.makeOwner();
    const begun = `--${BOUNDARY}\r\n${fileHead('cv', 'cv')}${'x'.repeat(50_000)}`;
    const rest = `\r\n--${BOUNDARY}\r\n${textPart('x'.repeat(257), '1')}\r\n--${BOUNDARY}--\r\n`;
    const type = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
    const start = head(owner.form.id, type, `Content-Length: ${begun.length + rest.length}`);
    const gone = Promise.withResolvers<string>();
    const answer = exchange(instance, start + begun, gone.promise);
    while (blobNames(instance).length === 0) await Bun.sleep(1);
    const [left = ''] = blobNames(instance);
    await withoutFolder(async () => {
      gone.resolve(rest);
      await expectRefused(await answer, 400, 'name_too_long');
    });
    expect(blobNames(instance)).toEqual([left]);
    rmSync(join(folder, left));
    await expectNothingLeft(instance, owner);
  });
});

test('on a disk that runs full in the middle of a file, the post is refused and leaves nothing', async () => {
  const dataDir = temporaryDir();
  // No file may grow beyond 2 MiB: as real as a full disk, and only for this process.
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
}, 20_000);
