import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectRefused, instances, json, type Resource, run, typing } from './command-line.ts';

const fresh = instances();

const makeTeam = (dataDir: string) => json<Resource>(dataDir, ['team', 'create', '--name', 'Acme']);
const create = (dataDir: string, team: string, ...options: string[]) =>
  json<Resource>(dataDir, ['key', 'create', '--team', team, '--name', 'CI', ...options]);
const list = (dataDir: string, team: string) => json<Resource[]>(dataDir, ['key', 'list', '--team', team]);

describe('key', () => {
  test('is read-only and never expires by default, and its secret is printed only once', async () => {
    const dataDir = fresh();
    const { id: team } = await makeTeam(dataDir);
    const { secret, ...key } = await create(dataDir, team);
    expect(secret).toMatch(/^fs_live_[0-9A-Za-z]{36}$/);
    expect(key).toEqual({
      id: expect.stringMatching(/^key_\w+$/) as unknown as string,
      name: 'CI',
      team_id: team,
      scope: 'read',
      form_ids: null,
      created_at: expect.stringMatching(/Z$/),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    });
    expect(await list(dataDir, team)).toEqual([key]);
    const table = await run(dataDir, ['key', 'list', '--team', team]);
    expect(table.stdout).not.toContain('fs_live_');
    for (const file of new Bun.Glob('**/*').scanSync(dataDir)) {
      expect(readFileSync(join(dataDir, file)).includes(String(secret).slice('fs_live_'.length))).toBe(false);
    }
  });

  test('prints its secret with the advice to copy it without --json', async () => {
    const dataDir = fresh();
    const { id: team } = await makeTeam(dataDir);
    const { code, stdout, stderr } = await run(dataDir, ['key', 'create', '--team', team, '--name', 'CI']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^secret +fs_live_[0-9A-Za-z]{36}$/m);
    expect(stderr).toMatch(/^Copy the secret now.*\n$/);
  });

  test('is created with a scope and an expiry time', async () => {
    const dataDir = fresh();
    const { id: team } = await makeTeam(dataDir);
    const key = await create(dataDir, team, '--scope', 'read_write', '--expires-at', '2999-12-31T23:59:59.5+01:00');
    expect(key).toMatchObject({ scope: 'read_write', expires_at: '2999-12-31T22:59:59.500000Z' });
    expect(await list(dataDir, team)).toMatchObject([{ id: key.id, scope: 'read_write', expires_at: key.expires_at }]);
  });

  test('is limited to forms by id or short id', async () => {
    const dataDir = fresh();
    const { id: team } = await makeTeam(dataDir);
    const workspace = await json<Resource>(dataDir, ['workspace', 'create', '--team', team, '--name', 'Website']);
    const make = (name: string) =>
      json<Resource>(dataDir, ['form', 'create', '--workspace', workspace.id, '--name', name]);
    const [first, second] = [await make('First'), await make('Second')];
    const key = await create(dataDir, team, '--form', first.id, '--form', String(second.short_id));
    expect(key.form_ids).toEqual([first.id, second.id]);
    expect(await list(dataDir, team)).toMatchObject([{ id: key.id, form_ids: [first.id, second.id] }]);
  });

  test('can be created on a plan without API access', async () => {
    const dataDir = fresh();
    const { id } = await json<Resource>(dataDir, ['team', 'create', '--name', 'Acme', '--plan', 'free']);
    expect((await create(dataDir, id)).secret).toMatch(/^fs_live_/);
  });

  test('is revoked after a confirmation', async () => {
    const dataDir = fresh();
    const { id: team } = await makeTeam(dataDir);
    const { id } = await create(dataDir, team);
    const questions: string[] = [];
    const no = await run(dataDir, ['key', 'revoke', id], {}, typing('no', questions));
    expect(no).toEqual({ code: 0, stdout: '', stderr: 'Nothing was changed.\n' });
    expect(questions).toEqual([expect.stringContaining(`Revoke ${id}?`)]);
    expect(await list(dataDir, team)).toMatchObject([{ id, revoked_at: null }]);
    expect((await run(dataDir, ['key', 'revoke', id], {}, typing('yes'))).stdout).toMatch(/^revoked_at +\d{4}-/m);
  });

  test('stays revoked, while others stay valid', async () => {
    const dataDir = fresh();
    const { id: team } = await makeTeam(dataDir);
    const [{ id }, { secret: _, ...other }] = [await create(dataDir, team), await create(dataDir, team)];
    const revoked = await json<Resource>(dataDir, ['key', 'revoke', id, '--yes']);
    expect(revoked.revoked_at).toMatch(/Z$/);
    expect(revoked).not.toHaveProperty('secret');
    expect(await json<Resource>(dataDir, ['key', 'revoke', id, '--yes'])).toEqual(revoked);
    expect(await list(dataDir, team)).toEqual([revoked, other as Resource]);
  });

  test('is neither created nor revoked with invalid values', async () => {
    const dataDir = fresh();
    const { id: team } = await makeTeam(dataDir);
    const { secret: _, ...key } = await create(dataDir, team);
    const until = (time: string) => ['key', 'create', '--team', team, '--name', 'New', '--expires-at', time];
    await expectRefused(dataDir, [
      [until('2020-01-01T00:00:00Z'), /The expiry 2020-01-01T00:00:00\.000000Z is in the past/],
      [until(new Date().toISOString()), /is in the past/],
      [until('9999-12-31T23:59:59-23:59'), /--expires-at must be before the year 10000 .*Leave it out/],
      [until('tomorrow'), /--expires-at must be an RFC 3339 time such as .*got "tomorrow"/],
      [until('2999-01-01'), /RFC 3339/],
      [until('2999-02-30T00:00:00Z'), /RFC 3339/],
      [until('2999-01-01T00:00:00'), /RFC 3339/],
      [until('32472144000'), /RFC 3339/],
      [until(''), /RFC 3339/],
      [['key', 'create', '--team', team, '--name', ''], /name must have 1 to 200 characters/],
      [['key', 'create', '--team', 'team_1', '--name', 'New'], /no team "team_1"\. See "team list"/],
      [['key', 'create', '--team', team, '--name', 'New', '--form', 'frm_1'], /no form "frm_1" in this team/],
      [['key', 'revoke', 'key_1', '--yes'], /no key "key_1"; see "key list/],
      [['key', 'revoke', team, '--yes'], /no key/],
      [['key', 'list', '--team', 'team_1'], /no team "team_1"/],
    ]);
    expect(await list(dataDir, team)).toEqual([key as Resource]);
  });
});
