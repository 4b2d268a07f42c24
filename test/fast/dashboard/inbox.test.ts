import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Instance, startInstance } from '../../support/instance.ts';
import { followAll, idsIn, keepMany, linkIn } from './list-page.ts';
import { type SignedIn, signIn } from './signed-in.ts';

let instance: Instance;
let me: SignedIn;
beforeAll(async () => {
  instance = await startInstance();
  me = await signIn(instance, instance.owner);
});
afterAll(() => instance.stop());

/** Creates a form with submissions of these messages. Returns their ids, oldest first. */
async function filled(messages: readonly string[]) {
  const form = await instance.makeForm(instance.owner, { name: 'Own <form>' });
  for (const message of messages) await instance.post(form.id, { name: 'Ada', message });
  return {
    form,
    path: `/dashboard/forms/${form.id}/submissions`,
    ids: idsIn(await me.page(`/dashboard/forms/${form.id}/submissions`)).reverse(),
  };
}

const act = (what: string, submission: readonly string[], list = '') =>
  me.post('/dashboard/submissions', { do: what, submission, list });

test('a list shows sender, excerpt and time, newest first, with card numbers masked', async () => {
  const { form, path } = await filled([]);
  await instance.post(form.id, { email: 'grace@example.com', text: 'pay 4242 4242 4242 4242' });
  await instance.post(form.id, { first_name: 'Ada', last_name: 'Lovelace', message: 'second\nline' });
  const markup = await me.page(path);
  expect(markup).toMatch(/<bdi>Ada Lovelace<\/bdi>[\s\S]*<bdi>second line<\/bdi>[\s\S]*<bdi>grace@example\.com<\/bdi>/);
  expect(markup).toContain('************4242');
  expect(markup).not.toContain('4242 4242');
  expect(markup).toContain('Own &lt;form&gt;');
});

test('a list of large submissions ends early and leads to the others, with card numbers masked', async () => {
  const { form, path } = await filled([]);
  const large = `${'x '.repeat(480)}4242 4242 4242 4242 ${'y'.repeat(200_000)}`;
  for (let index = 0; index < 12; index++) {
    await instance.post(form.id, { name: `Nr. ${index}`, a: large, b: large, c: large, d: large });
  }
  const first = await me.page(path);
  expect(idsIn(first).length).toBe(10);
  expect(first).not.toContain('4242 4242');
  const second = await me.page(linkIn(first, 'Older') ?? '');
  expect(idsIn(second).length).toBe(2);
  const fresh = await me.page(`${path}/new?after=1970-01-01T00:00:00Z`);
  expect(
    [...fresh.matchAll(/Nr\. \d+/g)].map(([name]) => name).filter((name, at, all) => all.indexOf(name) === at),
  ).toEqual(Array.from({ length: 10 }, (_, index) => `Nr. ${9 - index}`));
});

test('spam is listed under spam only, and read submissions are not listed under unread', async () => {
  const { path, ids } = await filled(['one', 'two', 'three']);
  const [one = '', two = '', three = ''] = ids;
  expect((await act('spam', [one])).status).toBe(303);
  await act('read', [two]);
  expect(idsIn(await me.page(path))).toEqual([three, two]);
  expect(idsIn(await me.page(`${path}?part=unread`))).toEqual([three]);
  expect(idsIn(await me.page(`${path}?part=spam`))).toEqual([one]);
  await act('genuine', [one]);
  await act('unread', [two]);
  expect(idsIn(await me.page(`${path}?part=unread`))).toEqual([three, two, one]);
});

test('paging shows each submission once while others arrive and are deleted', async () => {
  const form = await instance.makeForm(instance.owner);
  const ids = await keepMany(instance.context, form.id, 180, (n) => ({ message: String(n) }));
  const seen: string[] = [];
  const deleted: string[] = [];
  const pages = await followAll(
    async (path) => {
      const markup = await me.page(path);
      seen.push(...idsIn(markup));
      const gone = ids.filter((id) => !seen.includes(id) && !deleted.includes(id)).slice(3, 5);
      deleted.push(...gone);
      await act('deleted', gone.length > 0 ? gone : ['sub_none']);
      await keepMany(instance.context, form.id, 7, () => ({ message: 'late' }));
      return markup;
    },
    `/dashboard/forms/${form.id}/submissions`,
    'Older',
  );
  expect(pages.map((markup) => idsIn(markup).length)).toEqual([50, 50, 50, 24]);
  expect(seen).toEqual(ids.filter((id) => !deleted.includes(id)).reverse());
  expect(linkIn(pages[1] ?? '', 'Newest')).toBe(`/dashboard/forms/${form.id}/submissions`);
  expect(linkIn(pages[0] ?? '', 'Newest')).toBeNull();
});

test('the inbox lists all forms newest first, and filters by workspace or form', async () => {
  const owner = await instance.makeOwner();
  const someone = await signIn(instance, owner);
  const other = await instance.makeForm(owner, { name: 'Other form' });
  for (let n = 0; n < 60; n++) await keepMany(instance.context, n % 3 ? owner.form.id : other.id, 1, () => ({ n }));
  const pages = await followAll(someone.page, '/dashboard/inbox', 'Older');
  const all = pages.flatMap(idsIn);
  expect(all).toHaveLength(60);
  expect(all).toEqual(all.toSorted().reverse());
  expect(pages[0]).toContain('Other form');
  expect(idsIn(await someone.page(`/dashboard/inbox?form=${other.id}`))).toHaveLength(20);
  expect(idsIn(await someone.page(`/dashboard/inbox?workspace=${owner.workspaceId}`))).toHaveLength(50);
});

test('the date filter uses the time zone of the viewer', async () => {
  let now = Date.UTC(2026, 10, 21, 22, 30) * 1000;
  const dated = await startInstance({ clock: () => now });
  try {
    await dated.post(dated.owner.form.id, { message: 'late on the 21st in UTC' });
    now += 2 * 3_600_000_000;
    await dated.post(dated.owner.form.id, { message: 'early on the 22nd' });
    const inUtc = await signIn(dated, dated.owner, { timeZone: 'UTC' });
    const inBerlin = await signIn(dated, dated.owner, { timeZone: 'Europe/Berlin' });
    const inAuckland = await signIn(dated, dated.owner, { timeZone: 'Pacific/Auckland' });
    const on = async (who: SignedIn, day: string) =>
      idsIn(await who.page(`/dashboard/inbox?from=${day}&to=${day}`)).length;
    expect([await on(inUtc, '2026-11-21'), await on(inUtc, '2026-11-22')]).toEqual([1, 1]);
    now += 3_600_000_000;
    await dated.post(dated.owner.form.id, { message: 'of the 22nd everywhere' });
    expect([await on(inBerlin, '2026-11-21'), await on(inBerlin, '2026-11-22')]).toEqual([1, 2]);
    expect([await on(inAuckland, '2026-11-21'), await on(inAuckland, '2026-11-22')]).toEqual([0, 3]);
    const wrong = await inUtc.get('/dashboard/inbox?from=2026-02-31&q=');
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('Invalid date.');
  } finally {
    await dated.stop();
  }
});

test('deleting several submissions asks for confirmation and is final', async () => {
  const { path, form, ids } = await filled(['a', 'b', 'c']);
  const [a = '', b = '', c = ''] = ids;
  const question = await act('delete', [a, b, 'sub_unknown'], `in=${form.id}`);
  const markup = await question.text();
  expect(markup).toContain('<h1>Delete 2 submissions?</h1>');
  expect(markup).toContain('This cannot be undone.');
  expect(idsIn(await me.page(path))).toHaveLength(3);
  const done = await act('deleted', [a, b], `in=${form.id}`);
  expect(done.headers.get('location')).toBe(`${path}?done=deleted`);
  expect(idsIn(await me.page(path))).toEqual([c]);
  expect(await me.page(`${path}?done=deleted`)).toContain('<p class="done" role="status">Deleted.</p>');
});

test('an action redirects to the list it came from, and nowhere else', async () => {
  const { form, ids } = await filled(['a']);
  const list = `in=${form.id}&part=unread&from=2026-01-01`;
  expect((await act('read', ids, list)).headers.get('location')).toBe(
    `/dashboard/forms/${form.id}/submissions?part=unread&from=2026-01-01&done=read`,
  );
  expect((await act('read', [], 'in=https://example.com')).headers.get('location')).toBe(
    '/dashboard/forms/https%3A%2F%2Fexample.com/submissions?done=none',
  );
  expect((await act('constructor', ids)).status).toBe(400);
});

test('submissions, forms and workspaces of another team are not found', async () => {
  const { form, path, ids } = await filled(['mine']);
  const stranger = await signIn(instance, await instance.makeOwner());
  const { workspaceId } = instance.owner;
  for (const address of [
    path,
    `${path}/new?after=2026-01-01T00:00:00Z`,
    `/dashboard/inbox?form=${form.id}`,
    `/dashboard/inbox?workspace=${workspaceId}`,
    `/dashboard/inbox/new?form=${form.id}`,
  ]) {
    expect((await stranger.get(address)).status).toBe(404);
  }
  for (const what of ['read', 'unread', 'spam', 'genuine', 'delete', 'deleted']) {
    expect((await stranger.post('/dashboard/submissions', { do: what, submission: ids })).status).toBe(404);
  }
  expect(idsIn(await stranger.page('/dashboard/inbox'))).toEqual([]);
  expect(idsIn(await me.page(`${path}?part=unread`))).toEqual(ids);
});

test('an action changes only submissions of the own team', async () => {
  const { path, ids } = await filled(['mine']);
  const owner = await instance.makeOwner();
  const theirs = await signIn(instance, owner);
  const [foreign = ''] = await keepMany(instance.context, owner.form.id, 1, () => ({ message: 'theirs' }));
  for (const what of ['read', 'spam']) expect((await act(what, [...ids, foreign])).status).toBe(303);
  expect(idsIn(await me.page(`${path}?part=spam`))).toEqual(ids);
  await act('deleted', [...ids, foreign]);
  expect(idsIn(await theirs.page('/dashboard/inbox?part=unread'))).toEqual([foreign]);
});

test('new submissions are returned once, even if they need several requests', async () => {
  const { form, path } = await filled(['before']);
  const start = /data-after="([^"]+)"/.exec(await me.page(path))?.[1] ?? '';
  const askAfter = (time: string) => me.get(`${path}/new?after=${time}`);
  const nothing = await askAfter(start);
  expect([nothing.status, await nothing.text()]).toEqual([204, '']);
  const ids = await keepMany(instance.context, form.id, 70, (n) => ({ name: `Visitor ${n}` }));
  const first = await (await askAfter(start)).text();
  expect(first).toContain('<p>50 new submissions</p>');
  const second = await (await askAfter(/data-after="([^"]+)"/.exec(first)?.[1] ?? '')).text();
  expect([...idsIn(first).reverse(), ...idsIn(second).reverse()]).toEqual(ids);
  expect(second).toContain('71<span class="visually-hidden"> unread');
});

test('unread submissions are counted up to 99', async () => {
  const form = await instance.makeForm(instance.owner);
  await keepMany(instance.context, form.id, 99, () => ({ message: 'x' }));
  expect(await me.page(`/dashboard/forms/${form.id}/submissions`)).toContain('99<span');
  await keepMany(instance.context, form.id, 1, () => ({ message: 'x' }));
  expect(await me.page(`/dashboard/forms/${form.id}/submissions`)).toContain('99+<span');
});

test('no page changes the database', async () => {
  const { form, path, ids } = await filled(['a', 'b']);
  const [id] = ids;
  const database = new Database(join(instance.dataDir, 'formstead.db'), { readonly: true });
  const dump = () =>
    ['submissions', 'outbox', 'files', 'forms'].map((table) => database.query(`SELECT * FROM ${table}`).all());
  const before = dump();
  const detail = `/dashboard/submissions/${id}`;
  for (const address of [
    path,
    `${path}?part=spam&q=a&from=2026-01-01`,
    `${path}/new?after=2026-01-01T00:00:00Z`,
    `/dashboard/inbox?form=${form.id}`,
    '/dashboard/inbox/new',
    detail,
    `${detail}/values/0`,
    `${detail}/delete`,
  ]) {
    expect((await me.get(address)).status).toBe(200);
  }
  expect(dump()).toEqual(before);
  database.close();
});

test('markup in submissions is escaped, and an empty list says what to do next', async () => {
  const { form, path } = await filled([]);
  expect(await me.page(path)).toContain(`href="/dashboard/forms/${form.id}/connect"`);
  const nasty = `"><img src=x onerror=alert(1)>'</bdi></a><script>`;
  await instance.post(form.id, JSON.stringify({ name: nasty, [nasty]: nasty }), { 'Content-Type': 'application/json' });
  const markup = await me.page(`${path}?part=spam`);
  expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(markup).not.toContain('<img');
  const german = await me.page(path, { 'Accept-Language': 'de' });
  expect(german).toContain('Als gelesen markieren');
});
