import { afterAll, expect, test } from 'bun:test';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { startInstance } from '../../support/instance.ts';
import { newCanary, placesOf } from './canary.ts';
import { blobNames, download, filePart, formData, shown } from './files.ts';
import { multipart } from './helpers.ts';
import { breakOff, head } from './wire.ts';

const instance = await startInstance({ env: { LOG_LEVEL: 'debug', MAX_BODY_BYTES: '10000' } });
afterAll(instance.stop);
const { owner } = instance;

test('the bytes, name, field and type of a file are unreadable in the data directory and the log', async () => {
  const canary = newCanary();
  const large = Buffer.concat([Buffer.from(canary.repeat(10_000)), Buffer.from(canary)]);
  const files = [large, Buffer.from(canary)].map((bytes) => new File([bytes], canary, { type: `text/${canary}` }));
  const body = formData(files.map((file) => [canary, file] as const));
  expect((await instance.post(owner.form.id, body, { 'Idempotency-Key': canary })).status).toBe(200);
  const [row] = await shown(instance, owner);
  for (const file of row?.file_metadata?.files ?? []) {
    const answer = await download(instance, owner.readKey, row?.id ?? '', file.id);
    expect((await answer.text()).startsWith(canary)).toBe(true);
  }
  const [damaged = ''] = blobNames(instance);
  truncateSync(join(instance.dataDir, 'files', damaged), 10);
  const answers = row?.file_metadata?.files.map(({ id }) => download(instance, owner.readKey, row.id, id)) ?? [];
  expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 500]);
  expect(placesOf(canary, instance)).toEqual([]);
});

test('a refused or aborted upload leaves no readable trace', async () => {
  const canary = newCanary();
  const form = await instance.makeForm(owner, { allowedFileTypes: ['image/*'] });
  const file = filePart(canary, canary, canary.repeat(10_000), `text/${canary}`);
  const { type, body } = multipart([file]);
  expect((await instance.post(form.id, body, { 'Content-Type': type })).status).toBe(415);
  const start = head(owner.form.id, `Content-Type: ${type}`, 'Content-Length: 500000');
  await breakOff(instance, `${start}${String(body).slice(0, 300_000)}`);
  expect(placesOf(canary, instance)).toEqual([]);
});
