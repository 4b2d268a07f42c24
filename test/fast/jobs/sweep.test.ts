import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sweepJob } from '../../../src/jobs/sweep.ts';
import { DAY, HOUR, MINUTE, systemClock } from '../../../src/lib/clock.ts';
import { startInstance, temporaryDir } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { blobNames, download, fileHead, filePart, formData, sha256, shown } from '../visitor/files.ts';
import { expectAccepted, multipart, send } from '../visitor/helpers.ts';
import { exchange, head } from '../visitor/wire.ts';

let ahead = 0;
const clock = () => systemClock() + ahead;
const instance = await startInstance({ clock, env: { MAX_BODY_BYTES: '10000' } });
afterAll(instance.stop);

const folder = join(instance.dataDir, 'files');
const sweep = () => sweepJob({ ...instance.context, clock }).step(new AbortController().signal);
const reports = () =>
  instance.logs
    .filter((line) => line.includes('orphaned files moved to the quarantine'))
    .map((line) => JSON.parse(line));

/** Creates an orphaned blob, by default of the present time. */
function leaveOrphan(size = 100, secondsAgo = 0): string {
  const name = crypto.randomUUID().replaceAll('-', '');
  writeFileSync(join(folder, name), Buffer.alloc(size));
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(join(folder, name), then, then);
  return name;
}

/** Runs the sweep as if this time had passed. */
async function sweepAfter(time: number): Promise<void> {
  ahead = time;
  await sweep();
  ahead = 0;
}

const quarantined = () => readdirSync(join(instance.dataDir, 'files-quarantine')).sort();

test('files are kept while the database refers to none, since it may be another one', async () => {
  const orphan = leaveOrphan();
  await sweepAfter(100 * DAY);
  expect(blobNames(instance)).toEqual([orphan]);
  expect(reports()).toEqual([]);
});

describe('the sweep job', () => {
  /** A file of a submission: with it the database is known to be that of the files. */
  let kept = '';
  beforeAll(async () => {
    for (const name of blobNames(instance)) rmSync(join(folder, name));
    const keeper = await instance.makeOwner();
    await expectAccepted(await instance.post(keeper.form.id, formData([['cv', new File(['cv'], 'cv')]])));
    [kept = ''] = blobNames(instance);
  });
  const strays = () => blobNames(instance).filter((name) => name !== kept);

  test('moves orphans older than an hour to the quarantine and logs their count and size', async () => {
    const orphans = [leaveOrphan(100), leaveOrphan(23)].sort();
    await sweepAfter(HOUR + MINUTE);
    expect(strays()).toEqual([]);
    expect(quarantined()).toEqual(orphans);
    expect(reports().at(-1)).toMatchObject({ level: 'info', files: 2, bytes: 123 });
  });

  test('deletes them a day later', async () => {
    await sweepAfter(HOUR + MINUTE + DAY - MINUTE);
    expect(quarantined()).toHaveLength(2);
    await sweepAfter(HOUR + MINUTE + DAY + MINUTE);
    expect(quarantined()).toEqual([]);
  });

  test('keeps files that are older than the database', async () => {
    const old = leaveOrphan(100, 86_400);
    await sweepAfter(100 * DAY);
    expect(strays()).toEqual([old]);
    rmSync(join(folder, old));
  });

  test('warns of more than ten orphans', async () => {
    for (let n = 0; n < 11; n++) leaveOrphan(1);
    await sweepAfter(2 * HOUR);
    expect(reports().at(-1)).toMatchObject({ level: 'warn', files: 11 });
  });

  test('keeps orphans younger than an hour', async () => {
    const young = leaveOrphan();
    await sweepAfter(HOUR - MINUTE);
    expect(strays()).toEqual([young]);
    await sweepAfter(HOUR + MINUTE);
    expect(strays()).toEqual([]);
  });

  test('logs nothing without orphans', async () => {
    const before = reports().length;
    await sweep();
    expect(reports()).toHaveLength(before);
  });

  test('keeps files of submissions of any age', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await instance.post(owner.form.id, formData([['cv', new File(['cv'], 'cv')]])));
    leaveOrphan();
    ahead = 1_000 * 24 * HOUR;
    await sweep();
    ahead = 0;
    const [row] = await shown(instance, owner);
    const answer = await download(instance, owner.readKey, row?.id ?? '', row?.file_metadata?.files[0]?.id ?? '');
    expect(await answer.text()).toBe('cv');
    expect(strays()).toHaveLength(1);
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
    await until(() => strays().length >= 2, 'the second file to arrive');
    ahead = 24 * HOUR;
    await sweep();
    ahead = 0;
    expect(strays()).toHaveLength(2);
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
    for (let n = 0; n < 1_100; n++) leaveOrphan(1);
    ahead = 2 * HOUR;
    await sweep();
    ahead = 0;
    expect(blobNames(instance)).toEqual(referred);
    expect(reports().at(-1)).toMatchObject({ files: 1_100, bytes: 1_100 });
  });

  test('runs at the start and every hour', async () => {
    const dataDir = temporaryDir();
    const { end } = await startInstance({ dataDir }).then(async (first) => {
      const owner = await first.makeOwner();
      await expectAccepted(await first.post(owner.form.id, formData([['cv', new File(['cv'], 'cv')]])));
      return { end: () => first.context.close() };
    });
    await end();
    const orphan = join(dataDir, 'files', 'f'.repeat(32));
    writeFileSync(orphan, 'x');
    const started = await startInstance({ dataDir, clock: () => systemClock() + 2 * HOUR });
    await until(() => blobNames(started).length === 1, 'the sweep to move the file');
    expect(sweepJob(started.context).everyMs).toBe(60 * 60 * 1000);
    await started.stop();
  });
});
