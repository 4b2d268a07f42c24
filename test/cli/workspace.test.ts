import { describe, expect, test } from 'bun:test';
import { expectRefused, instances, json, type Resource, run } from './command-line.ts';

const fresh = instances();

const create = (dataDir: string, team: string, name: string) =>
  json<Resource>(dataDir, ['workspace', 'create', '--team', team, '--name', name]);
const list = (dataDir: string, team: string) => json<Resource[]>(dataDir, ['workspace', 'list', '--team', team]);
const makeTeam = (dataDir: string) => json<Resource>(dataDir, ['team', 'create', '--name', 'Acme']);

describe('workspace', () => {
  test('is created in its team and listed only there, oldest first', async () => {
    const dataDir = fresh();
    const [mine, other] = [(await makeTeam(dataDir)).id, (await makeTeam(dataDir)).id];
    const site = await create(dataDir, mine, 'Site');
    expect(site).toEqual({
      id: expect.stringMatching(/^wsp_\w+$/),
      name: 'Site',
      team_id: mine,
      created_at: expect.stringMatching(/Z$/),
    });
    const shop = await create(dataDir, mine, 'Shop');
    expect(await list(dataDir, mine)).toEqual([site, shop]);
    expect(await list(dataDir, other)).toEqual([]);
    const { code, stdout } = await run(dataDir, ['workspace', 'list', '--team', mine]);
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]?.split(/ +/)).toEqual(['id', 'name', 'created_at']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
  });

  test('is not created with invalid values', async () => {
    const dataDir = fresh();
    const { id } = await makeTeam(dataDir);
    await expectRefused(dataDir, [
      [['workspace', 'create', '--team', 'team_1', '--name', 'Site'], /no team "team_1"\. See "team list"/],
      [['workspace', 'create', '--team', '', '--name', 'Site'], /no team ""/],
      [['workspace', 'create', '--team', id, '--name', ''], /name must have 1 to 200 characters/],
      [['workspace', 'list', '--team', 'team_1'], /no team "team_1"\. See "team list"/],
    ]);
    expect(await list(dataDir, id)).toEqual([]);
  });

  test('is renamed, and deleted once it has no forms', async () => {
    const dataDir = fresh();
    const { id: team } = await makeTeam(dataDir);
    const [site, shop] = [await create(dataDir, team, 'Site'), await create(dataDir, team, 'Shop')];
    const renamed = await json<Resource>(dataDir, ['workspace', 'update', site.id, '--name', ' Home ']);
    expect(renamed).toEqual({ ...site, name: 'Home' });
    const form = await json<Resource>(dataDir, ['form', 'create', '--workspace', site.id, '--name', 'Contact']);
    await expectRefused(dataDir, [
      [['workspace', 'delete', site.id], /This workspace has forms\. Move or delete them first/],
      [['workspace', 'delete', 'wsp_none'], /no workspace "wsp_none"\. See "workspace list/],
      [['workspace', 'update', 'wsp_none', '--name', 'x'], /no workspace "wsp_none"/],
      [['workspace', 'update', site.id, '--name', ' '], /name must have 1 to 200 characters/],
    ]);
    await json(dataDir, ['form', 'delete', form.id]);
    expect<unknown>(await json(dataDir, ['workspace', 'delete', site.id])).toEqual({ id: site.id, deleted: true });
    expect((await json(dataDir, ['form', 'show', form.id])).workspace_id).toBe(shop.id);
    await expectRefused(dataDir, [[['workspace', 'delete', shop.id], /only workspace of the team/]]);
    expect(await list(dataDir, team)).toEqual([shop]);
    const { stdout } = await run(dataDir, ['audit', 'export', '--team', team]);
    const actions = [...stdout.matchAll(/"action":"(workspace\.(?:changed|deleted))"/g)].map(([, action]) => action);
    expect(actions).toEqual(['workspace.changed', 'workspace.deleted']);
  });
});
