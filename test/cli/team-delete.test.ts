import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import {
  createTeamWithForm,
  expectRefused,
  instances,
  json,
  post,
  type Resource,
  read,
  run,
  typing,
} from './command-line.ts';

const fresh = instances();
const dataDir = fresh();
let server: ServerProcess;
beforeAll(async () => {
  server = await spawnServer(dataDir);
});
afterAll(async () => {
  expect(await server.end()).toBe(0);
});

type Stats = Resource &
  Readonly<{ forms: number; submissions: number; bytes: number; last_activity_at: string | null }>;

const listInstance = () => json<Stats[]>(dataDir, ['instance', 'list']);
const statsOf = async (team: string) => (await listInstance()).find(({ id }) => id === team);

/** Returns the tables with rows that refer to a team. */
function tablesWith(team: string): string[] {
  using database = new Database(join(dataDir, 'formstead.db'), { readonly: true });
  const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return tables
    .map(({ name }) => name)
    .filter((name) => {
      const columns = database
        .query<{ from: string }, [string]>(`SELECT "from" FROM pragma_foreign_key_list(?) WHERE "table" = 'teams'`)
        .all(name);
      return columns.some(({ from }) => database.query(`SELECT 1 FROM "${name}" WHERE "${from}" = ?`).get(team));
    })
    .sort();
}

/** Creates a team with two forms, files, a webhook, an invitation and a member. */
async function createFullTeam() {
  const house = await createTeamWithForm(dataDir);
  const { team, workspace, form } = house;
  const { id: trashed } = await json<Resource>(dataDir, ['form', 'create', '--workspace', workspace, '--name', 'Old']);
  for (const id of [form.id, trashed]) {
    const body = new FormData();
    body.append('name', 'Ada');
    body.append('cv', new File(['x'.repeat(500)], 'cv.txt'));
    const answer = await fetch(`${server.url}/v1/forms/${id}/submissions`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  }
  await json(dataDir, ['form', 'delete', trashed]);
  await json(dataDir, ['webhook', 'create', '--form', form.id, '--url', 'https://example.com/hook']);
  await json(dataDir, ['user', 'create', '--team', team]);
  const { link } = await json<{ link: string }>(dataDir, ['user', 'create', '--team', team]);
  const email = `${team}@example.com`;
  const answer = await fetch(`${server.url}${new URL(link).pathname}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: server.url },
    body: new URLSearchParams({ email, new_password: 'correct horse battery staple' }),
  });
  expect(answer.status).toBe(303);
  return { ...house, email, cookie: answer.headers.getSetCookie().join('; ') };
}

const blobs = () =>
  readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());

describe('instance list', () => {
  test('lists teams with forms, submissions, bytes and last activity', async () => {
    const { team, form } = await createTeamWithForm(dataDir);
    expect(await statsOf(team)).toMatchObject({ name: 'Acme', plan: 'pro', forms: 1, submissions: 0, bytes: 0 });
    const before = (await statsOf(team))?.last_activity_at ?? '';
    for (const value of ['a', 'b']) await post(server.url, form.id, value);
    const after = await statsOf(team);
    expect(after).toMatchObject({ forms: 1, submissions: 2 });
    expect(after?.bytes).toBeGreaterThan(0);
    expect(String(after?.last_activity_at) > before).toBe(true);
    const { stdout } = await run(dataDir, ['instance', 'list']);
    expect(stdout.split('\n')[0]?.split(/ +/)).toEqual([
      'id',
      'name',
      'plan',
      'forms',
      'submissions',
      'bytes',
      'last_activity_at',
    ]);
  });
});

describe('team delete', () => {
  test('deletes a team with everything in it beside a running server, and nothing else', async () => {
    const kept = await createFullTeam();
    const keptBlobs = blobs().length;
    const doomed = await createFullTeam();
    await json(dataDir, ['team', 'member', 'set', kept.team, '--email', doomed.email, '--role', 'viewer']);
    const before = await statsOf(kept.team);
    const { code, stdout, stderr } = await run(dataDir, ['team', 'delete', doomed.team, '--yes', '--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ id: doomed.team, deleted: true, submissions: 2, files: 2 });
    expect([tablesWith(doomed.team), blobs().length]).toEqual([[], keptBlobs]);
    expect(await statsOf(doomed.team)).toBeUndefined();
    expect((await post(server.url, doomed.form.id)).status).toBe(404);
    expect((await read(server.url, '/v1/forms', doomed.key.secret)).status).toBe(401);

    expect(await statsOf(kept.team)).toMatchObject({ forms: 1, submissions: 1, bytes: before?.bytes ?? 0 });
    expect((await post(server.url, kept.form.id)).status).toBe(200);
    const emails = (await json<Array<{ email: string }>>(dataDir, ['user', 'list'])).map(({ email }) => email);
    expect(emails).toContain(doomed.email);
    // The session of the deleted team continues in the other one.
    const page = await fetch(`${server.url}/dashboard/forms`, { headers: { Cookie: doomed.cookie } });
    expect(page.status).toBe(200);
    const audit = await run(dataDir, ['audit', 'export']);
    const entries = audit.stdout.split('\n').filter((line) => line.includes('team.deleted'));
    expect(entries.map((line) => JSON.parse(line))).toMatchObject([
      { team_id: null, details: { team_id: doomed.team, submissions: 2, files: 2 } },
    ]);
  });

  test('asks for the name of the team', async () => {
    const { team, form } = await createTeamWithForm(dataDir);
    const remove = ['team', 'delete', team];
    expect(await run(dataDir, remove)).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') });
    const questions: string[] = [];
    const refused = await run(dataDir, remove, {}, typing('yes', questions));
    expect(refused).toEqual({ code: 0, stdout: '', stderr: 'Nothing was changed.\n' });
    expect(questions).toEqual([
      'Permanently delete the team "Acme" (forms: 1, submissions: 0, and its trash)? Type its name: ',
    ]);
    expect((await post(server.url, form.id)).status).toBe(200);
    expect(await run(dataDir, remove, {}, typing('Acme'))).toMatchObject({ code: 0 });
    expect(tablesWith(team)).toEqual([]);
    await expectRefused(dataDir, [[['team', 'delete', team, '--yes'], /no team.*See "team list"/]]);
  });

  test('leaves accounts without a team, which can still sign in', async () => {
    const { team, cookie } = await createFullTeam();
    await json(dataDir, ['team', 'delete', team, '--yes']);
    const page = await fetch(`${server.url}/dashboard/account`, { headers: { Cookie: cookie }, redirect: 'manual' });
    expect(page.status).toBe(200);
  });
});
