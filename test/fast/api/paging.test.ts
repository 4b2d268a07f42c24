import { afterAll, describe, expect, test } from 'bun:test';
import { parseTime } from '../../../src/lib/clock.ts';
import { startInstance } from '../../support/instance.ts';
import { dataOf, keep, type Page, refused } from './support.ts';

// The clock is stopped, so submissions are one microsecond apart.
const START = parseTime('2026-11-21T08:00:00Z') ?? 0;
const instance = await startInstance({ clock: () => START });
afterAll(instance.stop);
const { api, owner, makeForm } = instance;
const { readKey, writeKey } = owner;

const first = await keep(instance, owner);
const second = await keep(instance, owner);
const third = await keep(instance, owner);

const list = (query = '', formId = owner.form.id) =>
  api('GET', `/v1/forms/${formId}/submissions${query}`, { key: readKey });
const page = (query = '', formId = owner.form.id) => dataOf<Page>(list(query, formId));
const pathIds = ({ items }: Page) => items.map(({ id }) => id);

const formWith = async (count: number): Promise<string> => {
  const { id } = await makeForm(owner);
  for (let index = 0; index < count; index++) await keep(instance, owner, { index }, { formId: id });
  return id;
};

test('the list is ordered newest first with unique times, even with a stopped clock', async () => {
  const { items } = await page();
  expect(items.map(({ id, created_at }) => [id, created_at])).toEqual([
    [third, '2026-11-21T08:00:00.000002Z'],
    [second, '2026-11-21T08:00:00.000001Z'],
    [first, '2026-11-21T08:00:00.000000Z'],
  ]);
});

describe('limit', () => {
  test('is 50 by default', async () => {
    const formId = await formWith(51);
    const { items, next_cursor } = await page('', formId);
    expect([items.length, next_cursor]).toEqual([50, items[49]?.created_at ?? 'none']);
  });

  test('may be 1 to 100', async () => {
    const formId = await formWith(101);
    expect((await page('?limit=1', formId)).items).toHaveLength(1);
    expect((await page('?limit=100', formId)).items).toHaveLength(100);
  });

  const wrong = ['0', '101', '-1', '1.5', 'abc', '', '0x10', '1e1', '+5', '%2B5', '%205', '5%20', '05', '1000', 'NaN'];
  test.each([...wrong, '-0', '1,2', '5%00', '5%0A', '%EF%BC%95', 'null', '99999999999999999999'])(
    '"%s" returns 400',
    async (limit) => {
      expect((await refused(list(`?limit=${limit}`), 400)).error).toContain('limit');
    },
  );
});

test('a page of large submissions ends at 4 MiB, and the cursor leads to the others', async () => {
  const { id: formId } = await makeForm(owner);
  const ids: string[] = [];
  for (let index = 0; index < 10; index++) {
    ids.unshift(
      await keep(
        instance,
        owner,
        { a: 'x'.repeat(250_000), b: 'y'.repeat(250_000), c: 'z'.repeat(250_000), d: index },
        { formId },
      ),
    );
  }
  const first = await page('?limit=100', formId);
  expect(first.items.length).toBe(5);
  const second = await page(`?limit=100&before=${first.next_cursor}`, formId);
  expect([...pathIds(first), ...pathIds(second)]).toEqual(ids);
  expect(second.next_cursor).toBeNull();
});

describe('before', () => {
  test.each([
    ['2026-11-21T08:00:00.000001Z', 1],
    ['2026-11-21T08:00:00.000002Z', 2],
    ['2026-11-21T08:00:00Z', 0],
    ['2026-11-21t08:00:00.000002z', 2],
    ['2026-11-21T10:00:00.000002%2B02:00', 2],
    ['2026-11-21T10:00:00.000002+02:00', 2],
    ['2026-11-21T05:30:00.000002-02:30', 2],
    ['2026-11-20T23:00:00.000001-09:00', 1],
    ['2026-11-21T08:00:00.000001-00:00', 1],
    ['2016-12-31T23:59:60Z', 0],
    ['2026-11-21T07:59:60.000001Z', 1],
    ['2028-02-29T00:00:00Z', 3],
    ['0000-01-01T00:00:00Z', 0],
    ['9999-12-31T23:59:59.999999999Z', 3],
  ])('accepts the RFC 3339 timestamp %s', async (before, count) => {
    expect(pathIds(await page(`?before=${before}`))).toEqual([third, second, first].slice(3 - count));
  });

  test('accepts one to nine decimals, and digits beyond microseconds hide no row', async () => {
    const digits = '000001999';
    const counts = [0, 0, 0, 0, 0, 1, 2, 2, 2];
    for (const [index, count] of counts.entries()) {
      const before = `2026-11-21T08:00:00.${digits.slice(0, index + 1)}Z`;
      expect([before, (await page(`?before=${before}`)).items.length]).toEqual([before, count]);
    }
  });

  test.each([
    '',
    'abc',
    'null',
    '2026-11-21',
    '2026-11-21T08:00:00',
    '2026-11-21T08:00Z',
    '1795248000',
    '1795248000000',
    '2026-02-29T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-11-00T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T08:60:00Z',
    '2026-11-21T08:00:61Z',
    '2026-11-21T08:00:00%2B24:00',
    '2026-11-21T08:00:00%2B02:60',
    '2026-11-21T08:00:00%2B0200',
    '2026-11-21T08:00:00%2B02',
    '2026-11-21T08:00:00.Z',
    '2026-11-21T08:00:00,5Z',
    '%202026-11-21T08:00:00Z',
    '2026-11-21T08:00:00Z%20',
    '2026-11-21T08:00:00Z%0A',
    '26-11-21T08:00:00Z',
    '-2026-11-21T08:00:00Z',
    'Sat, 21 Nov 2026 08:00:00 GMT',
    '%ZZ',
  ])('"%s" returns 400', async (before) => {
    expect((await refused(list(`?before=${before}`), 400)).error).toContain('before');
  });
});

describe('next_cursor', () => {
  test('is null for a form without submissions', async () => {
    const formId = await formWith(0);
    expect(await page('', formId)).toEqual({ items: [], next_cursor: null });
  });

  test('is null when the last page is exactly full', async () => {
    const { next_cursor } = await page('?limit=1');
    const rest = await page(`?limit=2&before=${next_cursor}`);
    expect(pathIds(rest)).toEqual([second, first]);
    expect(rest.next_cursor).toBeNull();
    expect((await page('?limit=3')).next_cursor).toBeNull();
  });

  test('is the time of the last item if there are older ones', async () => {
    const { items, next_cursor } = await page('?limit=2');
    expect(next_cursor).toBe(items[1]?.created_at ?? 'none');
  });

  test('works after its row was deleted', async () => {
    const formId = await formWith(3);
    const newest = await page('?limit=1', formId);
    const [deleted] = pathIds(newest);
    await dataOf(api('DELETE', `/v1/submissions/${deleted}`, { key: writeKey }));
    const { items, next_cursor } = await page(`?before=${newest.next_cursor}`, formId);
    expect(items.map(({ data }) => data)).toEqual([{ index: 1 }, { index: 0 }]);
    expect(next_cursor).toBeNull();
  });

  test('is null if nothing is older than before', async () => {
    expect(await page('?before=2000-01-01T00:00:00Z')).toEqual({ items: [], next_cursor: null });
  });
});

test('the list contains only submissions of the form', async () => {
  const formId = await formWith(1);
  expect((await page('', formId)).items.map(({ data }) => data)).toEqual([{ index: 0 }]);
  expect(pathIds(await page())).toEqual([third, second, first]);
});

test('unknown query parameters are ignored', async () => {
  const known = await page();
  for (const query of ['?page=2', '?Limit=1', '?limit[]=1', '?%ZZ=1', '?__proto__=1', '?toString', '?cursor=x&_=1']) {
    expect(await page(query)).toEqual(known);
  }
  for (const path of ['/v1/forms', '/v1/usage', '/v1/workspaces', `/v1/forms/${owner.form.id}`]) {
    await dataOf(api('GET', `${path}?limit=x&page=2`, { key: readKey }));
  }
});

test('lists of forms and workspaces are not paged', async () => {
  const many = await instance.makeOwner();
  for (let index = 0; index < 120; index++) await makeForm(many, { name: `Form ${index}` });
  const names = (await dataOf<Array<{ name: string }>>(api('GET', '/v1/forms?limit=1', { key: many.readKey }))).map(
    ({ name }) => name,
  );
  expect(names.toSorted()).toEqual(['Contact', ...Array.from({ length: 120 }, (_, n) => `Form ${n}`)].toSorted());
});
