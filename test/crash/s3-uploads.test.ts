import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sweepJob } from '../../src/jobs/sweep.ts';
import { HOUR, systemClock } from '../../src/lib/clock.ts';
import { download, formData, noise, type Shown, sha256 } from '../fast/visitor/files.ts';
import { startInstance, temporaryDir } from '../support/instance.ts';
import { createInstance, formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { startS3 } from '../support/s3.ts';
import { until } from '../support/until.ts';

const root = temporaryDir();
const s3 = await startS3(join(root, 's3'));
const env = { ...s3.env, READS_PER_MINUTE: '0' };
const dir = await createInstance(temporaryDir(), env);
afterAll(async () => {
  await s3.stop();
  rmSync(root, { recursive: true });
});

const CLIENTS = 8;
const ROUNDS = 3;
const UPLOADS = 20;

type Made = { id: string; secret: string };

async function create(...args: string[]): Promise<Made> {
  return JSON.parse((await formstead(dir, [...args, '--json'], env)).stdout) as Made;
}

/** Uploads until the server ends. Adds the hash of each acknowledged file to `acknowledged`. */
async function uploadUntilEnd({ url }: ServerProcess, formId: string, acknowledged: string[]): Promise<void> {
  for (;;) {
    const bytes = noise(50_000 + Math.floor(Math.random() * 1_000_000));
    const body = formData([['cv', new File([bytes], 'cv.bin')]]);
    const answer = await fetch(`${url}/v1/forms/${formId}/submissions`, { method: 'POST', body }).catch(() => null);
    if (answer?.status !== 200) return;
    acknowledged.push(sha256(bytes));
  }
}

test('a server killed during uploads to a bucket loses no acknowledged file, and the sweep takes the others', async () => {
  const team = await create('team', 'create', '--name', 'Team');
  const workspace = await create('workspace', 'create', '--team', team.id, '--name', 'Workspace');
  const form = await create('form', 'create', '--workspace', workspace.id, '--name', 'Form');
  const { secret } = await create('key', 'create', '--team', team.id, '--name', 'Key');
  const acknowledged: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const server = await spawnServer(dir, env);
    const clients = Array.from({ length: CLIENTS }, () => uploadUntilEnd(server, form.id, acknowledged));
    await until(() => acknowledged.length >= round * UPLOADS, 'uploads to be acknowledged');
    await server.end('SIGKILL');
    await Promise.all(clients);
  }
  // An object without a row, as a killed upload leaves it.
  const [some = ''] = await s3.keys();
  await s3.client.write(`${some.slice(0, -24)}${'0'.repeat(24)}`, 'x');
  const clock = () => systemClock() + 2 * HOUR;
  const instance = await startInstance({ dataDir: dir, env, clock });
  try {
    await sweepJob({ ...instance.context, clock }).step(new AbortController().signal);
    const found = new Set<string>();
    let files = 0;
    for (let before = '', more = true; more; ) {
      const path = `/v1/forms/${form.id}/submissions?limit=100${before && `&before=${before}`}`;
      const answer = await instance.api('GET', path, { key: secret });
      const { data } = (await answer.json()) as { data: { items: Shown[]; next_cursor: string | null } };
      for (const { id, file_metadata } of data.items) {
        for (const file of file_metadata?.files ?? []) {
          const bytes = await (await download(instance, secret, id, file.id)).bytes();
          expect(sha256(bytes)).toBe(file.sha256);
          found.add(file.sha256);
          files += 1;
        }
      }
      before = data.next_cursor ?? '';
      more = data.next_cursor !== null;
    }
    expect(acknowledged.filter((hash) => !found.has(hash))).toEqual([]);
    expect(await s3.keys()).toHaveLength(files);
  } finally {
    await instance.stop();
  }
});
