import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sweepJob } from '../../../src/jobs/sweep.ts';
import { HOUR, SECOND, systemClock } from '../../../src/lib/clock.ts';
import { startInstance, temporaryDir } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { blobNames, download, fileHead, filePart, formData, sha256, shown } from '../submit/files.ts';
import { expectAccepted, multipart, send } from '../submit/helpers.ts';
import { exchange, head } from '../submit/wire.ts';

let ahead = 0;
const clock = () => systemClock() + ahead;
const instance = await startInstance({ clock, env: { MAX_BODY_BYTES: '10000' } });
afterAll(instance.stop);

const folder = join(instance.dataDir, 'files');
const sweep = () => sweepJob({ ...instance.context, clock }).step(new AbortController().signal);
const reports = () =>
  instance.logs.filter((line) => line.includes('orphaned files removed')).map((line) => JSON.parse(line));

/** Creates an orphaned blob of this age in seconds. */
function leaveOrphan(seconds: number, size = 100, place = folder): string {
  const name = crypto.randomUUID().replaceAll('-', '');
  writeFileSync(join(place, name), Buffer.alloc(size));
  const then = Date.now() / 1000 - seconds;
  utimesSync(join(place, name), then, then);
  return name;
}

describe('the sweep job', () => {
  test('removes orphans older than an hour and logs their count and size', async () => {
    leaveOrphan(3_660, 100);
    leaveOrphan(86_400, 23);
    await sweep();
    expect(blobNames(instance)).toEqual([]);
    expect(reports().at(-1)).toMatchObject({ level: 'info', files: 2, bytes: 123 });
  });

  test('keeps orphans younger than an hour', async () => {
    const young = leaveOrphan(3_540);
    await sweep();
    expect(blobNames(instance)).toEqual([young]);
    ahead = 120 * SECOND;
    await sweep();
    ahead = 0;
    expect(blobNames(instance)).toEqual([]);
  });

  test('logs nothing without orphans', async () => {
    const before = reports().length;
    await sweep();
    expect(reports()).toHaveLength(before);
  });

  test('keeps files of submissions of any age', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await instance.post(owner.form.id, formData([['cv', new File(['cv'], 'cv')]])));
    leaveOrphan(7_200);
    ahead = 1_000 * 24 * HOUR;
    await sweep();
    ahead = 0;
    const [row] = await shown(instance, owner);
    const answer = await download(instance, owner.readKey, row?.id ?? '', row?.file_metadata?.files[0]?.id ?? '');
    expect(await answer.text()).toBe('cv');
    expect(blobNames(instance)).toHaveLength(1);
    await instance.api('DELETE', `/v1/submissions/${row?.id}`, { key: owner.writeKey });
  });

  test('keeps the files of an upload in progress, finished or not', async () => {
    const owner = await instance.makeOwner();
    const { type, body } = multipart([filePart('one', 'one', 'whole'), filePart('two', 'two', 'x'.repeat(200_000))]);
    const text = String(body);
    const half = text.indexOf(fileHead('two', 'two')) + 150_000;
    const rest = Promise.withResolvers<string>();
    const start = head(owner.form.id, `Content-Type: ${type}`, `Content-Length: ${text.length}`);
    const answer = exchange(instance, start + text.slice(0, half), rest.promise);
    await until(() => blobNames(instance).length >= 2, 'the second file to arrive');
    ahead = 24 * HOUR;
    await sweep();
    ahead = 0;
    expect(blobNames(instance)).toHaveLength(2);
    rest.resolve(text.slice(half));
    await expectAccepted(await answer);
    const [row] = await shown(instance, owner);
    expect(row?.file_metadata?.files.map((file) => file.sha256)).toEqual([
      sha256(Buffer.from('whole')),
      sha256(Buffer.alloc(200_000, 'x')),
    ]);
    const last = await download(instance, owner.readKey, row?.id ?? '', row?.file_metadata?.files[1]?.id ?? '');
    expect(await last.text()).toBe('x'.repeat(200_000));
    await instance.api('DELETE', `/v1/submissions/${row?.id}`, { key: owner.writeKey });
  });

  test('finds more orphans than fit into two batches among files of submissions', async () => {
    const owner = await instance.makeOwner();
    const parts = Array.from({ length: 10 }, (_, n) => filePart('f', `f${n}`, 'x'));
    await expectAccepted(await send(instance, owner, multipart(parts)));
    const referred = blobNames(instance);
    for (let n = 0; n < 1_100; n++) leaveOrphan(7_200, 1);
    ahead = 2 * HOUR;
    await sweep();
    ahead = 0;
    expect(blobNames(instance)).toEqual(referred);
    expect(reports().at(-1)).toMatchObject({ files: 1_100, bytes: 1_100 });
  });

  test('runs at the start and every hour', async () => {
    const dataDir = temporaryDir();
    mkdirSync(join(dataDir, 'files'));
    leaveOrphan(7_200, 100, join(dataDir, 'files'));
    const started = await startInstance({ dataDir });
    await until(() => blobNames(started).length === 0, 'the sweep to remove the file');
    expect(sweepJob(started.context).everyMs).toBe(60 * 60 * 1000);
    await started.stop();
  });
});
