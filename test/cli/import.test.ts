import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCE_NAMES } from '../../src/imports/sources.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';
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
import { FIXTURES } from './import-fixtures.ts';

const dataDir = instances()();
let server: ServerProcess;
beforeAll(async () => {
  server = await spawnServer(dataDir);
});
afterAll(async () => {
  expect(await server.end()).toBe(0);
});

/** Writes an export beside the data directory and returns its path. */
function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(dataDir, '..', name);
  writeFileSync(path, content);
  return path;
}

type Imported = Readonly<{ import_id: string | null; source: string; added: number; duplicates: number; rows: number }>;
type Listed = Readonly<{ id: string; created_at: string; is_spam: boolean; data: Record<string, unknown> }>;

const newForm = async () => {
  const { team, form } = await createTeamWithForm(dataDir);
  return { team, form: form.id };
};
const importJson = (form: string, path: string, ...options: string[]) =>
  json<Imported & Record<string, unknown>>(dataDir, ['import', path, '--form', form, ...options]);
const listed = (form: string) => json<Listed[]>(dataDir, ['submission', 'list', '--form', form, '--limit', '1000']);

/** A CSV file with `count` rows from row `first` on, which have ids. */
function typeformRows(first: number, count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const second = new Date(Date.UTC(2024, 0, 1) + (first + index) * 1000).toISOString().slice(0, 19).replace('T', ' ');
    return `id${first + index},Person ${first + index},${second}`;
  });
  return ['#,Name,Submit Date (UTC)', ...rows].join('\n');
}

describe('import reads', () => {
  // Exports of Formstead are made by the tests that import them.
  test('an export of each service in these fixtures', () => {
    const sources = new Set(FIXTURES.map(({ source }) => source));
    expect(SOURCE_NAMES.filter((name) => !sources.has(name))).toEqual(['formstead']);
  });

  test.each(FIXTURES)('$name', async ({ file, content, options = [], source, submissions }) => {
    const { form } = await newForm();
    const path = fileOf(file, content);
    const first = await importJson(form, path, ...options);
    expect(first).toMatchObject({ source, added: submissions.length, duplicates: 0 });
    const stored = (await listed(form)).map(({ created_at, is_spam, data }) => ({ created_at, is_spam, data }));
    expect(stored).toEqual(submissions.map((one) => ({ is_spam: false, ...one })));
    expect(await importJson(form, path, ...options)).toMatchObject({
      import_id: null,
      added: 0,
      duplicates: submissions.length,
    });
  });

  test("Formstead's own CSV, with labels of fields as headings", async () => {
    const { form } = await newForm();
    await post(server.url, form, 'Ada');
    const { stdout } = await run(dataDir, ['submission', 'export', '--form', form]);
    const other = await newForm();
    expect(await importJson(other.form, fileOf('own.csv', stdout))).toMatchObject({ source: 'formstead', added: 1 });
    const [copy] = await listed(other.form);
    const [original] = await listed(form);
    expect(copy?.data).toEqual({ name: 'Ada' });
    // The original has this very time.
    expect(Date.parse(copy?.created_at ?? '')).toBe(Date.parse(original?.created_at ?? ''));
    expect(copy?.created_at).not.toBe(original?.created_at ?? '');
  });
});

describe('import reads', () => {
  test("Formstead's own JSON Lines, with exact values, spam and names of files", async () => {
    const { form } = await newForm();
    const line = (id: string, created_at: string, rest: object) =>
      JSON.stringify({ id, created_at, is_spam: false, file_metadata: null, ...rest });
    const lines = [
      line('sub_1', '2026-01-02T03:04:05.000001Z', {
        data: { note: "'=1+1", topics: ['a; b', 'c'], id: '7', at: { x: 1 } },
      }),
      line('sub_2', '2026-01-02T03:04:05.000002Z', {
        is_spam: true,
        maybe_spam: true,
        data: {},
        file_metadata: { files: ['a.pdf', 'b.pdf'].map((name) => ({ field: 'cv', name })) },
      }),
      line('sub_3', '2026-01-02T03:04:05.000003Z', { data: null }),
    ];
    const path = fileOf('own.jsonl', `${lines.join('\n')}\n`);
    expect(await importJson(form, path)).toMatchObject({ source: 'formstead', added: 2, empty: 1 });
    expect((await listed(form)).map(({ is_spam, data }) => [is_spam, data])).toEqual([
      [true, { cv: ['a.pdf', 'b.pdf'] }],
      [false, { note: "'=1+1", topics: ['a; b', 'c'], 'data.id': '7', at: { x: 1 } }],
    ]);
    expect(await importJson(form, path)).toMatchObject({ added: 0, duplicates: 2 });
    await expectRefused(dataDir, [
      [['import', fileOf('cut.jsonl', lines.join('\n').slice(0, -3)), '--form', form], /it ends early/],
    ]);
  });
});

describe('import refuses', () => {
  test('files that leave something open, are damaged or have unreadable rows, and imports nothing', async () => {
    const { form } = await newForm();
    const given = (name: string, content: string | Uint8Array, ...options: string[]) =>
      ['import', fileOf(name, content), '--form', form, ...options] as const;
    const zone = ['--time-zone', 'UTC'];
    await expectRefused(dataDir, [
      [
        given('a.csv', 'Timestamp,Q\n03/04/2023 10:00,x'),
        /row 2 can be read.*--date-order.*row 2 has no time zone.*--time-zone/,
      ],
      [
        given('b.csv', 'Timestamp,Q\n13/04/2023,x\n04/13/2023,y', ...zone),
        /rows 2 and 3 have day and month in different orders/,
      ],
      [given('c.csv', 'Timestamp,Q\n13/04/23,x', ...zone), /row 2 can be read in several ways.*--date-order/],
      [given('d.csv', Buffer.from('Timestamp,Q\n2023-01-01,Stra\xdfe', 'latin1')), /not encoded as utf-8.*--encoding/],
      [given('e.csv', Buffer.from('date,Q\n2023-01-01,x', 'utf16le')), /NUL characters/],
      [given('f.csv', 'date,Q\n2023-01-01,"x\n2023-01-02,y', ...zone), /row 2: a quote is not closed/],
      [
        given('g.csv', 'date,Q\n2023-01-01,x,y', ...zone),
        /1 of 1 rows are unreadable, and nothing was imported: row 2: has 3 columns, and the header has 2/,
      ],
      [
        given('h.csv', 'date,Q\nsoon,x\n2023-01-01,y', ...zone),
        /1 of 2 rows are unreadable.*row 2, column "date": is no time: "soon"/,
      ],
      [given('i.csv', 'date,Q\n2099-01-01,x', ...zone), /row 2, column "date": is in the future/],
      [given('j.csv', 'Q,R\nx,y'), /No column has the time.*--time-column.*"Q", "R"/],
      [given('k.csv', 'created_at,date,Q\n2023-01-01,2023-01-02,x'), /Several columns.*"created_at", "date"/],
      [given('l.csv', 'a;b,c\n1;2,3'), /as many commas as semicolons/],
      [given('m.csv', 'date,Q\n'), /There are no rows/],
      [given('n.json', '[{"created_at":"2023-01-01T00:00:00Z","a":1},'), /it ends early/],
      [given('o.json', '[{"created_at":"2023-01-01T00:00:00Z","a":}]'), /row 1 is not valid JSON/],
      [['import', join(dataDir, 'none.csv'), '--form', form], /Could not read .*none\.csv: ENOENT/],
      [['import', fileOf('p.csv', 'date\nx'), '--form', 'nope'], /there is no form "nope"/],
      [given('q.csv', 'date,Q\n2023-01-01,x', '--time-zone', 'Mars'), /Unknown time zone "Mars"/],
      [given('r.csv', Buffer.from('PK\x03\x04\x14\x00', 'latin1')), /The file is an Excel workbook.*CSV/],
      [given('s.csv', Buffer.from('\xd0\xcf\x11\xe0', 'latin1')), /The file is an Excel workbook.*CSV/],
      [given('t.csv', '\ufeff\n<!DOCTYPE html><html><title>Sign in</title>'), /The file is a web page.*CSV/],
      [['import', '--undo', 'imp_none', '--yes'], /there is no import "imp_none"/],
    ]);
    expect(await listed(form)).toEqual([]);
  });

  test('a command line without exactly one task', async () => {
    for (const args of [[], ['a.csv', '--list', '--form', 'x'], ['a.csv'], ['--undo', 'x']]) {
      expect((await run(dataDir, ['import', ...args])).code).toBe(2);
    }
  });
});

describe('import', () => {
  test('asks for the time zone and the order of dates on a terminal', async () => {
    const { form } = await newForm();
    const path = fileOf('asked.csv', 'Timestamp,Q\n03/04/2023 10:00,x');
    const questions: string[] = [];
    const prompt = async (question: string) =>
      typing(question.includes('zone') ? 'Asia/Tokyo' : 'DMY', questions)(question);
    expect((await run(dataDir, ['import', path, '--form', form], {}, prompt)).code).toBe(0);
    expect(questions).toHaveLength(2);
    expect((await listed(form)).map(({ created_at }) => created_at)).toEqual(['2023-04-03T01:00:00.000000Z']);
  });

  test('previews with --dry-run: masked values, uses of columns and counts', async () => {
    const { form } = await newForm();
    const path = fileOf('preview.csv', `${typeformRows(0, 5)}\nid9,4111 1111 1111 1111,tomorrow`);
    const { code, stdout, stderr } = await run(dataDir, ['import', path, '--form', form, '--dry-run']);
    expect([code, stderr]).toEqual([
      0,
      '1 of 6 rows are unreadable:\nrow 7, column "Submit Date (UTC)": is no time: "tomorrow"\n',
    ]);
    expect(stdout).toMatch(/^column +becomes +row 2 +row 3 +row 4\n# +\(id\) +id0.*\nName +field Name +Person 0/);
    expect(stdout).toMatch(/rows +6\n.*bad_rows +1\nnew +5\nduplicates +0\n/s);
    const masked = fileOf('masked.csv', 'date,Card\n2023-01-01,4111 1111 1111 1111');
    const shown = await run(dataDir, ['import', masked, '--form', form, '--dry-run', '--time-zone', 'UTC']);
    expect(shown.stdout).toContain('************1111');
    expect(shown.stdout).not.toContain('4111');
    expect(await listed(form)).toEqual([]);
  });

  test('marks in the preview what it drops, and shows all values of columns with the same heading', async () => {
    const { form } = await newForm();
    const csv = fileOf('dropped.csv', 'date,Name,_gotcha,g-recaptcha-response,Name\n2023-01-01,Ada,bot,token,Lovelace');
    const { stdout } = await run(dataDir, ['import', csv, '--form', form, '--dry-run', '--time-zone', 'UTC']);
    expect(stdout).toMatch(
      /^Name +field Name +Ada, Lovelace\n_gotcha +\(dropped\).*\ng-recaptcha-response +\(dropped\)/m,
    );
    const rows = [1, 2].map((id) => ({
      ...{ id: `n${id}`, created_at: '2024-01-02T03:04:05Z', form_name: 'contact', email: 'outer', human_fields: {} },
      data: { email: 'ada@example.com', id: 'same', created_at: 'May', ip: '192.0.2.1' },
    }));
    const path = fileOf('netlify-names.json', JSON.stringify(rows));
    const { columns } = await importJson(form, path, '--dry-run');
    expect(columns).toEqual({
      ...{ form_name: '(dropped)', email: 'email', human_fields: '(dropped)', id: '(id)', created_at: '(time)' },
      ...{ 'data.id': 'data.id', 'data.created_at': 'data.created_at', ip: '(dropped)' },
    });
    expect(await importJson(form, path)).toMatchObject({ added: 2 });
    const [{ data } = { data: {} }] = await listed(form);
    expect(data).toEqual({ email: 'ada@example.com', 'data.id': 'same', 'data.created_at': 'May' });
  });

  test('keeps a column about the visitor that is a field of the form, and counts times of the other season', async () => {
    const { form } = await newForm();
    const fields = JSON.stringify([{ name: 'ip', label: 'IP address', type: 'text' }]);
    await json(dataDir, ['form', 'update', form, '--fields', fields]);
    const path = fileOf('ip.csv', 'Timestamp,IP Address\n2025-04-29 9:06 CET,192.0.2.1\n2025-01-29 9:06 CET,192.0.2.2');
    const result = await importJson(form, path, '--time-zone', 'Europe/Berlin');
    expect(result).toMatchObject({ added: 2, other_season: 1 });
    expect((await listed(form)).map(({ data }) => data)).toEqual([{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }]);
  });

  test('leaves out bad rows with --skip-bad-rows, and rows that retention would delete', async () => {
    const { form } = await newForm();
    await json(dataDir, ['form', 'update', form, '--retention-days', '30']);
    const recent = new Date(Date.now() - 86_400_000).toISOString();
    const path = fileOf('skipped.csv', `date,Q\n${recent},new\n2020-01-01T00:00:00Z,old\nsoon,bad`);
    expect(await importJson(form, path, '--skip-bad-rows')).toMatchObject({
      ...{ rows: 3, added: 1, bad_rows: 1, older_than_retention: 1, retention_days: 30 },
    });
    expect((await listed(form)).map(({ data }) => data)).toEqual([{ Q: 'new' }]);
  });

  test('adds only new rows of a grown export, and equal rows as often as they occur', async () => {
    const { form } = await newForm();
    const lines = ['date,Q', '2023-01-01T00:00:00Z,x', '2023-01-01T00:00:00Z,x'];
    expect(await importJson(form, fileOf('grown.csv', lines.join('\n')))).toMatchObject({ added: 2 });
    // A further column, another order and a third equal row.
    const grown = [
      'date,New,Q',
      '2023-01-01T00:00:00Z,,x',
      '2023-01-02T00:00:00Z,n,y',
      ...Array(2).fill('2023-01-01T00:00:00Z,,x'),
    ];
    expect(await importJson(form, fileOf('grown.csv', grown.join('\n')))).toMatchObject({ added: 2, duplicates: 2 });
  });

  test('counts no usage, sends nothing and leaves submissions read', async () => {
    const { form, team } = await newForm();
    await importJson(form, fileOf('quiet.csv', typeformRows(0, 3)));
    const teams = await json<Array<Resource & { used?: number }>>(dataDir, ['team', 'list']);
    expect(teams.find(({ id }) => id === team)?.used ?? 0).toBe(0);
    expect(await json<unknown[]>(dataDir, ['outbox', 'list'])).toEqual([]);
  });

  test('is undone, and can then be repeated; erased people stay erased', async () => {
    const { form, team } = await newForm();
    const path = fileOf(
      'undo.csv',
      `#,Email,Submit Date (UTC)\na,ada@example.com,2024-01-01 00:00:00\nb,bob@example.com,2024-01-02 00:00:00`,
    );
    const { import_id: id } = await importJson(form, path);
    await run(dataDir, ['submission', 'erase', '--team', team, '--email', 'ada@example.com', '--yes']);
    expect(await importJson(form, path)).toMatchObject({ added: 0, duplicates: 2 });
    const undo = ['import', '--undo', String(id)];
    expect((await run(dataDir, undo, {}, typing('no'))).stderr).toBe('Nothing was changed.\n');
    expect(await json(dataDir, [...undo, '--yes'])).toEqual({ id, submissions: 1, files: 0 });
    expect(await listed(form)).toEqual([]);
    expect(await importJson(form, path)).toMatchObject({ added: 1, duplicates: 1 });
    expect((await listed(form)).map(({ data }) => data)).toEqual([{ Email: 'bob@example.com' }]);
    const imports = await json<Resource[]>(dataDir, ['import', '--list', '--form', form]);
    expect(imports.map(({ state, added }) => ({ state, added }))).toEqual([
      { state: 'finished', added: 1 },
      { state: 'undone', added: 2 },
    ]);
    const audit = await run(dataDir, ['audit', 'export', '--team', team]);
    for (const action of ['submissions.imported', 'import.undone']) expect(audit.stdout).toContain(`"${action}"`);
    expect(audit.stdout).not.toContain('bob@');
  });

  test('leaves nothing behind when its form is deleted', async () => {
    const { form, team } = await newForm();
    const { import_id: id } = await importJson(form, fileOf('gone.csv', typeformRows(0, 700)));
    await json(dataDir, ['form', 'delete', form, '--yes']);
    await json(dataDir, ['team', 'delete', team, '--yes']);
    using database = new Database(join(dataDir, 'formstead.db'), { readwrite: true, create: false });
    const left = async () => database.query('SELECT 1 FROM import_rows WHERE import_id = ?').all(id).length;
    await until(async () => (await left()) === 0, 'deleted hashes');
    expect(database.query('SELECT 1 FROM imports WHERE id = ?').all(id)).toEqual([]);
  });

  test('continues after kill -9, and stores nothing twice, while the server takes submissions', async () => {
    const { form } = await newForm();
    const path = fileOf('killed.csv', typeformRows(0, 6_000));
    const first = Bun.spawn(['bun', join(import.meta.dir, '../../src/main.ts'), 'import', path, '--form', form], {
      env: { ...Bun.env, DATA_DIR: dataDir },
      stdout: 'ignore',
      stderr: 'ignore',
    });
    const importsOf = () => json<Array<Resource & { added: number }>>(dataDir, ['import', '--list', '--form', form]);
    await until(async () => ((await importsOf())[0]?.added ?? 0) >= 200, 'stored rows');
    first.kill(9);
    await first.exited;
    expect((await post(server.url, form, 'meanwhile')).status).toBe(200);
    const before = (await importsOf())[0]?.added ?? 0;
    const rest = await importJson(form, path);
    expect([rest.added, rest.duplicates]).toEqual([6_000 - before, before]);
    const exported = await run(dataDir, ['submission', 'export', '--form', form]);
    const names = exported.stdout.match(/Person \d+/g) ?? [];
    expect([names.length, new Set(names).size]).toEqual([6_000, 6_000]);
  });

  test('is refused while another command has the keys', async () => {
    const { form } = await newForm();
    const path = fileOf('keys.csv', typeformRows(0, 2));
    const outcomes = await Promise.all(
      [1, 2].map(() => formstead(dataDir, ['import', path, '--form', form, '--json'])),
    );
    for (const { code, stderr } of outcomes) if (code !== 0) expect(stderr).toContain('another command is importing');
    expect(await listed(form)).toHaveLength(2);
  });
});

describe('import --fetch-files', () => {
  const files = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname === '/cv.txt') return new Response('Curriculum', { headers: { 'Content-Type': 'text/plain' } });
      if (pathname === '/moved') return Response.redirect('/cv.txt', 302);
      if (pathname === '/metadata') return Response.redirect('http://169.254.169.254/latest', 302);
      if (pathname === '/page') return new Response('<p>Sign in', { headers: { 'Content-Type': 'text/html' } });
      return new Response('', { status: 404 });
    },
  });
  afterAll(() => files.stop(true));
  const urlOf = (path: string) => `${files.url.origin}${path}`;
  const rows = (...paths: string[]) =>
    ['date,CV', ...paths.map((path, index) => `2023-01-0${index + 1}T00:00:00Z,${urlOf(path)}`)].join('\n');

  test('stores files, and keeps the URLs of those that it cannot fetch', async () => {
    const { form } = await newForm();
    const path = fileOf('files.csv', rows('/cv.txt', '/moved', '/metadata', '/page', '/none'));
    const { code, stdout, stderr } = await run(
      dataDir,
      ['import', path, '--form', form, '--fetch-files', 'CV', '--json'],
      { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
    );
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ added: 5, files: 2, files_failed: 3 })]);
    expect(stderr).toMatch(/Row 4, field "CV": could not fetch .*169\.254\.169\.254 .*not public/);
    expect(stderr).toMatch(/Row 5, .*a web page/);
    expect(stderr).toMatch(/Row 6, .*status 404/);
    const stored = await listed(form);
    expect(stored.map(({ data }) => data)).toEqual([
      ...['/none', '/page', '/metadata'].map((failed) => ({ CV: urlOf(failed) })),
      {},
      {},
    ]);
    const shown = await json<{ files: unknown[] }>(dataDir, ['submission', 'show', stored.at(-1)?.id ?? '']);
    expect(shown.files).toEqual([expect.objectContaining({ field: 'CV', name: 'cv.txt', size: 10 })]);
  });

  test('is guarded, and without it URLs are text', async () => {
    const { form } = await newForm();
    const path = fileOf('guarded.csv', rows('/cv.txt'));
    const { stderr } = await run(dataDir, ['import', path, '--form', form, '--fetch-files', 'CV', '--json']);
    expect(stderr).toContain('not public');
    const other = await newForm();
    await importJson(other.form, path);
    expect((await listed(other.form)).map(({ data }) => data)).toEqual([{ CV: urlOf('/cv.txt') }]);
  });
});
