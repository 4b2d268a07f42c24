import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { solvedToken } from '../fast/visitor/challenge/solver.ts';
import { temporaryDir } from '../support/instance.ts';
import { createInstance, formstead, spawnServer } from '../support/process.ts';
import { limit } from '../support/speed.ts';

const dir = await createInstance(temporaryDir());
afterAll(() => rmSync(dir, { recursive: true }));

const create = async (...args: string[]) =>
  (JSON.parse((await formstead(dir, [...args, '--json'])).stdout) as { id: string }).id;

test(
  'a spent solution stays spent and an unsolved challenge stays valid across a stop and a kill',
  async () => {
    const team = await create('team', 'create', '--name', 'Team');
    const workspace = await create('workspace', 'create', '--team', team, '--name', 'Workspace');
    const form = await create('form', 'create', '--workspace', workspace, '--name', 'Form', '--challenge', 'altcha');
    const send = async (url: string, altcha: string) => {
      const body = new URLSearchParams({ name: 'Ada', altcha });
      return (await fetch(`${url}/v1/forms/${form}/submissions`, { method: 'POST', body })).status;
    };

    const spent: string[] = [];
    let next: string | null = null;
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
      const server = await spawnServer(dir);
      for (const token of spent) expect(await send(server.url, token)).toBe(400);
      const token: string = next ?? (await solvedToken(server, form));
      expect(await send(server.url, token)).toBe(200);
      spent.push(token);
      next = await solvedToken(server, form);
      await server.end(signal);
    }
    expect(spent).toHaveLength(3);
  },
  limit(30),
);
