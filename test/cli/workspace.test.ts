import { describe, expect, test } from 'bun:test';
import { formstead } from '../support/process.ts';
import { expectRefused, instances, json, type Resource } from './command-line.ts';

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
    const { code, stdout } = await formstead(dataDir, ['workspace', 'list', '--team', mine]);
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
});
