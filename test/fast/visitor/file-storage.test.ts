import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { blobNames, expectNothingLeft, fileHead, formData, noise } from './files.ts';
import { BOUNDARY, expectAccepted, expectNothingKept, expectRefused, textPart } from './helpers.ts';
import { exchange, head } from './wire.ts';

const instance = await startInstance({ env: { MAX_BODY_BYTES: '10000' } });
afterAll(instance.stop);
const folder = join(instance.dataDir, 'files');

/** Runs `work` while the upload folder is unusable because a file has its name. */
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

describe('while uploads cannot be written', () => {
  test('a post with a file is refused and one without is stored', async () => {
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

  test('a post with a file is accepted again as soon as the folder is back', async () => {
    const owner = await instance.makeOwner();
    rmdirSync(folder);
    await expectUnavailable(await instance.post(owner.form.id, form()));
    mkdirSync(folder);
    await expectAccepted(await instance.post(owner.form.id, form()));
    rmSync(join(folder, blobNames(instance)[0] ?? ''));
  });

  test('a post that is refused for another reason gets that reason', async () => {
    const owner = await instance.makeOwner();
    const begun = `--${BOUNDARY}\r\n${fileHead('cv', 'cv')}${'x'.repeat(50_000)}`;
    const rest = `\r\n--${BOUNDARY}\r\n${textPart('x'.repeat(257), '1')}\r\n--${BOUNDARY}--\r\n`;
    const type = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
    const start = head(owner.form.id, type, `Content-Length: ${begun.length + rest.length}`);
    const gone = Promise.withResolvers<string>();
    const answer = exchange(instance, start + begun, gone.promise);
    await until(() => blobNames(instance).length > 0, 'the file to be begun');
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
