import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { EXPORT_FORM_TEXTS } from '../../../src/dashboard/exports/texts.ts';
import type { Form } from '../../../src/domain/forms/form.ts';
import { newId } from '../../../src/lib/ids.ts';
import { createWorkspace } from '../../../src/services/teams/teams.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { keepMany } from './list-page.ts';
import { type SignedIn, signIn } from './signed-in.ts';

let now = Date.UTC(2026, 2, 1, 12) * 1000;
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ clock: () => now });
});
afterAll(() => instance.stop());

type Shown = Readonly<{ id: string; created_at: string; is_spam: boolean; data: Record<string, unknown> | null }>;

type Desk = Readonly<{
  owner: Owner;
  me: SignedIn;
  path: (format: string, query?: string) => string;
  csv: (query?: string) => Promise<string[][]>;
  lines: (query?: string) => Promise<Shown[]>;
}>;

/** Somebody in front of the export of their form. */
async function desk(form?: (owner: Owner) => Promise<Form>): Promise<Desk> {
  const bare = await instance.makeOwner();
  const owner = form ? { ...bare, form: await form(bare) } : bare;
  const me = await signIn(instance, owner);
  const path: Desk['path'] = (format, query = '') => `/dashboard/forms/${owner.form.id}/export${format}${query}`;
  return {
    owner,
    me,
    path,
    csv: async (query) => parse(Buffer.from(await (await me.get(path('.csv', query))).arrayBuffer()), { bom: true }),
    lines: async (query) => {
      const text = await (await me.get(path('.jsonl', query))).text();
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
  };
}

const STARTS = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
const HOSTILE = [
  ...STARTS.map((start) => `${start}1+1`),
  ...STARTS.map((start) => `${start}cmd|' /C calc'!A0,"${start}`),
  ...['"', '""', '"""', ',', ';', "'", '\\', '\\"', '`', '|'],
  ...['\n', '\r\n', 'a\nb', 'a\rb', 'a\r\nb', '\r\n"', ',\r\n,', 'a"\n"b', 'x\u2028y', '\u0000'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'id',
    'created_at',
    'is_spam',
    'is_damaged',
    'maybe_spam',
  ],
  ...['other_fields', 'id (2)', ' leading', 'trailing ', 'null', '<script>alert(1)</script>', '{{7*7}}', '$(id)'],
  ...['\ufeffBOM', '\u202egpj.exe', 'я💌', 'e\u0301', '%00%0d%0a', '1e999'],
];

/** As the export writes a text: nothing that a spreadsheet would take for a formula. */
const safe = (text: string) => (/^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text);

/** Those in which a spreadsheet that cells are parted by semicolons for finds a formula further on, and as it is written. */
const INSIDE = [
  ['x;=1+1;', "x;'=1+1;"],
  ["x; =cmd|'/C calc'!A0", "x; '=cmd|'/C calc'!A0"],
  ['x\n=1+1;y', "x\n'=1+1;y"],
  ['x\r\n @SUM(1)', "x\r\n '@SUM(1)"],
  ["x;-2+3+cmd|'/C calc'!A0", "x;'-2+3+cmd|'/C calc'!A0"],
  ['x;＝1+1', "x;'＝1+1"],
  [' =1+1', " '=1+1"],
  ['\u00a0\u2003@SUM(1)', "\u00a0\u2003'@SUM(1)"],
  ['\u200b=1+1', "\u200b'=1+1"],
  ['\u2060\u3164\u0001＝1+1', "\u2060\u3164\u0001'＝1+1"],
  ['\ufeff\u00ad -2+3+cmd|x', "\ufeff\u00ad '-2+3+cmd|x"],
  ['x;\u200b=1+1', "x;\u200b'=1+1"],
  ['\t=1+1', "'\t'=1+1"],
  ...['a;b', 'fine ;-)', '- one\n- two\n-- \nAda', 'a;-1;+2', '1 = 1', 'a; b = c', ' -5', '\u200b+49 30 1'].map(
    (text) => [text, safe(text)],
  ),
] as const;

test('HEAD of an export does not run it to measure its length', async () => {
  const { me, path } = await desk();
  for (const format of ['.csv', '.jsonl', '.xlsx', '.zip']) {
    const url = instance.url + path(format);
    const answer = await fetch(url, { method: 'HEAD', headers: { Cookie: me.cookie } });
    expect([format, answer.status, answer.headers.get('content-length')]).toEqual([format, 200, null]);
  }
});

describe('CSV', () => {
  test('hostile texts round-trip as names and values, each in its own column', async () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(60);
    const { owner, csv, lines } = await desk();
    const shifted = (by: number) => HOSTILE.map((name, n) => [name, HOSTILE[(n + by) % HOSTILE.length] ?? '']);
    for (const by of [0, 7]) {
      const answer = await instance.post(owner.form.id, Object.fromEntries(shifted(by)));
      expect(answer.status).toBe(200);
    }
    const [titles = [], ...rows] = await csv('?state=all');
    const shown = await lines('?state=all');
    expect(rows).toHaveLength(2);
    expect(new Set(titles).size).toBe(titles.length);
    const own = ['id', 'created_at', 'is_spam', 'is_damaged', 'maybe_spam', 'other_fields'];
    const names = Object.keys(shown[0]?.data ?? {});
    const taken = names.map((name) =>
      own.includes(name) ? `${name} (2)` : name === 'id (2)' ? expect.any(String) : safe(name),
    );
    expect(titles).toEqual([...own.slice(0, 5), ...taken]);
    rows.forEach((row, at) => {
      const { id, created_at, is_spam, data } = shown[at] ?? { data: {} };
      const values = Object.values(data ?? {}).map((value) => safe(String(value)));
      expect(row).toEqual([String(id), String(created_at), String(is_spam), 'false', 'false', ...values]);
    });
    expect(HOSTILE.every((name) => names.includes(name))).toBe(true);
  });

  test('no text contains a formula, also where the separator is a semicolon', async () => {
    const { owner, csv } = await desk();
    await instance.post(owner.form.id, Object.fromEntries(INSIDE.map(([text], n) => [`f${n}`, text])));
    const [, row = []] = await csv('?state=all');
    expect(row.slice(5)).toEqual(INSIDE.map(([, written]) => written));
  });

  test('is UTF-8 with a byte order mark and CRLF, named after the form and the day', async () => {
    const { owner, me, path } = await desk((own) => instance.makeForm(own, { name: 'Anfragen „A/B“' }));
    await instance.post(owner.form.id, { message: 'Grüße' });
    const answer = await me.get(path('.csv'));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const disposition = answer.headers.get('content-disposition') ?? '';
    expect(disposition).toStartWith('attachment;');
    expect(decodeURIComponent(disposition)).toContain('Anfragen „A-B“ 2026-03-01.csv');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(bytes.toString()).toMatch(
      /^\ufeffid,created_at,is_spam,is_damaged,maybe_spam,message\r\nsub_[^\r\n]*,Grüße\r\n$/,
    );
  });

  test('lists are joined, nested values are JSON, files are listed by name', async () => {
    const { owner, csv } = await desk();
    await instance.post(owner.form.id, {
      list: ['a', 'b', 3],
      nested: { a: [1] },
      deep: [{ a: 1 }],
      no: null,
      yes: true,
    });
    const body = new FormData();
    body.append('list', 'c');
    body.append('cv', new File(['1'], 'one.txt'));
    body.append('cv', new File(['2'], '=two.txt'));
    body.append('list', new File(['3'], 'three.txt'));
    await instance.post(owner.form.id, body);
    const rows = (await csv()).map((row) => row.slice(5));
    expect(rows).toEqual([
      ['list', 'nested', 'deep', 'no', 'yes', 'cv'],
      ['a; b; 3', '{"a":[1]}', '[{"a":1}]', '', 'true', ''],
      ['c; three.txt', '', '', '', '', "one.txt; '=two.txt"],
    ]);
  });

  test('the form’s fields come first, in order, even if empty', async () => {
    const field = (name: string) => ({ name, label: name, type: 'text', required: false }) as const;
    const { owner, csv } = await desk((own) =>
      instance.makeForm(own, { fields: [field('b'), field('a'), field('z')] }),
    );
    await instance.post(owner.form.id, { a: '1', c: '2', b: '3' });
    expect((await csv())[0]?.slice(5)).toEqual(['b', 'a', 'z', 'c']);
  });

  test('beyond 1,000 fields, the others share a column', async () => {
    const { owner, csv } = await desk();
    const fields = (from: number) =>
      Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`f${from + n}`, from + n]));
    await keepMany(instance.context, owner.form.id, 2, (n) => fields(600 * n));
    const [titles = [], first = [], second = []] = await csv();
    expect([titles.length, titles.at(-2), titles.at(-1)]).toEqual([5 + 1000 + 1, 'f999', 'other_fields']);
    expect([first.length, first.at(-1)]).toEqual([titles.length, '']);
    expect(second.at(-2)).toBe('999');
    expect(JSON.parse(second.at(-1) ?? '')).toEqual(Object.fromEntries(Object.entries(fields(600)).slice(400)));
  });

  test('titles stay unique after the apostrophe before a formula is added', async () => {
    const { owner, csv } = await desk();
    await keepMany(instance.context, owner.form.id, 1, () => ({ '=a': '1', "'=a": '2' }));
    const [titles = [], row = []] = await csv();
    expect(titles.slice(5)).toEqual(["'=a", "'=a (2)"]);
    expect(row.slice(5)).toEqual(['1', '2']);
  });

  test('a form without submissions has a header and no rows', async () => {
    const { csv, lines } = await desk();
    expect(await csv()).toEqual([['id', 'created_at', 'is_spam', 'is_damaged', 'maybe_spam']]);
    expect(await lines()).toEqual([]);
  });
});

test('JSON Lines match the API, oldest first', async () => {
  const { owner, lines } = await desk();
  for (const message of ['one', 'two', 'three'])
    await instance.post(owner.form.id, { message, list: [1, { a: null }] });
  const shown = await lines();
  expect(shown).toEqual((await instance.stored(owner)).reverse() as unknown as Shown[]);
  expect(shown.map(({ data }) => data?.message)).toEqual(['one', 'two', 'three']);
});

test('card numbers are masked in every format', async () => {
  const { owner, me, path } = await desk();
  await instance.post(owner.form.id, { card: '4242 4242 4242 4242', deep: { list: ['4242424242424242'] } });
  for (const format of ['.csv', '.jsonl']) {
    const text = await (await me.get(path(format))).text();
    expect(text).toContain('************4242');
    expect(text).not.toMatch(/4242 ?4242/);
  }
});

test('spam is excluded, exported alone, or included', async () => {
  const { owner, csv, lines } = await desk();
  await keepMany(instance.context, owner.form.id, 3, (n) => ({ [`field${n}`]: n }));
  const spam = (await lines())[1]?.id ?? '';
  await instance.context.store.submissions.mark(spam, true, null, []);
  const of = async (query: string) => ({
    numbers: (await lines(query)).map(({ data }) => Object.values(data ?? {})[0]),
    titles: (await csv(query))[0]?.slice(5),
    flags: (await csv(query)).slice(1).map((row) => row[2]),
  });
  const genuine = { numbers: [0, 2], titles: ['field0', 'field2'], flags: ['false', 'false'] };
  expect(await of('')).toEqual(genuine);
  expect(await of('?state=nonsense')).toEqual(genuine);
  expect(await of('?state=spam')).toEqual({ numbers: [1], titles: ['field1'], flags: ['true'] });
  expect(await of('?state=all')).toMatchObject({ numbers: [0, 1, 2], flags: ['false', 'true', 'false'] });
});

test('days are in the viewer’s time zone, and the last one is included', async () => {
  const { owner, path } = await desk();
  const tokyo = await signIn(instance, owner, { timeZone: 'Asia/Tokyo' });
  const before = now;
  for (const at of ['2026-03-05T14:59Z', '2026-03-05T15:00Z', '2026-03-06T14:59Z', '2026-03-06T15:00Z']) {
    now = Date.parse(at) * 1000;
    await instance.post(owner.form.id, { at });
  }
  const days = async (query: string) => {
    const text = await (await tokyo.get(path('.jsonl', query))).text();
    return Array.from(text.matchAll(/"at":"([^"]+)"/g), ([, at]) => at);
  };
  expect(await days('?from=2026-03-06&to=2026-03-06')).toEqual(['2026-03-05T15:00Z', '2026-03-06T14:59Z']);
  expect(await days('?from=2026-03-07')).toEqual(['2026-03-06T15:00Z']);
  expect(await days('?to=2026-03-05&from=')).toEqual(['2026-03-05T14:59Z']);
  now = before;
});

test.each([
  ['?from=2026-02-30', EXPORT_FORM_TEXTS.en.noDate],
  ['?to=yesterday', EXPORT_FORM_TEXTS.en.noDate],
  ['?from=2026-03-02&to=2026-03-01', EXPORT_FORM_TEXTS.en.reversed],
])('for %s the page shows an error and keeps the input', async (query, error) => {
  const { me, path } = await desk();
  for (const format of ['.csv', '.xlsx', '.jsonl', '.zip']) {
    const answer = await me.get(path(format, `${query}&state=all`));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    const markup = await answer.text();
    expect(markup).toContain(error);
    expect(markup).toContain('value="all" selected');
    for (const [, typed] of query.matchAll(/=([^&]+)/g)) expect(markup).toContain(`value="${typed}"`);
  }
});

test('a damaged submission is a row marked as damaged', async () => {
  const { owner, csv, lines } = await desk();
  const [, damaged = ''] = await keepMany(instance.context, owner.form.id, 3, (n) => ({ message: `number ${n}` }));
  const update = 'UPDATE submissions SET payload = ? WHERE id = ?';
  queryDatabase(instance.dataDir, update, [new Uint8Array(100), damaged]);
  const rows = await csv();
  expect(rows.map((row) => row.slice(3))).toEqual([
    ['is_damaged', 'maybe_spam', 'message'],
    ['false', 'false', 'number 0'],
    ['true', 'false', ''],
    ['false', 'false', 'number 2'],
  ]);
  expect(rows[2]?.[0]).toBe(damaged);
  expect((await lines()).map(({ data }) => data)).toEqual([{ message: 'number 0' }, null, { message: 'number 2' }]);
  expect(instance.logs.some((line) => line.includes(damaged) && line.includes('could not read'))).toBe(true);
});

describe('a ZIP of files', () => {
  const unzip = async ({ me, path }: Desk, query = '') => {
    const answer = await me.get(path('.zip', query));
    expect(answer.headers.get('content-type')).toBe('application/zip');
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    return new Map(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes)]));
  };
  const postFiles = async ({ owner }: Desk, files: ReadonlyArray<readonly [name: string, content: string]>) => {
    const body = new FormData();
    for (const [name, content] of files) body.append('files', new File([content], name));
    expect((await instance.post(owner.form.id, body)).status).toBe(200);
  };

  test('has each file in the folder of its submission, under a safe and unique name', async () => {
    const at = await desk();
    await instance.post(at.owner.form.id, { message: 'without files' });
    const large = crypto.getRandomValues(new Uint8Array(65_536)).toBase64().repeat(4);
    await postFiles(at, [
      ['cv.pdf', 'one'],
      ['CV.pdf', 'two'],
      ['../../../etc/passwd', 'three'],
      ['a:b?"<>|*.txt', 'four'],
      ['con.txt', 'five'],
      ['\u202efdp.exe', 'six'],
      ['..', 'seven'],
      ['ends. ', 'eight'],
      [`${'long'.repeat(60)}.docx`, large],
    ]);
    await postFiles(at, [['cv.pdf', '']]);
    const [, second, third] = await at.lines();
    const folder = ({ id = '', created_at = '' }: Partial<Shown> = {}) =>
      `${created_at.slice(0, 10)}_${created_at.slice(11, 19).replaceAll(':', '-')}_${id}`;
    const files = await unzip(at);
    const names = [...files.keys()];
    expect(names.slice(0, 6)).toEqual(
      ['cv.pdf', 'CV (2).pdf', 'passwd', 'a_b______.txt', '_con.txt', 'fdp.exe'].map(
        (name) => `${folder(second)}/${name}`,
      ),
    );
    expect(names[6]).toStartWith(`${folder(second)}/file_`);
    expect(names[7]).toBe(`${folder(second)}/ends_`);
    expect(names[8]).toMatch(/\/(?:long)+[a-z]*…\.docx$/);
    expect(names[9]).toBe(`${folder(third)}/cv.pdf`);
    expect([...files.values()].map(String)).toEqual([
      'one',
      'two',
      'three',
      'four',
      'five',
      'six',
      'seven',
      'eight',
      large,
      '',
    ]);
  });

  test('lists damaged and missing files, and contains the others', async () => {
    const at = await desk();
    const big = 'x'.repeat(200_000);
    for (const content of ['whole', 'missing', big, 'too'])
      await postFiles(at, [[`${content.slice(0, 9)}.txt`, content]]);
    const blobs = queryDatabase<{ blob: string }>(
      instance.dataDir,
      'SELECT blob FROM files JOIN submissions s ON s.id = submission_id WHERE form_key = (SELECT key FROM forms WHERE id = ?) ORDER BY s.created_at',
      [at.owner.form.id],
    );
    const blob = (n: number) => join(instance.dataDir, 'files', blobs[n]?.blob ?? '');
    rmSync(blob(1));
    const bytes = Buffer.from(await Bun.file(blob(2)).arrayBuffer());
    bytes[150_000] = (bytes[150_000] ?? 0) ^ 1;
    writeFileSync(blob(2), bytes);
    const files = await unzip(at);
    const names = [...files.keys()].map((name) => name.replace(/.*\//, ''));
    expect(names).toEqual(['whole.txt', 'too.txt', 'unreadable-files.txt']);
    const told = String(files.get('unreadable-files.txt')).split('\r\n');
    expect(told[0]).toBe(EXPORT_FORM_TEXTS.en.archive.unreadable);
    expect(told.slice(2, -1).map((name) => name.replace(/.*\//, ''))).toEqual(['missing.txt', 'xxxxxxxxx.txt']);
  });

  test('contains a note if there are no files', async () => {
    const at = await desk();
    await instance.post(at.owner.form.id, { message: 'without files' });
    expect([...(await unzip(at))].map(([name, text]) => [name, String(text)])).toEqual([
      ['no-files.txt', `${EXPORT_FORM_TEXTS.en.archive.noFiles}\r\n`],
    ]);
  });

  test('leaves no file open when the download is canceled', async () => {
    const at = await desk();
    for (let n = 0; n < 4; n++)
      await postFiles(at, [['big.bin', crypto.getRandomValues(new Uint8Array(60_000)).toBase64().repeat(100)]]);
    const aborter = new AbortController();
    const answer = await fetch(instance.url + at.path('.zip', '?run=left'), {
      headers: { Cookie: at.me.cookie },
      signal: aborter.signal,
    });
    await answer.body?.getReader().read();
    await until(() => openBlobs() > 0, 'a file to be read');
    aborter.abort();
    await until(() => openBlobs() === 0, 'all files to be closed');
    expect(await progressOf(at, 'left')).toMatchObject({ isOver: true });
  });
});

/** How many of the files that visitors sent this process has open. */
function openBlobs(): number {
  const open = readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(join(instance.dataDir, 'files/'));
    } catch {
      // Closed since it was listed.
      return false;
    }
  });
  return open.length;
}

async function progressOf({ me, path }: Desk, run: string) {
  const answer = await me.get(path('/progress', `?run=${run}`));
  expect(answer.status).toBe(200);
  return (await answer.json()) as { text: string; share: number; isOver: boolean };
}

/** Signs in a member who sees only the workspace of the form. */
async function limited(owner: Owner, role: 'editor' | 'viewer'): Promise<SignedIn> {
  const member = await signIn(instance, owner, {}, role);
  const { members } = instance.context.store;
  await members.changeRole(owner.teamId, member.user.id, role, undefined, [owner.workspaceId]);
  return member;
}

/** Moves the form to a workspace that limited members don't see. */
async function hide({ teamId, form }: Owner): Promise<void> {
  const { context } = instance;
  const { id } = await createWorkspace({ ...context, plans: context.config.plans }, teamId, 'Hidden');
  await context.store.forms.update(form.id, { workspaceId: id }, teamId);
}

/** More than fits between the server and a reader that stands still. */
const MANY = 4_000;

describe('a running export', () => {
  let at: Desk;
  const ids: string[] = [];
  beforeAll(async () => {
    at = await desk();
    const fields = (n: number) => ({ n, text: 'x'.repeat(5_000) });
    ids.push(...(await keepMany(instance.context, at.owner.form.id, MANY, fields)));
  });

  test('reports its progress, only to the user who started it', async () => {
    const answer = await at.me.get(at.path('.jsonl', '?run=mine'));
    const reader = answer.body?.getReader();
    await reader?.read();
    const early = await progressOf(at, 'mine');
    expect(early).toMatchObject({ isOver: false, text: expect.stringMatching(/^Writing: [\d,]+ of at most 4,000/) });
    expect(early.share).toBeLessThan(0.9);
    const colleague = await signIn(instance, at.owner);
    expect((await colleague.get(at.path('/progress', '?run=mine'))).status).toBe(404);
    expect((await at.me.get(at.path('/progress', '?run=other'))).status).toBe(404);
    while (!(await reader?.read())?.done);
    expect(await progressOf(at, 'mine')).toEqual({
      text: 'Done: the file contains 4,000 submissions.',
      share: 1,
      isOver: true,
    });
  });

  test('contains the submissions that existed at its start', async () => {
    const { store } = instance.context;
    const [spam = ''] = await keepMany(instance.context, at.owner.form.id, 1, () => ({ 'known to nobody yet': 1 }));
    await store.submissions.mark(spam, true, null, []);
    const answer = await at.me.get(at.path('.csv', '?run=early'));
    const reader = answer.body?.getReader();
    const pieces = [(await reader?.read())?.value ?? new Uint8Array()];
    await until(async () => (await progressOf(at, 'early')).text.startsWith('Writing'), 'the rows to be written');
    await instance.post(at.owner.form.id, { late: 'by a second' });
    await store.submissions.mark(spam, false, null, []);
    for (let next = await reader?.read(); !next?.done; next = await reader?.read())
      pieces.push(next?.value ?? new Uint8Array());
    // No value has a comma or a line break in it.
    const [titles, ...rows] = Buffer.concat(pieces).toString().trimEnd().split('\r\n');
    expect(titles).toBe('\ufeffid,created_at,is_spam,is_damaged,maybe_spam,n,text');
    expect(rows.map((row) => row.split(',', 1)[0])).toEqual(ids);
  });

  test.each(['.jsonl', '.xlsx'])('fails the download of %s on an error, and logs it', async (format) => {
    const answer = await at.me.get(at.path(format, '?run=broken'));
    const reader = answer.body?.getReader();
    await reader?.read();
    queryDatabase(instance.dataDir, 'ALTER TABLE submissions RENAME TO elsewhere');
    const rest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(rest()).rejects.toThrow();
    queryDatabase(instance.dataDir, 'ALTER TABLE elsewhere RENAME TO submissions');
    expect(await progressOf(at, 'broken')).toMatchObject({ isOver: true, text: expect.stringMatching(/failed after/) });
    expect(instance.logs.at(-1)).toContain('export failed');
  });

  test('ends when the download is canceled', async () => {
    const aborter = new AbortController();
    const headers = { Cookie: at.me.cookie };
    const answer = await fetch(instance.url + at.path('.csv', '?run=given-up'), { headers, signal: aborter.signal });
    await answer.body?.getReader().read();
    aborter.abort();
    await until(async () => (await progressOf(at, 'given-up')).isOver, 'the export to end');
  });

  test.each([
    ['the member is removed', (one: SignedIn) => instance.context.store.members.remove(at.owner.teamId, one.user.id)],
    ['all their sessions end', (one: SignedIn) => instance.context.store.sessions.endAll(one.user.id)],
    ['the form leaves the workspaces that the member sees', () => hide(at.owner)],
  ])('breaks off when %s, and not when the session gets a new secret', async (_, end) => {
    const { teamId, workspaceId } = at.owner;
    const viewer = await limited(at.owner, 'viewer');
    const [session] = await instance.context.store.sessions.list(viewer.user.id, 1);
    const answer = await viewer.get(at.path('.jsonl', '?run=removed'));
    const reader = answer.body?.getReader();
    await reader?.read();
    await instance.context.store.sessions.renew(viewer.user.id, session?.id ?? '', newId('secret'));
    await reader?.read();
    await end(viewer);
    let bytes = 0;
    const rest = async () => {
      for (let next = await reader?.read(); !next?.done; next = await reader?.read()) bytes += next?.value?.length ?? 0;
    };
    await expect(rest()).rejects.toThrow();
    // Buffers of both sides; the whole file has 20 MB.
    expect(bytes).toBeLessThan(12_000_000);
    expect(instance.logs.some((line) => line.includes('download aborted: access was checked'))).toBe(true);
    await instance.context.store.forms.update(at.owner.form.id, { workspaceId }, teamId);
  });

  test('of chosen submissions breaks off when their form leaves the workspaces that the member sees', async () => {
    const { owner } = await desk();
    // Compressed, it is still more than the buffers of both sides.
    const fields = () => ({ text: randomBytes(4_500).toString('base64') });
    const chosen = await keepMany(instance.context, owner.form.id, MANY, fields);
    const editor = await limited(owner, 'editor');
    const answer = await editor.post('/dashboard/submissions', { do: 'export', submission: chosen });
    expect(answer.status).toBe(200);
    const reader = answer.body?.getReader();
    await reader?.read();
    await hide(owner);
    const rest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(rest()).rejects.toThrow();
  });

  test('takes one of the slots that its team has for people and API keys together', async () => {
    const people = [at.me, await signIn(instance, at.owner)];
    const held = await Promise.all(
      people.flatMap((one) => Array.from({ length: 4 }, () => one.get(at.path('.jsonl')))),
    );
    expect(held.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const { secret } = await instance.makeKey(at.owner);
    const byKey = () => instance.api('GET', `/v1/forms/${at.owner.form.id}/export?format=jsonl`, { key: secret });
    expect((await byKey()).status).toBe(429);
    const other = await desk();
    expect((await other.me.get(other.path('.jsonl'))).status).toBe(200);
    for (const { body } of held) await body?.cancel();
  });

  test('finishes beside other exports', async () => {
    const small = await desk();
    await keepMany(instance.context, small.owner.form.id, 500, (n) => ({ n }));
    const all = await Promise.all(Array.from({ length: 4 }, (_, n) => (n % 2 ? small.lines() : small.csv())));
    expect(all.map(({ length }) => length)).toEqual(all.map((_, n) => (n % 2 ? 500 : 501)));
  });
});

test('the export of another team’s form is not found', async () => {
  const { path } = await desk();
  const stranger = await signIn(instance, await instance.makeOwner());
  for (const format of ['', '.csv', '.xlsx', '.jsonl', '.zip', '/progress']) {
    expect((await stranger.get(path(format))).status).toBe(404);
  }
});

test('the page exists in both languages', async () => {
  const { me, path } = await desk();
  expect(await me.page(path(''))).toContain('Download CSV');
  expect(await me.page(path(''), { 'Accept-Language': 'de' })).toContain('CSV herunterladen');
});
