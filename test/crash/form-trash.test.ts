import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { openContext } from '../../src/context/context.ts';
import { createForm } from '../../src/services/forms/forms.ts';
import { createTeam, createWorkspace } from '../../src/services/teams/teams.ts';
import { keepMany } from '../fast/dashboard/list-page.ts';
import { signIn } from '../fast/dashboard/signed-in.ts';
import { blobNames, formData } from '../fast/visitor/files.ts';
import { temporaryDir } from '../support/instance.ts';
import { createInstance, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';

const SUBMISSIONS = 5_000;

test('a kill during the deletion of a form spares other forms and files, and the next start completes it', async () => {
  const dir = temporaryDir();
  const dataDir = await createInstance(join(dir, 'data'));
  const config = loadConfig({ DATA_DIR: dataDir });
  const context = await openContext({
    config,
    secrets: loadSecrets({}, () => ''),
    writeLog: () => {},
    prettyLog: false,
  });
  const { store } = context;
  const deps = { ...context, plans: config.plans };
  const { id: teamId } = await createTeam(deps, 'Team', 'unlimited');
  const { id: workspaceId } = await createWorkspace(deps, teamId, 'Workspace');
  const [doomed, kept] = [
    await createForm(deps, { workspaceId, name: 'A' }),
    await createForm(deps, { workspaceId, name: 'B' }),
  ];
  const { cookie } = await signIn({ url: '', context }, { teamId });
  await keepMany(context, doomed.id, SUBMISSIONS, (n) => ({ text: `${n}` }));
  const left = (id: string) => store.retention.countOlder(id, Number.MAX_SAFE_INTEGER, SUBMISSIONS + 10);

  const first = await spawnServer(dataDir);
  const send = async (formId: string) => {
    const body = formData([['cv', new File(['y'.repeat(1000)], 'cv.txt')]]);
    const answer = await fetch(`${first.url}/v1/forms/${formId}/submissions`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  };
  const act = (action: string) =>
    fetch(`${first.url}/dashboard/forms/${doomed.id}/${action}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie, Origin: first.url },
      body: new URLSearchParams({ page_team: teamId, confirmed: 'yes' }),
    });
  for (const { id } of [doomed, kept]) await send(id);
  expect((await act('trash')).status).toBe(303);
  expect(await left(doomed.id)).toBe(SUBMISSIONS + 1);
  const deletion = act('delete').catch(() => null);
  await until(async () => (await left(doomed.id)) <= SUBMISSIONS - 200, 'the deletion to begin');
  await first.end('SIGKILL');
  await deletion;
  expect(await store.trash.moveForm(doomed.id, teamId, null)).toBe(false);

  const second = await spawnServer(dataDir);
  await until(async () => (await store.forms.findStored(doomed.id)) === null, 'the deletion to be completed');
  await until(() => blobNames({ dataDir }).length === 1, 'the file of the deleted form to be removed');
  expect([await left(doomed.id), await left(kept.id)]).toEqual([0, 1]);
  expect(await second.end()).toBe(0);
  await context.close();
  rmSync(dir, { recursive: true });
});
