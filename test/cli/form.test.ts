import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { formstead } from '../support/process.ts';
import { dataDirs, expectRefused, json, jsonOfProcess, type Refusal, type Shown } from './command-line.ts';

const fresh = dataDirs();
const MAIN = join(import.meta.dir, '../../src/main.ts');

async function makeWorkspace(dataDir: string) {
  const { id: team } = await json<Shown>(dataDir, ['team', 'create', '--name', 'Acme']);
  const { id: workspace } = await json<Shown>(dataDir, ['workspace', 'create', '--team', team, '--name', 'Site']);
  return { team, workspace };
}

const create = (dataDir: string, workspace: string, ...options: string[]) =>
  jsonOfProcess<Shown>(dataDir, ['form', 'create', '--workspace', workspace, '--name', 'Contact', ...options]);
const update = (dataDir: string, id: string, ...options: string[]) =>
  jsonOfProcess<Shown>(dataDir, ['form', 'update', id, ...options]);
const list = (dataDir: string, team: string) => jsonOfProcess<Shown[]>(dataDir, ['form', 'list', '--team', team]);

describe('form', () => {
  test('is created active, without redirect and fields, unless told otherwise', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const form = await create(dataDir, workspace);
    expect(form).toEqual({
      id: expect.stringMatching(/^frm_\w+$/) as unknown as string,
      name: 'Contact',
      short_id: expect.stringMatching(/^[2-9a-z]{8}$/),
      created_at: expect.stringMatching(/Z$/),
      is_active: true,
      workspace_id: workspace,
      redirect_url: null,
      thanks_title: null,
      thanks_text: null,
      fields: [],
      enforces_rules: false,
      allowed_origins: [],
      allowed_file_types: [],
    });
    expect(await list(dataDir, team)).toEqual([form]);
  });

  test('takes a redirect URL and fields, whose label, type and required may be left out', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const rules = { max_length: 200, pattern: '.+@example\\.com' };
    const fields = [{ name: 'email', label: 'E-mail', type: 'email', required: true, ...rules }, { name: 'message' }];
    const options = ['--redirect-url', 'https://example.com/thanks?a=b#c', '--fields', JSON.stringify(fields)];
    const form = await create(dataDir, workspace, ...options);
    expect(form).toMatchObject({
      redirect_url: 'https://example.com/thanks?a=b#c',
      fields: [fields[0], { name: 'message', label: 'message', type: 'text', required: false }],
    });
    expect(await list(dataDir, team)).toEqual([form]);
  });

  test('changes only in what the command names', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const other = await create(dataDir, workspace);
    const form = await create(
      dataDir,
      workspace,
      '--redirect-url',
      'https://example.com/',
      '--fields',
      '[{"name":"a"}]',
    );
    const renamed = await update(dataDir, form.id, '--name', 'Sales');
    expect(renamed).toEqual({ ...form, name: 'Sales' });
    const paused = await update(dataDir, form.id, '--active', 'false');
    expect(paused).toEqual({ ...renamed, is_active: false });
    const bare = await update(dataDir, form.id, '--redirect-url', '', '--fields', '[]', '--active', 'true');
    expect(bare).toEqual({ ...renamed, redirect_url: null, fields: [] });
    expect(await list(dataDir, team)).toEqual([other, bare]);
  });

  test('is listed for its own team alone, as a table to people', async () => {
    const dataDir = fresh();
    const [mine, other] = [await makeWorkspace(dataDir), await makeWorkspace(dataDir)];
    const form = await create(dataDir, mine.workspace);
    expect(await list(dataDir, other.team)).toEqual([]);
    const { stdout } = await formstead(dataDir, ['form', 'list', '--team', mine.team]);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ +/)),
    ).toEqual([
      ['id', 'short_id', 'name', 'is_active', 'created_at'],
      [form.id, form.short_id, 'Contact', 'true', form.created_at].map(String),
    ]);
  });

  test('comes whole through a pipe whose reader is slow, however long the list is', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const fields = JSON.stringify(Array.from({ length: 900 }, (_, n) => ({ name: `${n}${'x'.repeat(90)}` })));
    const form = await json<Shown>(dataDir, [
      'form',
      'create',
      '--workspace',
      workspace,
      '--name',
      'F',
      '--fields',
      fields,
    ]);
    expect(JSON.stringify(form).length).toBeGreaterThan(128 * 1024);
    const slowly = ['sh', '-c', 'bun "$0" "$@" | (sleep 0.5; cat)', MAIN, 'form', 'list', '--team', team, '--json'];
    const child = Bun.spawn(slowly, { env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir }, stdout: 'pipe' });
    expect(JSON.parse(await child.stdout.text())).toEqual([form]);
  });

  test('is refused with bad values, and nothing is changed', async () => {
    const dataDir = fresh();
    const { team, workspace } = await makeWorkspace(dataDir);
    const form = await create(dataDir, workspace, '--redirect-url', 'https://example.com/');
    const badOptions: readonly Refusal[] = [
      [['--redirect-url', 'javascript:alert(1)'], /redirect URL .*http or https/],
      [['--redirect-url', 'ftp://example.com/'], /redirect URL .*http or https/],
      [['--redirect-url', '/thanks'], /redirect URL .*http or https/],
      [['--redirect-url', 'example.com'], /redirect URL .*http or https/],
      [['--redirect-url', '//example.com'], /redirect URL .*http or https/],
      [['--redirect-url', 'https://ada:pw@example.com'], /redirect URL/],
      [['--redirect-url', `https://example.com/${'x'.repeat(2000)}`], /redirect URL/],
      [['--fields', ''], /fields is not JSON/],
      [['--fields', '[{name:"a"}]'], /fields is not JSON/],
      [['--fields', '{"name":"a"}'], /fields is not a JSON array/],
      [['--fields', '["a"]'], /fields has an entry 1 that does not fit/],
      [['--fields', '[null]'], /fields has an entry 1/],
      [['--fields', '[{"name":"a"},{"label":"b"}]'], /fields has an entry 2 that does not fit/],
      [['--fields', '[{"name":""}]'], /entry 1 .*name/],
      [['--fields', '[{"name":7}]'], /entry 1 .*name/],
      [['--fields', '[{"name":"a","type":"<b>"}]'], /entry 1 .*type/],
      [['--fields', '[{"name":"a","required":"yes"}]'], /entry 1 .*required/],
      [['--fields', '[{"name":"a","colour":"red"}]'], /entry 1 .*colour/],
      [['--fields', '[{"name":"a"},{"name":"a"}]'], /fields has the same name twice/],
      [['--fields', '[{"name":"a","max_length":0}]'], /entry 1 .*max_length/],
      [['--fields', '[{"name":"a","max_length":262145}]'], /entry 1 .*max_length/],
      [['--fields', '[{"name":"a","max_length":1.5}]'], /entry 1 .*max_length/],
      [['--fields', '[{"name":"a","max_length":"5"}]'], /entry 1 .*max_length/],
      [['--fields', '[{"name":"a","pattern":""}]'], /entry 1 .*pattern/],
      [['--fields', `[{"name":"a","pattern":"${'x'.repeat(501)}"}]`], /entry 1 .*pattern/],
      [['--fields', '[{"name":"a"},{"name":"b","pattern":"["}]'], /entry 2 whose pattern does not compile .*RE2/],
      [['--fields', '[{"name":"a","pattern":"(?=a)b"}]'], /entry 1 whose pattern .*no look-around/],
      [['--fields', '[{"name":"a","pattern":"(a)\\\\1"}]'], /entry 1 whose pattern .*no back-references/],
      [['--fields', '[{"name":"a","pattern":"(.*a){90}"}]'], /entry 1 whose pattern is too large/],
    ];
    await expectRefused(dataDir, [
      ...badOptions.map(([options, says]): Refusal => [['form', 'update', form.id, '--name', 'New', ...options], says]),
      ...badOptions
        .filter((_, index) => index % 4 === 0)
        .map(
          ([options, says]): Refusal => [
            ['form', 'create', '--workspace', workspace, '--name', 'New', ...options],
            says,
          ],
        ),
      [['form', 'create', '--workspace', workspace, '--name', ' '], /name is empty/],
      [['form', 'create', '--workspace', 'wsp_1', '--name', 'New'], /no workspace "wsp_1"; see "workspace list/],
      [['form', 'create', '--workspace', team, '--name', 'New'], /no workspace/],
      [['form', 'update', form.id, '--name', ''], /name is empty/],
      [['form', 'update', 'frm_1', '--active', 'false'], /no form "frm_1"; see "form list/],
      [['form', 'list', '--team', 'team_1'], /no team "team_1"; see "team list"/],
    ]);
    expect(await list(dataDir, team)).toEqual([form]);
  });
});
