import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { openContext } from '../../src/context/context.ts';
import { sweepJob } from '../../src/jobs/sweep.ts';
import { HOUR, systemClock } from '../../src/lib/clock.ts';
import { unpackDebian } from '../support/debian.ts';
import { commandFolder, namedBlock } from '../support/documents.ts';
import { temporaryDir } from '../support/instance.ts';
import { dropDatabase, emptyDatabase, withClient } from '../support/postgres.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { type Swift, startSwift } from '../support/swift.ts';

const PREFIX = 'team/files';
const SETUP_MS = 300_000;

const dir = temporaryDir();
const dataDir = join(dir, 'data');
let swift: Swift;
let path: string;
beforeAll(async () => {
  swift = await startSwift(join(dir, 'swift'), { isVersioned: true });
  await unpackDebian(join(dir, 'rclone'), ['rclone']);
  path = `${join(dir, 'rclone/usr/bin')}:${await commandFolder(dir)}:${Bun.env.PATH}`;
}, SETUP_MS);
afterAll(async () => {
  await swift.stop();
  rmSync(dir, { recursive: true });
});

const settings = (url: string) => ({
  DATABASE_URL: url,
  ENCRYPTION_KEY: '1a'.repeat(32),
  S3_URL: `s3://${swift.bucket}/${PREFIX}?endpoint=${swift.endpoint}`,
  AWS_ACCESS_KEY_ID: swift.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: swift.credentials.secretAccessKey,
});

/** Runs the named block of the manual with the database at `url`. Returns its error output. */
async function follow(name: string, url: string): Promise<string> {
  const commands = namedBlock(name)
    .replaceAll('my-bucket/formstead', `${swift.bucket}/${PREFIX}`)
    .replaceAll('https://s3.example.com', swift.endpoint);
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', commands], {
    cwd: dir,
    env: { PATH: path, DATA_DIR: dataDir, RCLONE_CONFIG: join(dir, 'rclone.conf'), ...settings(url) },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stderr, code] = await Promise.all([shell.stderr.text(), shell.exited]);
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${stderr}`);
  return stderr;
}

/** Returns functions that post, read and delete submissions of the first form in the database at `url`. */
async function openForm(url: string) {
  const [ids] = await withClient(
    url,
    async (client) =>
      (
        await client.query<{ form: string; team: string }>(
          'SELECT forms.id AS form, teams.id AS team FROM forms, teams',
        )
      ).rows,
  );
  const create = ['key', 'create', '--team', ids?.team ?? '', '--name', 'Key', '--scope', 'read_write', '--json'];
  const { secret } = JSON.parse((await formstead(dataDir, create, settings(url))).stdout) as { secret: string };
  const submissions = `/v1/forms/${ids?.form}/submissions`;
  const headers = { Authorization: `Bearer ${secret}` };
  type Item = { id: string; data: { message: string }; file_metadata: { files: Array<{ id: string }> } };
  const list = async (server: ServerProcess) => {
    const answer = await fetch(`${server.url}${submissions}?limit=100`, { headers });
    return ((await answer.json()) as { data: { items: Item[] } }).data.items;
  };
  return {
    post: async (server: ServerProcess, text: string) => {
      const body = new FormData();
      body.append('message', text);
      body.append('cv', new File([text.repeat(50_000)], 'cv.txt', { type: 'text/plain' }));
      const answer = await fetch(server.url + submissions, { method: 'POST', body });
      expect([answer.status, text]).toEqual([200, text]);
    },
    /** Returns the messages, in order of time, each once its file was read and has its text. */
    readAll: async (server: ServerProcess) => {
      const items = await list(server);
      const read = items.map(async ({ id, data, file_metadata: { files } }) => {
        const file = await fetch(`${server.url}/v1/submissions/${id}/files/${files[0]?.id}`, { headers });
        return (await file.text()) === data.message.repeat(50_000) ? data.message : `${data.message}: ${file.status}`;
      });
      return (await Promise.all(read)).reverse();
    },
    remove: async (server: ServerProcess, text: string) => {
      const { id } = (await list(server)).find(({ data }) => data.message === text) ?? {};
      const answer = await fetch(`${server.url}/v1/submissions/${id}`, { method: 'DELETE', headers });
      expect(answer.ok).toBe(true);
    },
  };
}

const bucket = () => {
  const { accessKeyId, secretAccessKey } = swift.credentials;
  const { endpoint, bucket } = swift;
  return new Bun.S3Client({ accessKeyId, secretAccessKey, endpoint, bucket, region: 'us-east-1' });
};

const namesIn = async () => ((await bucket().list()).contents ?? []).map(({ key }) => key).sort();

/** Runs the sweep of a process with this data directory as if two hours had passed. */
async function sweepLater(url: string, folder: string): Promise<void> {
  const env = { DATA_DIR: folder, ...settings(url) };
  mkdirSync(folder, { recursive: true });
  const context = await openContext({
    config: loadConfig(env),
    secrets: loadSecrets(env, () => ''),
    writeLog: () => {},
    prettyLog: false,
  });
  await sweepJob({ ...context, clock: () => systemClock() + 2 * HOUR }).step(new AbortController().signal);
  await context.close();
}

test(
  'the commands of the manual restore rows and files of the time of the dump, and a copy spares those of the original',
  async () => {
    const url = await emptyDatabase();
    const server = await spawnServer(dataDir, settings(url));
    const { post, readAll, remove } = await openForm(url);
    const before = ['a', 'b', 'c', 'd'];
    for (const text of before) await post(server, text);
    const keys = await namesIn();
    await follow('dump', url);
    expect(statSync(join(dir, 'formstead.dump')).mode & 0o777).toBe(0o600);
    for (const text of ['newer 1', 'newer 2']) await post(server, text);
    await remove(server, 'a');
    const now = await namesIn();
    expect([keys.length, now.length]).toEqual([4, 5]);

    // A copy beside the original has other rows, but not its own files.
    const copy = await emptyDatabase();
    const restored = Bun.spawn(['pg_restore', '--no-owner', `--dbname=${copy}`, join(dir, 'formstead.dump')]);
    expect(await restored.exited).toBe(0);
    await sweepLater(copy, join(dir, 'elsewhere'));
    expect(await namesIn()).toEqual(now);
    const missing = await formstead(join(dir, 'elsewhere'), ['restore', '--verify', '--json'], settings(copy));
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('3 files opened, 1 failed')]);
    const fault = { table: 'submissions', row: expect.stringMatching(/^sub_/), what: expect.stringMatching(/^file_/) };
    expect(JSON.parse(missing.stdout)).toEqual([{ ...fault, message: 'missing' }]);
    const examined = await formstead(join(dir, 'elsewhere'), ['doctor', '--json'], settings(copy));
    const findings = JSON.parse(examined.stdout) as unknown[];
    const lost = expect.stringMatching(/: 1 of 4 files looked for are missing\. Run "formstead vault check"/);
    expect(findings).toContainEqual({ check: 'files', state: 'broken', message: lost });
    expect(findings).toContainEqual({ check: 'backups', state: 'off', message: expect.stringContaining('pg_dump') });
    expect(await readAll(server)).toEqual(['b', 'c', 'd', 'newer 1', 'newer 2']);

    await server.end('SIGKILL');
    await dropDatabase(url);
    for (const key of keys) await bucket().delete(key);
    const next = await emptyDatabase();
    await follow('rclone', next);
    expect(await follow('restore-dump', next)).toContain('4 files opened, 0 failed.');
    const again = await spawnServer(dataDir, settings(next));
    expect(await readAll(again)).toEqual(before);
    await post(again, 'after');
    expect(await namesIn()).toHaveLength(7);
    await sweepLater(next, dataDir);
    expect(await namesIn()).toHaveLength(5);
    expect(await readAll(again)).toEqual([...before, 'after']);
    expect(await again.end()).toBe(0);
  },
  SETUP_MS,
);
