import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sweepJob } from '../../../src/jobs/sweep.ts';
import { HOUR, systemClock } from '../../../src/lib/clock.ts';
import { signIn } from '../../fast/dashboard/signed-in.ts';
import { OWNER, startMailing } from '../../fast/mail/mailing.ts';
import { download, formData, noise, shown } from '../../fast/visitor/files.ts';
import { expectAccepted, expectNothingKept, expectRefused } from '../../fast/visitor/helpers.ts';
import { type Owner, startInstance, temporaryDir } from '../../support/instance.ts';
import { startS3, startStubS3 } from '../../support/s3.ts';
import { until } from '../../support/until.ts';

const dir = temporaryDir();
const s3 = await startS3(join(dir, 's3'));
let ahead = 0;
const clock = () => systemClock() + ahead;
const mailing = await startMailing(s3.env, clock);
const { instance } = mailing;
afterAll(async () => {
  await mailing.stop();
  await s3.stop();
  rmSync(dir, { recursive: true });
});

const CANARY = 'canary-of-a-visitor';
const cv = (text = CANARY) => formData([['cv', new File([text], 'cv.txt', { type: 'text/plain' })]]);
const sweep = () => sweepJob({ ...instance.context, clock }).step(new AbortController().signal);
const writer = readFileSync(join(instance.dataDir, 's3-writer'), 'utf8').slice(0, 8);

async function post(owner: Owner, body = cv()) {
  await expectAccepted(await instance.post(owner.form.id, body));
  const [row] = await shown(instance, owner);
  const file = row?.file_metadata?.files[0];
  if (!row || !file) throw new Error('nothing was stored');
  return { id: row.id, file: file.id };
}

const withS3Away = async (work: () => Promise<void>) => {
  await s3.stop();
  try {
    await work();
  } finally {
    await s3.start();
  }
};

describe('a file in a bucket', () => {
  test('is sealed there and nowhere else, and read by API and dashboard', async () => {
    const owner = await instance.makeOwner();
    const before = await s3.keys();
    const { id, file } = await post(owner);
    const [key = '', ...others] = (await s3.keys()).filter((name) => !before.includes(name));
    expect([key, others]).toEqual([expect.stringMatching(new RegExp(`^team/files/${writer}[0-9a-f]{24}$`)), []]);
    expect(await s3.client.file(key).text()).not.toContain(CANARY);
    expect(readdirSync(join(instance.dataDir, 'files'))).toEqual([]);
    expect(await (await download(instance, owner.readKey, id, file)).text()).toBe(CANARY);
    const { get } = await signIn(instance, owner);
    const answer = await get(`/dashboard/submissions/${id}/files/${file}`);
    expect([answer.status, await answer.text()]).toEqual([200, CANARY]);
  });

  test('is attached to the mail', async () => {
    const form = await mailing.form({ notify: [OWNER], attachFiles: true });
    const [arrived] = await mailing.released(form, cv());
    const [attachment] = arrived?.mail.attachments ?? [];
    expect(Buffer.from(attachment?.content as ArrayBuffer).toString()).toBe(CANARY);
  });

  test('is deleted with its submission', async () => {
    const owner = await instance.makeOwner();
    const before = await s3.keys();
    const { id } = await post(owner);
    expect(await s3.keys()).toHaveLength(before.length + 1);
    expect((await instance.api('DELETE', `/v1/submissions/${id}`, { key: owner.writeKey })).status).toBe(200);
    expect(await s3.keys()).toEqual(before);
  });

  test('of a refused post never reaches it, or is deleted', async () => {
    const owner = await instance.makeOwner();
    const before = await s3.keys();
    const large = formData([
      ['one', new File(['whole'], 'one.txt')],
      ['two', new File([noise(11 * 1024 * 1024)], 'two.bin')],
    ]);
    await expectRefused(await instance.post(owner.form.id, large), 413, 'file_too_large');
    const trapped = cv();
    trapped.set('_honey', 'bee');
    expect((await instance.post(owner.form.id, trapped)).status).toBe(200);
    await expectNothingKept(instance, owner);
    expect(await s3.keys()).toEqual(before);
  });

  test('that no submission refers to is swept after an hour, unless another data directory wrote it', async () => {
    const owner = await instance.makeOwner();
    const { id, file } = await post(owner);
    const kept = await s3.keys();
    const orphan = `team/files/${writer}${'a'.repeat(24)}`;
    const foreign = `team/files/${'0'.repeat(8)}${'b'.repeat(24)}`;
    await s3.client.write(orphan, 'x');
    await s3.client.write(foreign, 'x');
    await sweep();
    expect(await s3.keys()).toEqual([...kept, orphan, foreign].sort());
    ahead = 2 * HOUR;
    await sweep();
    ahead = 0;
    expect(await s3.keys()).toEqual([...kept, foreign].sort());
    expect(await (await download(instance, owner.readKey, id, file)).text()).toBe(CANARY);
  });
});

describe('while the bucket cannot be reached', () => {
  test('a post with a file is refused, one without is stored, and the instance stays ready', async () => {
    const owner = await instance.makeOwner();
    await withS3Away(async () => {
      const answer = await instance.post(owner.form.id, cv());
      expect(answer.headers.get('retry-after')).toBe('60');
      await expectRefused(answer, 500, 'storage_unavailable');
      await expectNothingKept(instance, owner);
      await expectAccepted(await instance.post(owner.form.id, { a: '1' }));
      expect((await fetch(`${instance.url}/readyz`)).status).toBe(200);
    });
    const logged = instance.logs.filter((line) => line.includes('storage_unavailable')).join();
    expect(logged).toContain('the bucket in S3_URL cannot be used: ');
    expect(instance.logs.join()).not.toMatch(/X-Amz|S3RVER|canary/);
    await post(owner);
  });

  test('a deleted submission is gone at once, and its file when the sweep runs after that', async () => {
    const owner = await instance.makeOwner();
    const before = await s3.keys();
    const { id } = await post(owner);
    await withS3Away(async () => {
      expect((await instance.api('DELETE', `/v1/submissions/${id}`, { key: owner.writeKey })).status).toBe(200);
    });
    expect(instance.logs.join()).toContain('could not delete files in the bucket; the sweep deletes them later');
    expect(await s3.keys()).toHaveLength(before.length + 1);
    ahead = 2 * HOUR;
    await until(async () => {
      await sweep().catch(() => {});
      return (await s3.keys()).length === before.length;
    }, 'the sweep to delete the file');
    ahead = 0;
    expect(await s3.keys()).toEqual(before);
  });
});

test('a bucket that does not exist is warned of at the start, also beside files on disk', async () => {
  const dataDir = temporaryDir();
  await (await startInstance({ dataDir })).context.close();
  writeFileSync(join(dataDir, 'files', 'a'.repeat(32)), 'stored before S3_URL was set');
  const started = await startInstance({ dataDir, env: { ...s3.env, S3_URL: `s3://missing?endpoint=${s3.endpoint}` } });
  const warned = () =>
    started.logs.some((line) => line.includes('the bucket in S3_URL cannot be used') && line.includes('NoSuchBucket'));
  await until(warned, 'the warning about the bucket');
  await started.stop();
});

test('a bucket that never answers delays only posts with files, which are refused', async () => {
  const stub = startStubS3(() => undefined);
  const hung = await startInstance({ env: stub.env, s3Ms: 1_000 });
  try {
    const says = () =>
      hung.logs.some((line) => line.includes('the bucket in S3_URL cannot be used') && line.includes('TIMEOUT'));
    await until(says, 'the warning about the bucket');
    const refused = hung.post(hung.owner.form.id, cv());
    const uploads = () => stub.requests.filter(({ method }) => method === 'PUT');
    await until(() => uploads().length > 0, 'the upload to begin');
    await expectAccepted(await hung.post(hung.owner.form.id, { a: '1' }));
    await expectRefused(await refused, 500, 'storage_unavailable');
    expect(await shown(hung, hung.owner)).toHaveLength(1);
    expect(uploads()).toHaveLength(1);
    expect(stub.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(hung.logs.join()).not.toContain('secret-canary');
  } finally {
    await stub.stop();
    await hung.stop();
  }
});
