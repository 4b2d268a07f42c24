import { afterAll, expect, test } from 'bun:test';
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { blobNames, download, formData, noise, type Shown, sha256 } from '../fast/visitor/files.ts';
import { backdate } from '../support/database-file.ts';
import { temporaryDir } from '../support/instance.ts';
import { createInstance, formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';

const dir = await createInstance(temporaryDir());
afterAll(() => rmSync(dir, { recursive: true }));

const CLIENTS = 16;
const ROUNDS = 3;
/** The acknowledged uploads over all rounds. The server is killed in each round. */
const UPLOADS = 200;

type Made = { id: string; secret: string };
type Page = { data: { items: Shown[]; next_cursor: string | null } };

const FILES = Array.from({ length: CLIENTS }, (_, n) => {
  const bytes = noise(Math.round(50_000 + (n / (CLIENTS - 1)) * 1_950_000));
  return { bytes, sum: sha256(bytes) };
});

async function create(...args: string[]): Promise<Made> {
  return JSON.parse((await formstead(dir, [...args, '--json'])).stdout) as Made;
}

const team = await create('team', 'create', '--name', 'Team');
const workspace = await create('workspace', 'create', '--team', team.id, '--name', 'Workspace');
const { secret } = await create('key', 'create', '--team', team.id, '--name', 'Key');
const newForm = () => create('form', 'create', '--workspace', workspace.id, '--name', 'Form');
const start = () => spawnServer(dir, { READS_PER_MINUTE: '0' });

type Post = Readonly<{ formId: string; n: string; file: number; headers?: Record<string, string> }>;

/** Uploads a file. Returns the status, or null without a response. */
async function upload({ url }: ServerProcess, { formId, n, file, headers = {} }: Post): Promise<number | null> {
  const body = formData([
    ['n', n],
    ['cv', new File([FILES[file]?.bytes ?? ''], `${n}.bin`)],
  ]);
  const answer = await fetch(`${url}/v1/forms/${formId}/submissions`, { method: 'POST', body, headers }).catch(
    () => null,
  );
  return answer?.status ?? null;
}

/** Lists all submissions of a form. */
async function listAll({ url }: ServerProcess, formId: string): Promise<Shown[]> {
  const found: Shown[] = [];
  for (let before = '', more = true; more; ) {
    const path = `/v1/forms/${formId}/submissions?limit=100${before && `&before=${before}`}`;
    const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${secret}` } });
    const { data } = (await answer.json()) as Page;
    found.push(...data.items);
    before = data.next_cursor ?? '';
    more = data.next_cursor !== null;
  }
  return found;
}

/** Sets the times of all files in a folder back by two hours. */
function age(): void {
  const then = Date.now() / 1000 - 7_200;
  for (const name of blobNames({ dataDir: dir })) utimesSync(join(dir, 'files', name), then, then);
  backdate(dir);
}

test('a server killed during uploads loses or changes no acknowledged file, and the sweep leaves no orphan', async () => {
  const { id: formId } = await newForm();
  const acknowledged = new Map<string, string>();
  let sent = 0;

  for (let round = 1; round <= ROUNDS; round++) {
    const server = await start();
    const client = async (file: number) => {
      for (;;) {
        const n = String(sent++);
        const status = await upload(server, { formId, n, file });
        if (status === null) return;
        if (status === 200) acknowledged.set(n, FILES[file]?.sum ?? '');
      }
    };
    const clients = FILES.map((_, file) => client(file));
    const goal = Math.ceil((UPLOADS * round) / ROUNDS);
    await until(() => acknowledged.size >= goal, `${goal} acknowledged uploads`);
    await server.end('SIGKILL');
    await Promise.all(clients);
  }

  age();
  const server = await start();
  const rows = await listAll(server, formId);
  const files = rows.flatMap(({ id, file_metadata }) => (file_metadata?.files ?? []).map((file) => ({ id, file })));
  await until(() => blobNames({ dataDir: dir }).length <= files.length, 'the sweep to remove orphaned files');
  const found = new Map<string, string>();
  for (const { id, file } of files) {
    const answer = await download({ url: server.url }, secret, id, file.id);
    found.set(file.name.replace('.bin', ''), sha256(await answer.bytes()));
  }
  expect(await server.end()).toBe(0);

  expect(acknowledged.size).toBeGreaterThanOrEqual(UPLOADS);
  expect([...acknowledged].filter(([n, sum]) => found.get(n) !== sum)).toEqual([]);
  expect(files.every(({ file }) => found.get(file.name.replace('.bin', '')) === file.sha256)).toBe(true);
  expect(found.size).toBe(rows.length);
  expect(blobNames({ dataDir: dir })).toHaveLength(rows.length);
});

test('uploads retried under their Idempotency-Key across kills are each stored once', async () => {
  const { id: formId } = await newForm();
  let server = await start();
  let running = true;
  let sent = 0;
  const acknowledged: string[] = [];
  const client = async (file: number) => {
    while (running) {
      const n = String(sent++);
      for (let status: number | null = null; status !== 200; ) {
        status = await upload(server, { formId, n, file, headers: { 'Idempotency-Key': n } });
        // Pause between retries as a client does.
        if (status !== 200) await Bun.sleep(20);
      }
      acknowledged.push(n);
    }
  };
  const clients = FILES.map((_, file) => client(file));
  for (let round = 1; round <= ROUNDS; round++) {
    await until(() => acknowledged.length >= 20 * round, `${20 * round} acknowledged uploads`);
    await server.end('SIGKILL');
    server = await start();
  }
  running = false;
  await Promise.all(clients);
  const rows = await listAll(server, formId);
  expect(await server.end()).toBe(0);

  const found = rows.map(({ data }) => String(data.n));
  expect(found.toSorted()).toEqual(acknowledged.toSorted());
  expect(new Set(found).size).toBe(found.length);
  expect(rows.every(({ file_metadata }) => file_metadata?.files.length === 1)).toBe(true);
});
