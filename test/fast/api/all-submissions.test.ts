import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { dataOf, keep, refused, rows } from './support.ts';

type Item = {
  id: string;
  form_id: string;
  created_at: string;
  is_spam: boolean;
  is_read: boolean;
  data: Record<string, unknown> | null;
};
type Page = { items: Item[]; next_cursor: string | null };

let instance: Instance;
let second: Form;
/** Oldest first: of the first form, the second, spam of the first, and of the second. */
let ids: string[];

beforeAll(async () => {
  instance = await startInstance();
  const { owner, makeForm } = instance;
  second = await makeForm(owner, { name: 'Second' });
  ids = [
    await keep(instance, owner, { note: 'Grüße aus Köln' }),
    await keep(instance, owner, { note: 'card 4242 4242 4242 4242' }, { formId: second.id }),
    await keep(instance, owner, { note: 'casino' }, { isSpam: true }),
    await keep(instance, owner, { note: 'hello there' }, { formId: second.id }),
  ];
});
afterAll(() => instance.stop());

const list = (query = '', key = instance.owner.readKey) =>
  dataOf<Page>(instance.api('GET', `/v1/submissions${query}`, { key }));
const idsOf = async (query: string) => (await list(query)).items.map(({ id }) => id);
const newestFirst = (...indexes: number[]) => indexes.map((index) => ids[index] ?? '');

describe('GET /v1/submissions', () => {
  test('lists all forms, spam included, newest first, with the form of each', async () => {
    const { items, next_cursor } = await list();
    expect(items.map(({ id }) => id)).toEqual(newestFirst(3, 2, 1, 0));
    const { form } = instance.owner;
    expect(items.map(({ form_id }) => form_id)).toEqual([second.id, form.id, second.id, form.id]);
    expect(items.map(({ is_spam }) => is_spam)).toEqual([false, true, false, false]);
    expect(items[2]?.data).toEqual({ note: 'card ************4242' });
    expect(next_cursor).toBeNull();
  });

  test('filters by form, spam and time', async () => {
    expect(await idsOf(`?form=${second.id}`)).toEqual(newestFirst(3, 1));
    expect(await idsOf(`?form=${second.shortId}`)).toEqual(newestFirst(3, 1));
    expect(await idsOf('?spam=false')).toEqual(newestFirst(3, 1, 0));
    expect(await idsOf('?spam=true')).toEqual(newestFirst(2));
    const times = (await list()).items.map(({ created_at }) => encodeURIComponent(created_at));
    expect(await idsOf(`?since=${times[1]}`)).toEqual(newestFirst(3, 2));
    expect(await idsOf(`?before=${times[1]}`)).toEqual(newestFirst(1, 0));
    expect(await idsOf(`?since=${times[2]}&before=${times[0]}`)).toEqual(newestFirst(2, 1));
  });

  test('pages with a cursor, which is null on the last page', async () => {
    const first = await list('?limit=3');
    expect(first.items.map(({ id }) => id)).toEqual(newestFirst(3, 2, 1));
    const last = await list(`?limit=3&before=${encodeURIComponent(first.next_cursor ?? '')}`);
    expect([last.items.map(({ id }) => id), last.next_cursor]).toEqual([newestFirst(0), null]);
    expect((await list('?limit=4')).next_cursor).toBeNull();
  });

  test.each([
    ['KÖLN grüße', [0]],
    ['casino', [2]],
    ['hello+there', [3]],
    ['************4242', [1]],
    ['4242424242424242', []],
    ['hello casino', []],
    [' ', [3, 2, 1, 0]],
  ])('with q=%s finds all words in what is shown, masked', async (q, found) => {
    const query = q.includes('+') ? q : encodeURIComponent(q);
    expect(await idsOf(`?q=${query}`)).toEqual(newestFirst(...found));
  });

  test('a search of many submissions continues with a cursor after short pages', async () => {
    const owner = await instance.makeOwner();
    const wanted = await keep(instance, owner, { note: 'needle' });
    for (let row = 0; row < 40; row++) {
      const data = Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`f${at}`, 'hay '.repeat(60_000)]));
      await keep(instance, owner, data);
    }
    let [cursor, pages]: [string | null, number] = ['', 0];
    const found: string[] = [];
    while (cursor !== null) {
      const before: string = cursor === '' ? '' : `&before=${encodeURIComponent(cursor)}`;
      const page: Page = await list(`?q=needle${before}`, owner.readKey);
      found.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
      pages += 1;
    }
    expect(found).toEqual([wanted]);
    expect(pages).toBeGreaterThan(1);
  });

  test.each(['spam=1', 'spam=', 'limit=0', 'limit=101', 'since=yesterday', 'before=x', `q=${'x'.repeat(201)}`])(
    'with %s returns 400, for an unknown form too',
    async (query) => {
      await refused(instance.api('GET', `/v1/submissions?${query}`, { key: instance.owner.readKey }), 400);
      await refused(instance.api('GET', `/v1/submissions?form=x&${query}`, { key: instance.owner.readKey }), 400);
    },
  );

  test('with the form of another team returns 404, like an unknown one', async () => {
    const other = await instance.makeOwner();
    for (const form of [second.id, second.shortId, 'frm_unknown', '']) {
      await refused(instance.api('GET', `/v1/submissions?form=${form}`, { key: other.readKey }), 404);
    }
    expect((await list('', other.readKey)).items).toEqual([]);
  });

  test('leaves out forms that the key may not see', async () => {
    const { secret } = await instance.makeKey(instance.owner, 'read', null, [second.id]);
    expect((await list('', secret)).items.map(({ id }) => id)).toEqual(newestFirst(3, 1));
    expect((await list('?q=casino', secret)).items).toEqual([]);
    await refused(instance.api('GET', `/v1/submissions?form=${instance.owner.form.id}`, { key: secret }), 404);
  });

  test('leaves out the trash and forms in it', async () => {
    const owner = await instance.makeOwner();
    const [kept, trashed] = [await keep(instance, owner), await keep(instance, owner)];
    await instance.context.store.trash.moveSubmissions([trashed], owner.teamId, 1);
    expect((await list('', owner.readKey)).items.map(({ id }) => id)).toEqual([kept]);
    await instance.context.store.trash.moveForm(owner.form.id, owner.teamId, 1);
    expect((await list('', owner.readKey)).items).toEqual([]);
  });

  test('a page ends at 4 MiB, and next_cursor continues', async () => {
    const owner = await instance.makeOwner();
    const kept: string[] = [];
    for (let row = 0; row < 10; row++) {
      const data = Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`f${at}`, 'x'.repeat(240_000)]));
      kept.unshift(await keep(instance, owner, data));
    }
    for (const query of ['', '&q=xxx']) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const before: string = cursor === '' ? '' : `&before=${encodeURIComponent(cursor)}`;
        const answer = await instance.api('GET', `/v1/submissions?limit=100${query}${before}`, { key: owner.readKey });
        const text = await answer.text();
        expect(text.length).toBeLessThan(4.1 * 1024 * 1024);
        const { data } = JSON.parse(text) as { data: Page };
        seen.push(...data.items.map(({ id }) => id));
        cursor = data.next_cursor;
      }
      expect(seen).toEqual(kept);
    }
  });
});

describe('PATCH /v1/submissions/:submissionId', () => {
  const patch = (id: string, body: unknown, key = instance.owner.writeKey) =>
    instance.api('PATCH', `/v1/submissions/${id}`, { key, body });
  const auditOf = (id: string) =>
    rows<{ action: string; details: string }>(
      instance,
      "SELECT action, details FROM audit WHERE CAST(details AS TEXT) LIKE '%' || ? || '%' ORDER BY id",
      id,
    );

  test('marks as spam, genuine, read and unread', async () => {
    const id = await keep(instance, instance.owner);
    expect(await dataOf(patch(id, { is_spam: true }))).toEqual({ id, is_spam: true, is_read: false });
    expect(await dataOf(patch(id, { is_read: true }))).toEqual({ id, is_spam: true, is_read: true });
    const shown = (await list('?spam=true')).items.find((item) => item.id === id);
    expect([shown?.is_spam, shown?.is_read]).toEqual([true, true]);
    expect(await dataOf(patch(id, { is_spam: false, is_read: false }))).toEqual({ id, is_spam: false, is_read: false });
    const entries = auditOf(id).map(({ action, details }) => [action, JSON.parse(details).is_spam]);
    expect(entries).toEqual([
      ['submission.marked', true],
      ['submission.marked', false],
    ]);
  });

  test.each([[{}], [{ is_spam: 'true' }], [{ is_read: null }], [{ data: {} }], [{ is_spam: true, id: 'x' }], ['{']])(
    'with %j returns 400, for an unknown submission too',
    async (body) => {
      await refused(patch(ids[0] ?? '', body), 400);
      await refused(patch('sub_unknown', body), 400);
    },
  );

  test('of another team or in the trash returns 404', async () => {
    const other = await instance.makeOwner();
    await refused(patch(ids[0] ?? '', { is_spam: true }, other.writeKey), 404);
    const id = await keep(instance, instance.owner);
    await instance.context.store.trash.moveSubmissions([id], instance.owner.teamId, 1);
    await refused(patch(id, { is_read: true }), 404);
  });
});

describe('POST /v1/submissions/delete', () => {
  const remove = (body: unknown, key = instance.owner.writeKey) =>
    instance.api('POST', '/v1/submissions/delete', { key, body });
  const exists = (id: string) => rows(instance, 'SELECT id FROM submissions WHERE id = ?', id).length === 1;

  test('deletes up to 100 for good and leaves usage as it was', async () => {
    const { readKey } = instance.owner;
    const usage = () => dataOf(instance.api('GET', '/v1/usage', { key: readKey }));
    const kept = [await keep(instance, instance.owner), await keep(instance, instance.owner)];
    const before = await usage();
    expect(await dataOf(remove({ ids: [...kept, kept[0]] }))).toEqual({ ids: kept, deleted: true });
    expect(kept.some(exists)).toBe(false);
    expect(await usage()).toEqual(before);
    await refused(remove({ ids: kept }), 404);
    const [entry] = rows<{ details: string }>(instance, 'SELECT details FROM audit ORDER BY id DESC LIMIT 1');
    expect(JSON.parse(entry?.details ?? '')).toEqual({ count: 2 });
  });

  test('with one unknown, foreign, trashed or hidden id deletes nothing', async () => {
    const other = await instance.makeOwner();
    const mine = await keep(instance, instance.owner);
    const trashed = await keep(instance, instance.owner);
    await instance.context.store.trash.moveSubmissions([trashed], instance.owner.teamId, 1);
    for (const id of ['sub_unknown', await keep(instance, other), trashed]) {
      await refused(remove({ ids: [mine, id] }), 404);
    }
    const { secret } = await instance.makeKey(instance.owner, 'read_write', null, [second.id]);
    await refused(remove({ ids: [ids[3], mine] }, secret), 404);
    expect([mine, ids[3] ?? '', trashed].every(exists)).toBe(true);
  });

  test.each([
    [{}],
    [{ ids: [] }],
    [{ ids: 'sub_x' }],
    [{ ids: [1] }],
    [{ ids: Array.from({ length: 101 }, (_, at) => `sub_${at}`) }],
    [{ ids: ['sub_x'], all: true }],
  ])('with %j returns 400', async (body) => {
    await refused(remove(body), 400);
  });
});
