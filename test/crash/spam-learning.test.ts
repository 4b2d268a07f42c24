import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDir } from '../support/instance.ts';
import { createInstance, formstead, spawnServer } from '../support/process.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

const dir = await createInstance(temporaryDir());
afterAll(() => rmSync(dir, { recursive: true }));

const json = async (...args: string[]) => JSON.parse((await formstead(dir, [...args, '--json'])).stdout);

/** Reads from the database in a way that a running server allows. */
function query<Row>(sql: string): Row | null {
  const database = new Database(join(dir, 'formstead.db'), { readonly: true });
  try {
    return database.query<Row, []>(sql).get();
  } finally {
    database.close();
  }
}

test(
  'a mark that no server has learned is learned after a kill',
  async () => {
    const team = (await json('team', 'create', '--name', 'Team')).id;
    const workspace = (await json('workspace', 'create', '--team', team, '--name', 'Workspace')).id;
    const words = ['--blocked-words', 'casino'];
    const form = (await json('form', 'create', '--workspace', workspace, '--name', 'Form', ...words)).id;
    const server = await spawnServer(dir);
    const body = new URLSearchParams({ message: 'We meet in front of the casino.' });
    expect((await fetch(`${server.url}/v1/forms/${form}/submissions`, { method: 'POST', body })).status).toBe(200);
    await server.end('SIGKILL');

    const [{ id }] = (await json('submission', 'list', '--form', form, '--spam')) as [{ id: string }];
    await json('submission', 'mark', id, '--genuine');
    const lesson = 'SELECT is_forgotten AS isWaiting, length(changes) AS size FROM spam_lessons';
    expect(query<{ isWaiting: number; size: number }>(lesson)).toEqual({ isWaiting: 1, size: 0 });

    const next = await spawnServer(dir);
    await until(() => (query<{ isWaiting: number }>(lesson)?.isWaiting === 0 ? true : null), 'the learning job');
    expect(query<{ size: number }>(lesson)?.size).toBeGreaterThan(49);
    expect(query<{ size: number }>('SELECT length(weights) AS size FROM spam_models')?.size).toBeGreaterThan(32_768);
    await next.end();
  },
  limit(30),
);
