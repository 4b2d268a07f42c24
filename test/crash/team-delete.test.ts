import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { openContext } from '../../src/context/context.ts';
import { createForm } from '../../src/services/forms/forms.ts';
import { createTeam, createWorkspace } from '../../src/services/teams/teams.ts';
import { json } from '../cli/command-line.ts';
import { keepMany } from '../fast/dashboard/list-page.ts';
import { temporaryDir } from '../support/instance.ts';
import { createInstance, fromBinary, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';

const SUBMISSIONS = 5_000;

test('a kill during team delete spares other teams, and a second run deletes the rest', async () => {
  const dir = temporaryDir();
  const dataDir = await createInstance(join(dir, 'data'));
  const config = loadConfig({ DATA_DIR: dataDir });
  const secrets = loadSecrets({}, () => '');
  const context = await openContext({ config, secrets, writeLog: () => {}, prettyLog: false });
  const { store } = context;
  const deps = { ...context, plans: config.plans };
  const make = async (name: string, submissions: number) => {
    const { id: teamId } = await createTeam(deps, name, 'unlimited');
    const { id: workspaceId } = await createWorkspace(deps, teamId, name);
    const form = await createForm(deps, { workspaceId, name });
    await keepMany(context, form.id, submissions, (n) => ({ text: `${n}` }));
    return { teamId, formId: form.id };
  };
  const [doomed, kept] = [await make('A', SUBMISSIONS), await make('B', 10)];
  const left = (id: string) => store.retention.countOlder(id, Number.MAX_SAFE_INTEGER, SUBMISSIONS);
  const post = ({ url }: { url: string }, id: string) =>
    fetch(`${url}/v1/forms/${id}/submissions`, { method: 'POST', body: new URLSearchParams({ n: '1' }) });

  const { command } = await fromBinary();
  const remove = ['team', 'delete', doomed.teamId, '--yes'];
  const child = Bun.spawn([...command, ...remove], {
    env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir },
    stdout: 'ignore',
  });
  await until(async () => (await left(doomed.formId)) <= SUBMISSIONS - 200, 'the deletion to begin');
  child.kill('SIGKILL');
  await child.exited;
  expect(await left(doomed.formId)).toBeGreaterThan(0);
  expect(await store.teams.find(doomed.teamId)).not.toBeNull();

  const server = await spawnServer(dataDir);
  expect([(await post(server, doomed.formId)).status, (await post(server, kept.formId)).status]).toEqual([404, 200]);
  await json(dataDir, remove);
  expect([await store.teams.find(doomed.teamId), await store.forms.findStored(doomed.formId)]).toEqual([null, null]);
  expect([await left(doomed.formId), await left(kept.formId)]).toEqual([0, 11]);
  expect(await server.end()).toBe(0);
  await context.close();
  rmSync(dir, { recursive: true });
});
