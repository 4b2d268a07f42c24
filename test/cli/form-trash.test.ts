import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import {
  createTeamWithForm,
  expectRefused,
  instances,
  json,
  post,
  type Resource,
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

const form = (...args: string[]) => json<Resource>(dataDir, ['form', ...args]);
const trashOf = async (team: string) => {
  const forms = await json<Resource[]>(dataDir, ['form', 'list', '--team', team, '--trashed']);
  return forms.map(({ id }) => id);
};
const actionsOf = async (team: string) => {
  const { stdout } = await run(dataDir, ['audit', 'export', '--team', team]);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { action: string; details: object })
    .filter(({ action }) => !['team.created', 'workspace.created', 'key.created', 'form.created'].includes(action))
    .filter(({ action }) => action !== 'audit.exported');
};

describe('form show', () => {
  test('shows all settings of a form by id and short id, also from the trash', async () => {
    const { form: created } = await createTeamWithForm(dataDir);
    expect(await form('show', created.id)).toEqual(created);
    expect(await form('show', String(created.short_id))).toEqual(created);
    await form('delete', created.id);
    const trashed = await form('show', String(created.short_id));
    expect(trashed).toEqual({ ...created, trashed_at: expect.stringMatching(/Z$/) });
  });

  test('prints a line for each setting', async () => {
    const { form: created } = await createTeamWithForm(dataDir);
    const { stdout } = await run(dataDir, ['form', 'show', created.id]);
    expect(stdout.split('\n')).toHaveLength(Object.keys(created).length + 1);
    expect(stdout).toMatch(/^name +Contact$/m);
  });
});

describe('form delete and restore', () => {
  test('move a form to the trash and back beside a running server', async () => {
    const { team, form: created } = await createTeamWithForm(dataDir);
    const { id } = created;
    expect((await post(server.url, id)).status).toBe(200);
    expect<unknown>(await form('delete', String(created.short_id))).toEqual({ id, trashed: true });
    expect((await post(server.url, id)).status).toBe(404);
    expect(await json<Resource[]>(dataDir, ['form', 'list', '--team', team])).toEqual([]);
    expect(await trashOf(team)).toEqual([id]);
    expect<unknown>(await form('restore', String(created.short_id))).toEqual({ id, restored: true });
    expect((await post(server.url, id)).status).toBe(200);
    expect(await form('show', id)).toEqual(created);
    expect(await actionsOf(team)).toMatchObject([
      { action: 'form.trashed', details: { form_id: id } },
      { action: 'form.restored', details: { form_id: id } },
    ]);
  });

  test('refuse forms that are not where they should be', async () => {
    const { team, form: created } = await createTeamWithForm(dataDir);
    await expectRefused(dataDir, [
      [['form', 'restore', created.id], /is not in the trash\. See "form list --team <id> --trashed"/],
      [['form', 'restore', 'frm_none'], /no form "frm_none"/],
      [['form', 'delete', 'frm_none'], /no form "frm_none"/],
      [['form', 'delete', 'frm_none', '--now', '--yes'], /no form "frm_none"/],
      [['form', 'show', 'frm_none'], /no form "frm_none"/],
    ]);
    await form('delete', created.id);
    await expectRefused(dataDir, [[['form', 'delete', created.id], /no form/]]);
    expect(await trashOf(team)).toEqual([created.id]);
  });

  test('with --now, delete a form with its submissions after a confirmation, from the trash or not', async () => {
    const { team, workspace, form: first } = await createTeamWithForm(dataDir);
    const second = await json<Resource>(dataDir, ['form', 'create', '--workspace', workspace, '--name', 'Second']);
    for (const { id } of [first, first, second]) await post(server.url, id);
    const now = ['form', 'delete', first.id, '--now'];
    expect(await run(dataDir, now)).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') });
    const questions: string[] = [];
    const { code, stdout, stderr } = await run(dataDir, now, {}, typing('no', questions));
    expect([code, stdout, stderr]).toEqual([0, '', 'Nothing was changed.\n']);
    expect(questions).toEqual([expect.stringContaining('the form "Contact" with its submissions?')]);
    expect(await form('show', first.id)).toEqual(first);
    expect((await run(dataDir, [...now, '--json'], {}, typing('yes'))).stdout).toBe(
      `${JSON.stringify({ id: first.id, deleted: true, submissions: 2, files: 0, mails: 0 })}\n`,
    );
    await form('delete', second.id);
    expect<unknown>(await form('delete', second.id, '--now', '--yes')).toMatchObject({ submissions: 1 });
    expect([await trashOf(team), await json<Resource[]>(dataDir, ['form', 'list', '--team', team])]).toEqual([[], []]);
    expect((await actionsOf(team)).map(({ action }) => action)).toEqual([
      'form.deleted',
      'form.trashed',
      'form.deleted',
    ]);
  });
});

test('form move moves a form to another workspace of its team only', async () => {
  const [own, foreign] = [await createTeamWithForm(dataDir), await createTeamWithForm(dataDir)];
  const { id: workspace } = await json<Resource>(dataDir, ['workspace', 'create', '--team', own.team, '--name', 'B']);
  const moved = await form('move', String(own.form.short_id), '--workspace', workspace);
  expect(moved).toEqual({ ...own.form, workspace_id: workspace });
  expect(await actionsOf(own.team)).toMatchObject([
    { action: 'form.changed', details: { form_id: own.form.id, workspace_id: workspace } },
  ]);
  await expectRefused(dataDir, [
    [['form', 'move', own.form.id, '--workspace', foreign.workspace], /no workspace.*See "workspace list/],
    [['form', 'move', 'frm_none', '--workspace', workspace], /no form "frm_none"/],
  ]);
  expect(await form('show', own.form.id)).toEqual(moved);
});
