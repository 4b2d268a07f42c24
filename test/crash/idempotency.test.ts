import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { household, read } from '../cli/command-line.ts';
import { temporaryDir } from '../support/instance.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';

const KILLS = 8;
const CLIENTS = 24;
/** Between two kills so many posts are acknowledged at least. */
const POSTS = 150;

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true }));

type Page = { data: { items: Array<{ data: { n: string } }>; next_cursor: string | null } };
type Usage = { data: { submissions_used: number } };

/** The status of the answer, or null where none came. Each time the body has another boundary. */
async function send({ url }: ServerProcess, formId: string, n: string): Promise<number | null> {
  const body = new FormData();
  body.append('n', n);
  const post = { method: 'POST', headers: { 'Idempotency-Key': `key ${n}` }, body };
  const answer = await fetch(`${url}/v1/forms/${formId}/submissions`, post).catch(() => null);
  return answer?.status ?? null;
}

async function listAll({ url }: ServerProcess, formId: string, secret: unknown): Promise<string[]> {
  const found: string[] = [];
  for (let before = '', more = true; more; ) {
    const path = `/v1/forms/${formId}/submissions?limit=100${before && `&before=${before}`}`;
    const { data } = (await (await read(url, path, secret)).json()) as Page;
    found.push(...data.items.map((item) => item.data.n));
    before = data.next_cursor ?? '';
    more = data.next_cursor !== null;
  }
  return found;
}

test('killed under load, what is sent again under its key until it is acknowledged is there once and counted once', async () => {
  const { form, key } = await household(dir);
  const start = () => spawnServer(dir, { READS_PER_MINUTE: '0' });
  let server = await start();
  let running = true;
  let sent = 0;
  let unanswered = 0;
  const acknowledged: string[] = [];
  const statuses = new Set<number | null>();

  const client = async () => {
    while (running) {
      const n = String(sent++);
      for (let status: number | null = null; status !== 200; ) {
        status = await send(server, form.id, n);
        statuses.add(status);
        if (status === null) unanswered++;
        if (status !== 200) await Bun.sleep(5);
      }
      acknowledged.push(n);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  for (let kill = 1; kill <= KILLS; kill++) {
    const goal = acknowledged.length + POSTS;
    while (acknowledged.length < goal) await Bun.sleep(1);
    await server.end('SIGKILL');
    server = await start();
  }
  running = false;
  await Promise.all(clients);

  const found = await listAll(server, form.id, key.secret);
  const { data } = (await (await read(server.url, '/v1/usage', key.secret)).json()) as Usage;
  expect(await server.end()).toBe(0);
  expect(unanswered).toBeGreaterThan(0);
  expect([...statuses].filter((status) => ![200, 409, null].includes(status))).toEqual([]);
  expect(acknowledged).toHaveLength(sent);
  expect(found.toSorted()).toEqual(acknowledged.toSorted());
  expect(data.submissions_used).toBe(found.length);
}, 60_000);
