import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { MAYBE_SPAM, MAYBE_SPAM_DATA } from '../fast/spam/maybe-spam.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { createTeamWithForm, expectRefused, instances, json, run, type TeamWithForm, typing } from './command-line.ts';

const fresh = instances();

type Listed = Readonly<{
  id: string;
  created_at: string;
  is_spam: boolean;
  reasons: string[];
  data: Record<string, unknown>;
}>;

/** A submission that is flagged as spam on arrival. */
const SPAM = {
  name: 'qzxwvkjtrp',
  email: 'promo@example.com',
  message:
    'CHEAP SEO BACKLINKS casino viagra <a href="http://spam.example/x">click here</a> ' +
    '[url=http://spam.example/y]buy now[/url] http://a.example http://b.example http://c.example',
};

let server: ServerProcess;
const dataDir = fresh();
beforeAll(async () => {
  server = await spawnServer(dataDir);
});
afterAll(async () => {
  expect(await server.end()).toBe(0);
});

const list = (form: string, ...options: string[]) =>
  json<Listed[]>(dataDir, ['submission', 'list', '--form', form, ...options]);
const mark = (id: string, ...options: string[]) => json<Listed>(dataDir, ['submission', 'mark', id, ...options]);

/** Creates a form and posts these submissions to it, one after the other. */
async function formWith(...submissions: ReadonlyArray<Record<string, unknown>>): Promise<TeamWithForm> {
  const house = await createTeamWithForm(dataDir);
  await json(dataDir, ['form', 'update', house.form.id, '--blocked-words', 'casino,viagra']);
  for (const fields of submissions) {
    const answer = await fetch(`${server.url}/v1/forms/${house.form.id}/submissions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    });
    expect(answer.status).toBe(200);
  }
  return house;
}

describe('submission list', () => {
  test('prints the newest first, with all fields', async () => {
    const { form } = await formWith({ n: 'first' }, { n: 'second', tags: ['a', 'b'] });
    const submission = (data: unknown) => ({
      id: expect.stringMatching(/^sub_\w+$/) as unknown,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
      is_spam: false,
      reasons: [],
      data,
    });
    expect(await list(form.id)).toEqual([
      submission({ n: 'second', tags: ['a', 'b'] }),
      submission({ n: 'first' }),
    ] as Listed[]);
  });

  test('prints at most --limit submissions, by default 50', async () => {
    const { form } = await formWith(...Array.from({ length: 52 }, (_, n) => ({ n: `${n}` })));
    const shown = async (...options: string[]) => (await list(form.id, ...options)).map(({ data }) => data.n);
    expect(await shown('--limit', '2')).toEqual(['51', '50']);
    expect((await shown()).length).toBe(50);
    expect((await shown('--limit', '1000')).length).toBe(52);
  });

  test('prints only flagged submissions with --spam, with the reasons', async () => {
    const { form } = await formWith({ message: 'Please call me back on Monday.' }, SPAM);
    const flagged = await list(form.id, '--spam');
    expect(flagged).toMatchObject([{ is_spam: true, data: SPAM }]);
    expect(flagged[0]?.reasons).not.toEqual([]);
    expect((await list(form.id)).map(({ is_spam }) => is_spam)).toEqual([true, false]);
  });

  test('prints and exports only possible spam with --maybe-spam and --state maybe', async () => {
    const { form } = await formWith({ message: 'Please call me back on Monday.' }, SPAM, MAYBE_SPAM);
    expect(await list(form.id, '--maybe-spam')).toMatchObject([{ is_spam: false, maybe_spam: true }]);
    const { stdout } = await run(dataDir, [
      ...['submission', 'export', '--form', form.id, '--state', 'maybe', '--format', 'jsonl'],
    ]);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).data),
    ).toEqual([MAYBE_SPAM_DATA]);
    const refused = await run(dataDir, ['submission', 'list', '--form', form.id, '--spam', '--maybe-spam']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('cannot be used with')]);
  });

  test('prints a table with one line per submission without --json', async () => {
    const long = 'A longer line that says what the visitor wants, and then goes on about it for quite a while yet';
    const { form } = await formWith({ name: 'Ada', message: long }, { name: 'Bob', message: 'line 1\nline 2' });
    const { stdout } = await run(dataDir, ['submission', 'list', '--form', form.id]);
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head?.split(/ {2,}/)).toEqual(['id', 'created_at', 'is_spam', 'reasons', 'excerpt']);
    expect(lines.map((line) => line.split(/ {2,}/).at(-1))).toEqual(['line 1 line 2', `${long.slice(0, 59)}…`]);
  });

  test('prints a line if there are none', async () => {
    const { form } = await createTeamWithForm(dataDir);
    expect((await run(dataDir, ['submission', 'list', '--form', form.id])).stdout).toBe('No results.\n');
    expect(await list(form.id)).toEqual([]);
  });

  test('masks card numbers', async () => {
    const { form } = await formWith({ note: 'My card is 4242 4242 4242 4242.' });
    const table = await run(dataDir, ['submission', 'list', '--form', form.id]);
    const [shown] = await list(form.id);
    for (const text of [table.stdout, JSON.stringify(shown)]) {
      expect(text).toContain('4242');
      expect(text.replaceAll(/\D/g, '')).not.toContain('4242424242424242');
    }
  });

  test('removes control characters of terminals', async () => {
    const nasty = 'before\u001b[2J\u001b]0;title\u0007\u009b31m\u202ecod.exe\u0000\u007f\r\b after';
    const { form } = await formWith({ [nasty]: 'x', message: nasty }, { [nasty]: nasty.repeat(10) });
    const table = await run(dataDir, ['submission', 'list', '--form', form.id]);
    expect(table.stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(table.stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(table.stdout).toContain('before');
    const raw = await run(dataDir, ['submission', 'list', '--form', form.id, '--json']);
    expect(raw.stdout.trimEnd()).not.toMatch(/\p{Cc}/u);
    expect((JSON.parse(raw.stdout) as Listed[])[1]?.data.message).toBe(nasty);
  });

  test('never cuts a surrogate pair', async () => {
    const { form } = await formWith({ message: `${'x'.repeat(58)}😀😀😀` });
    const { stdout } = await run(dataDir, ['submission', 'list', '--form', form.id]);
    expect(stdout.isWellFormed()).toBe(true);
  });
});

describe('submission mark', () => {
  test('marks as spam and as genuine while the server runs', async () => {
    const { form } = await formWith({ n: 'other' }, { n: 'one' });
    const [one] = await list(form.id);
    const id = one?.id ?? '';
    expect(await mark(id, '--spam')).toMatchObject({ id, is_spam: true, data: { n: 'one' } });
    expect((await list(form.id, '--spam')).map((submission) => submission.id)).toEqual([id]);
    expect(await mark(id, '--genuine')).toMatchObject({ id, is_spam: false });
    expect(await list(form.id, '--spam')).toEqual([]);
    expect(await list(form.id)).toHaveLength(2);
  });

  test('releases a false positive', async () => {
    const { form } = await formWith(SPAM);
    const [flagged] = await list(form.id, '--spam');
    expect(await mark(flagged?.id ?? '', '--genuine')).toMatchObject({ is_spam: false, data: SPAM });
    expect(await list(form.id, '--spam')).toEqual([]);
  });

  test('prints the marked submission without --json', async () => {
    const { form } = await formWith({ n: 'Hello\u001b[31m' });
    const [one] = await list(form.id);
    const { code, stdout } = await run(dataDir, ['submission', 'mark', one?.id ?? '', '--spam']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^id +sub_\w+$/m);
    expect(stdout).toMatch(/^is_spam +true$/m);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  test.each([[[]], [['--spam', '--genuine']]])('refuses the options %j as wrong usage', async (options) => {
    const { form } = await formWith({ n: 'one' });
    const [one] = await list(form.id);
    const { code, stdout, stderr } = await run(dataDir, ['submission', 'mark', one?.id ?? '', ...options]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/--spam.*--genuine/);
    expect(await list(form.id, '--spam')).toEqual([]);
  });
});

test.each(['0', '-1', '1001', '1.5', 'ten', '', ' 5'])('refuses --limit %j as wrong usage', async (limit) => {
  const { form } = await createTeamWithForm(dataDir);
  const { code, stdout, stderr } = await run(dataDir, ['submission', 'list', '--form', form.id, '--limit', limit]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('1 to 1000');
});

test('refuses unknown forms and submissions', async () => {
  const { team } = await createTeamWithForm(dataDir);
  await expectRefused(dataDir, [
    [['submission', 'list', '--form', 'frm_1'], /no form "frm_1"; see "form list/],
    [['submission', 'list', '--form', team], /no form/],
    [['submission', 'mark', 'sub_1', '--spam'], /no submission "sub_1"\. See "submission list/],
    [['submission', 'mark', 'sub_1', '--genuine'], /no submission/],
  ]);
});

describe('submission show', () => {
  test('shows all fields masked, with files and form, also in the trash', async () => {
    const { form } = await formWith();
    const body = new FormData();
    body.append('name', 'Ada\nLovelace');
    body.append('card', '4242424242424242');
    body.append('cv', new File(['hello'], 'cv.txt', { type: 'text/plain' }));
    const answer = await fetch(`${server.url}/v1/forms/${form.id}/submissions`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    const [{ id } = { id: '' }] = await list(form.id);
    const shown = await json(dataDir, ['submission', 'show', id]);
    expect(shown).toEqual({
      id,
      form_id: form.id,
      created_at: expect.stringMatching(/Z$/),
      is_spam: false,
      reasons: [],
      trashed_at: null,
      files: [
        {
          id: expect.stringMatching(/^file_/),
          field: 'cv',
          name: 'cv.txt',
          content_type: 'text/plain',
          size: 5,
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
      data: expect.objectContaining({ name: 'Ada\r\nLovelace', card: '************4242' }),
    });
    const { stdout } = await run(dataDir, ['submission', 'show', id]);
    expect(stdout).toMatch(/^data\.card +\*{12}4242$/m);
    expect(stdout).toMatch(/^data\.name +Ada.{0,2}Lovelace$/m);
    expect(stdout).not.toContain('4242424242424242');
  });
});

describe('submission delete', () => {
  test('asks first, and deletes a submission with its files for good', async () => {
    const { team, form } = await formWith({ n: 'first' }, { n: 'second' });
    const [second, first] = await list(form.id);
    const id = first?.id ?? '';
    const remove = ['submission', 'delete', id];
    expect(await run(dataDir, remove)).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') });
    expect(await run(dataDir, remove, {}, typing('n'))).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('Nothing was changed.'),
    });
    expect(await list(form.id)).toHaveLength(2);
    expect(await json<unknown>(dataDir, [...remove, '--yes'])).toEqual({ id, deleted: true });
    expect(await list(form.id)).toEqual(second ? [second] : []);
    await expectRefused(dataDir, [
      [[...remove, '--yes'], /no submission.*See "submission list/],
      [['submission', 'show', id], /no submission/],
    ]);
    const { stdout } = await run(dataDir, ['audit', 'export', '--team', team]);
    expect(stdout.split('\n').filter((line) => line.includes('submission.deleted'))).toEqual([
      expect.stringContaining(`"submission_id":"${id}","form_id":"${form.id}"`),
    ]);
  });
});
