import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { temporaryDir } from '../support/instance.ts';
import { createInstance, formstead, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';

const dir = await createInstance(temporaryDir());
afterAll(() => rmSync(dir, { recursive: true }));

type Created = { id: string; secret: string };
type Page = { data: { items: Array<{ data: { n: string } }>; next_cursor: string | null } };

async function create(...args: string[]): Promise<Created> {
  return JSON.parse((await formstead(dir, [...args, '--json'])).stdout) as Created;
}

test('a server killed under load has every acknowledged submission exactly once after a restart', async () => {
  const team = await create('team', 'create', '--name', 'Team');
  const workspace = await create('workspace', 'create', '--team', team.id, '--name', 'Workspace');
  const form = await create('form', 'create', '--workspace', workspace.id, '--name', 'Form');
  const { secret } = await create('key', 'create', '--team', team.id, '--name', 'Key');
  const acknowledged = new Set<string>();
  let sent = 0;

  for (let round = 0; round < 5; round++) {
    const server = await spawnServer(dir);
    let alive = true;
    const client = async () => {
      while (alive) {
        const n = String(sent++);
        const response = await fetch(`${server.url}/v1/forms/${form.id}/submissions`, {
          method: 'POST',
          body: new URLSearchParams({ n }),
        }).catch(() => null);
        // The status is the acknowledgment, so the body is not awaited.
        if (response?.status === 200) acknowledged.add(n);
        else if (!response) alive = false;
      }
    };
    const clients = Array.from({ length: 32 }, client);
    const goal = (round + 1) * 110;
    await until(() => acknowledged.size >= goal, `${goal} acknowledged posts`);
    await server.end('SIGKILL');
    alive = false;
    await Promise.all(clients);
  }

  const server = await spawnServer(dir, { READS_PER_MINUTE: '0' });
  const found: string[] = [];
  for (let before = '', more = true; more; ) {
    const url = `${server.url}/v1/forms/${form.id}/submissions?limit=100${before && `&before=${before}`}`;
    const { data } = (await (await fetch(url, { headers: { Authorization: `Bearer ${secret}` } })).json()) as Page;
    found.push(...data.items.map((item) => item.data.n));
    before = data.next_cursor ?? '';
    more = data.next_cursor !== null;
  }
  const { data } = (await (
    await fetch(`${server.url}/v1/usage`, { headers: { Authorization: `Bearer ${secret}` } })
  ).json()) as { data: { submissions_used: number } };
  expect(await server.end()).toBe(0);

  expect(acknowledged.size).toBeGreaterThan(500);
  expect(new Set(found).size).toBe(found.length);
  expect([...acknowledged].filter((n) => !found.includes(n))).toEqual([]);
  expect(data.submissions_used).toBe(found.length);
});
