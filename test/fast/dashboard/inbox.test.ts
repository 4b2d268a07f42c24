import { afterAll, beforeAll, expect, test } from 'bun:test';
import { strFromU8, unzipSync } from 'fflate';
import { formatTime } from '../../../src/lib/clock.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { contentsOf } from './contents.ts';
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
  expect(markup).toMatch(
    /<bdi>Ada Lovelace<\/bdi>[\s\S]*<bdi>message: second line<\/bdi>[\s\S]*<bdi>grace@example\.com<\/bdi>/,
  );
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
      if (gone.length > 0) await act('trash', gone);
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

/** The token of the undo button on the page that an action redirects to. */
async function undoAfter(answer: Response, who = me) {
  const markup = await who.page(answer.headers.get('location') ?? '');
  return { markup, undo: /name="undo" value="([^"]+)"/.exec(markup)?.[1] ?? '' };
}

test('moving to the trash acts at once, and undo restores exactly those submissions', async () => {
  const { path, form, ids } = await filled(['a', 'b', 'c']);
  const [a = '', b = '', c = ''] = ids;
  await act('trash', [c]);
  const { markup, undo } = await undoAfter(await act('trash', [a, b, c, 'sub_unknown'], `in=${form.id}`));
  expect(markup).toContain('2 submissions moved to trash.');
  expect(idsIn(markup)).toEqual([]);
  expect(idsIn(await me.page(`${path}?part=trash`))).toEqual([c, b, a]);
  const undone = await me.post('/dashboard/submissions/undo', { undo, list: `in=${form.id}` });
  expect(await me.page(undone.headers.get('location') ?? '')).toContain('Undone for 2 submissions.');
  expect(idsIn(await me.page(path))).toEqual([b, a]);
  const again = await me.post('/dashboard/submissions/undo', { undo, list: `in=${form.id}` });
  expect(await me.page(again.headers.get('location') ?? '')).toContain('This can no longer be undone.');
});

test('each action can be undone, and changes nothing else', async () => {
  const { path, form, ids } = await filled(['a', 'b']);
  const [a = '', b = ''] = ids;
  const list = `in=${form.id}`;
  const stateOf = async () => {
    const rows = await Promise.all(
      ids.map((id) => instance.context.store.submissions.findStored(id, instance.owner.teamId)),
    );
    return rows.map((row) => [row?.isSpam, row?.readAt !== null, row?.isStarred, row?.trashedAt !== null]);
  };
  await act('read', [a]);
  const before = await stateOf();
  for (const what of ['read', 'star', 'spam', 'trash']) {
    const { undo } = await undoAfter(await act(what, ids, list));
    expect(await stateOf()).not.toEqual(before);
    await me.post('/dashboard/submissions/undo', { undo, list });
    expect([what, await stateOf()]).toEqual([what, before]);
  }
  await act('spam', [b]);
  const { undo } = await undoAfter(await act('genuine', ids, list));
  await me.post('/dashboard/submissions/undo', { undo, list });
  expect(idsIn(await me.page(`${path}?part=spam`))).toEqual([b]);
  expect((await act('star', [a, a])).status).toBe(303);
  expect(await me.page((await act('star', [a], list)).headers.get('location') ?? '')).toContain('Nothing changed.');
});

test('an action is undone by its own session only', async () => {
  const { form, ids } = await filled(['a']);
  const colleague = await signIn(instance, instance.owner, {}, 'editor');
  const list = `in=${form.id}`;
  const { undo } = await undoAfter(await act('trash', ids, list));
  const answer = await colleague.post('/dashboard/submissions/undo', { undo, list });
  expect(answer.headers.get('location')).toContain('done=tooLate');
  expect(idsIn(await me.page(`/dashboard/forms/${form.id}/submissions?part=trash`))).toEqual(ids);
});

test('the trash shows the days left, and deletes for good after a confirmation', async () => {
  const { form, path, ids } = await filled(['a', 'b', 'c']);
  const [a = '', b = '', c = ''] = ids;
  const list = `in=${form.id}&part=trash`;
  expect((await act('delete', [a], list)).status).toBe(404);
  await act('trash', [a, b], list);
  expect(await me.page(`${path}?part=trash`)).toContain('30 days left');
  const question = await (await act('delete', [a, c], list)).text();
  expect(question).toContain('<h1>Delete this submission?</h1>');
  expect(question).toContain('This cannot be undone.');
  const done = await act('deleted', [a, c], list);
  expect(await me.page(done.headers.get('location') ?? '')).toContain('Submission deleted.');
  expect(await instance.context.store.submissions.findStored(a, instance.owner.teamId)).toBeNull();
  expect(idsIn(await me.page(path))).toEqual([c]);
  await act('restore', [b], list);
  expect(idsIn(await me.page(path))).toEqual([c, b]);
});

test('emptying spam moves all of it to the trash, and emptying the trash asks first', async () => {
  const { form, path, ids } = await filled(['a', 'b', 'c']);
  const [a = '', b = '', c = ''] = ids;
  await act('spam', [a, b]);
  const upto = formatTime(Number.MAX_SAFE_INTEGER - 1);
  const empty = (part: string) =>
    me.post('/dashboard/submissions', { do: 'empty', list: `in=${form.id}&part=${part}`, upto });
  expect(await me.page(`${path}?part=spam`)).toContain('Empty spam');
  const { markup, undo } = await undoAfter(await empty('spam'));
  expect(markup).toContain('2 submissions moved to trash.');
  expect(undo).not.toBe('');
  const question = await (await empty('trash')).text();
  expect(question).toContain('<h1>Delete 2 submissions?</h1>');
  expect(idsIn(await me.page(`${path}?part=trash`))).toEqual([b, a]);
  await me.post('/dashboard/submissions', { do: 'deleted', all: 'yes', list: `in=${form.id}&part=trash`, upto });
  expect(idsIn(await me.page(`${path}?part=trash`))).toEqual([]);
  expect(idsIn(await me.page(path))).toEqual([c]);
});

test('all that match are selected beyond the page, without later arrivals, also in a search', async () => {
  const form = await instance.makeForm(instance.owner);
  const path = `/dashboard/forms/${form.id}/submissions`;
  const ids = await keepMany(instance.context, form.id, 120, (n) => ({ message: n % 2 ? 'needle' : 'hay' }));
  const first = await me.page(path);
  expect(first).toContain('Select all 120 that match');
  const upto = /name="upto" value="([^"]+)"/.exec(first)?.[1] ?? '';
  const [late = ''] = await keepMany(instance.context, form.id, 1, () => ({ message: 'needle' }));
  const found = await me.post('/dashboard/submissions', {
    do: 'spam',
    all: 'yes',
    upto,
    list: `in=${form.id}&q=needle`,
  });
  expect((await undoAfter(found)).markup).toContain('Marked 60 as spam.');
  const rest = await me.post('/dashboard/submissions', { do: 'trash', all: 'yes', upto, list: `in=${form.id}` });
  const { markup, undo } = await undoAfter(rest);
  expect(markup).toContain('60 submissions moved to trash.');
  expect(idsIn(await me.page(path))).toEqual([late]);
  await me.post('/dashboard/submissions/undo', { undo, list: `in=${form.id}` });
  const pages = await followAll(me.page, path, 'Older');
  expect(pages.flatMap(idsIn)).toEqual([late, ...ids.filter((_, n) => n % 2 === 0).reverse()]);
});

test('an action on all that match says when more are left', async () => {
  const form = await instance.makeForm(instance.owner);
  await keepMany(instance.context, form.id, 1_001, () => ({ message: 'spam' }));
  const upto = formatTime(Number.MAX_SAFE_INTEGER - 1);
  const answer = await me.post('/dashboard/submissions', { do: 'spam', all: 'yes', upto, list: `in=${form.id}` });
  const { markup } = await undoAfter(answer);
  expect(markup).toContain('Marked 1,000 as spam. More submissions match.');
  expect(idsIn(markup)).toHaveLength(1);
});

test('starred and assigned submissions have views of their own', async () => {
  const { path, ids } = await filled(['a', 'b', 'c']);
  const [a = '', b = '', c = ''] = ids;
  await me.post('/dashboard/submissions', { do: `star ${a}`, submission: [b], all: 'yes' });
  expect(idsIn(await me.page(`${path}?part=starred`))).toEqual([a]);
  await act('star', [b]);
  await act('trash', [b]);
  queryDatabase(instance.dataDir, 'UPDATE submissions SET assigned_to = ? WHERE id IN (?, ?)', [me.user.id, b, c]);
  expect(idsIn(await me.page(`${path}?part=starred`))).toEqual([a]);
  expect(idsIn(await me.page(`${path}?part=assigned`))).toEqual([c]);
  const colleague = await signIn(instance, instance.owner);
  expect(idsIn(await colleague.page(`${path}?part=assigned`))).toEqual([]);
});

test('a viewer sees lists without stars, selection and undo, and may change nothing', async () => {
  const { form, path, ids } = await filled(['a', 'b']);
  const viewer = await signIn(instance, instance.owner, {}, 'viewer');
  const markup = await viewer.page(path);
  expect(markup).not.toContain('name="submission"');
  expect(markup).not.toContain('name="do"');
  for (const what of ['star', 'trash', 'read', 'spam', 'empty']) {
    const answer = await viewer.post('/dashboard/submissions', { do: what, submission: ids, list: `in=${form.id}` });
    expect(answer.status).toBe(403);
  }
  expect((await viewer.post('/dashboard/submissions/undo', { undo: 'x' })).status).toBe(403);
  expect(idsIn(await me.page(path))).toEqual([...ids].reverse());
});

test('titles are a name or an address, and previews name short values', async () => {
  const fields = [
    { name: 'rating', label: 'Your rating', type: 'rating', required: true },
    { name: 'terms', label: 'Terms accepted', type: 'consent', required: true },
    { name: 'message', label: 'Opinion', type: 'textarea', required: false },
    { name: 'origin', label: 'Origin', type: 'hidden', required: false },
  ];
  const form = await instance.makeForm(instance.owner, { fields });
  await instance.post(form.id, {
    rating: '2',
    terms: 'on',
    message: 'The harps were a delight.',
    origin: 'secret page',
  });
  await instance.post(form.id, { rating: '5', terms: 'on' });
  const markup = await me.page(`/dashboard/forms/${form.id}/submissions`);
  expect(markup).toContain('<bdi>The harps were a delight.</bdi>');
  expect(markup).toMatch(/>2 of 5<\/span>[\s\S]*>Terms accepted<\/span>/);
  expect(markup.match(/<bdi>Anonymous<\/bdi>/g)).toHaveLength(2);
  expect(markup).not.toContain('secret page');
  const german = await signIn(instance, instance.owner, { language: 'de' });
  expect(await german.page(`/dashboard/forms/${form.id}/submissions`)).toContain('>2 von 5<');
});

test('reasons of the spam filter are in the language of the viewer, and name whole words', async () => {
  const form = await instance.makeForm(instance.owner, { blockedWords: ['casino'] });
  const message =
    'Hi, I noticed your website is not ranking. We guarantee the first page of Google in 30 days, only $99 per month. ' +
    'Reply YES or see https://rank.example.com/offer. Unsubscribe: https://rank.example.com/stop casino';
  await instance.post(form.id, { name: 'Best SEO links', message });
  const german = await signIn(instance, instance.owner, { language: 'de' });
  const markup = await german.page(`/dashboard/forms/${form.id}/submissions?part=spam`);
  expect(markup).toContain('das gesperrte Wort „casino“');
  expect(markup).toContain('typische Spam-Wörter');
  expect(markup).not.toContain('wording typical of spam');
  const [, reasons = ''] = /Grund:\s*<bdi>(.*?)<\/bdi>/.exec(markup) ?? [];
  const words = Array.from(reasons.matchAll(/„([^“]*)“/g), ([, word = '']) => word);
  const text = ` Best SEO links ${message} `;
  const isCut = (word: string) =>
    !new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(word)}(?![\\p{L}\\p{N}])`, 'u').test(text);
  expect(words.length).toBeGreaterThan(1);
  expect(words.filter(isCut)).toEqual([]);
});

test('matches are marked in titles and previews, and their markup stays text', async () => {
  const { form, path } = await filled([]);
  await instance.post(form.id, { name: 'Needle <b>', message: 'x '.repeat(100) });
  await instance.post(form.id, { name: 'Ada', message: `${'hay '.repeat(100)} a NEEDLE in <b>hay</b>` });
  const markup = await me.page(`${path}?q=needle+%3Cb`);
  expect(markup).toContain('<mark>Needle</mark> <mark>&lt;b</mark>&gt;');
  expect(markup).toContain('a <mark>NEEDLE</mark> in <mark>&lt;b</mark>&gt;hay');
});

test('an action redirects to the list it came from, and nowhere else', async () => {
  const { form, ids } = await filled(['a']);
  const list = `in=${form.id}&part=unread&from=2026-01-01`;
  expect((await act('read', ids, list)).headers.get('location')).toEqual(
    expect.stringMatching(
      new RegExp(
        `^/dashboard/forms/${form.id}/submissions\\?part=unread&from=2026-01-01&done=read&count=1&undo=[\\w-]+$`,
      ),
    ),
  );
  expect((await act('read', [], 'in=https://example.com')).headers.get('location')).toBe(
    '/dashboard/forms/https%3A%2F%2Fexample.com/submissions?done=none',
  );
  expect(await me.page('/dashboard/inbox?done=none')).toMatch(/role="alert">\s*Nothing selected/);
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
  for (const what of ['read', 'unread', 'star', 'spam', 'genuine', 'trash', 'restore', 'delete', 'deleted']) {
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
  await act('trash', [...ids, foreign]);
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
  expect(first).toContain('>50 new submissions</p>');
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
  const dump = () => {
    const { submissions, outbox, files, forms } = contentsOf(instance);
    return { submissions, outbox, files, forms };
  };
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
    `${path}?part=trash`,
  ]) {
    expect((await me.get(address)).status).toBe(200);
  }
  expect(dump()).toEqual(before);
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

test('filters find answers by field as they are sent and shown, files, and what nobody is assigned to', async () => {
  const fields = [
    { name: 'diet', required: false, type: 'select', label: 'Diet', options: ['Vegan', 'None'] },
    { name: 'news', required: false, type: 'checkbox', label: 'Newsletter' },
    { name: 'cv', required: false, type: 'file', label: 'CV' },
  ];
  const form = await instance.makeForm(instance.owner, { fields });
  await instance.post(form.id, { diet: 'Vegan', news: 'on', note: 'vegan soup' });
  await instance.post(form.id, { diet: 'None', note: 'Vegan cake', extra: 'x' });
  const data = new FormData();
  data.set('note', 'yes');
  data.set('cv', new File(['hello'], 'cv.txt', { type: 'text/plain' }));
  await instance.post(form.id, data);
  const colleague = await signIn(instance, instance.owner);
  const path = `/dashboard/forms/${form.id}/submissions`;
  const [cv = '', cake = '', vegan = ''] = idsIn(await me.page(path));
  const find = async (query: string) => idsIn(await me.page(`${path}?${query}`));
  expect(await find('field=diet&value=VEGAN')).toEqual([vegan]);
  expect(await find('field=Diet&value=vegan')).toEqual([vegan]);
  expect(await find('value=vegan')).toEqual([cake, vegan]);
  expect(await find('field=newsletter&value=yes')).toEqual([vegan]);
  expect(await find('field=news&value=on')).toEqual([vegan]);
  expect(await find('field=extra')).toEqual([cake]);
  expect(await find('field=unknown')).toEqual([]);
  expect(await find('files=yes')).toEqual([cv]);
  await me.post('/dashboard/submissions', { user: colleague.user.id, submission: [vegan, cv], list: `in=${form.id}` });
  expect(await find('unassigned=yes')).toEqual([cake]);
  expect(await find('unassigned=yes&value=vegan&q=soup')).toEqual([]);
  expect(idsIn(await colleague.page(`${path}?part=assigned`))).toEqual([cv, vegan]);
  const all = { do: 'trash', all: 'yes', upto: formatTime(Number.MAX_SAFE_INTEGER - 1) };
  await me.post('/dashboard/submissions', { ...all, list: `in=${form.id}&field=diet&value=vegan` });
  expect(await find('part=inbox')).toEqual([cv, cake]);
});

test('selected submissions are assigned to a member or to nobody, and to no stranger', async () => {
  const { form, path, ids } = await filled(['a', 'b', 'c']);
  const [a = '', b = '', c = ''] = ids;
  const list = `in=${form.id}`;
  const colleague = await signIn(instance, instance.owner);
  const stranger = await signIn(instance, await instance.makeOwner());
  const assign = (user: string, submission: readonly string[]) =>
    me.post('/dashboard/submissions', { user, submission, list });
  const assigned = async (who: SignedIn) => idsIn(await who.page(`${path}?part=assigned`));
  expect(await me.page(path)).toMatch(new RegExp(`name="user" value="${colleague.user.id}"`));
  expect(await me.page((await assign(colleague.user.id, [a, b])).headers.get('location') ?? '')).toContain(
    '2 assignments changed.',
  );
  expect(await assigned(colleague)).toEqual([b, a]);
  await assign(me.user.id, [b]);
  await assign('', [a]);
  expect([await assigned(colleague), await assigned(me)]).toEqual([[], [b]]);
  expect((await assign(stranger.user.id, [c])).headers.get('location')).toContain('done=same');
  const foreign = await stranger.post('/dashboard/submissions', { user: stranger.user.id, submission: [c] });
  expect(foreign.status).not.toBe(200);
  expect(await assigned(me)).toEqual([b]);
});

test('selected submissions of several forms are exported as one sheet, without those of other teams', async () => {
  const owner = await instance.makeOwner();
  const someone = await signIn(instance, owner);
  const other = await instance.makeForm(owner, {
    fields: [{ name: 'colour', required: false, type: 'text', label: 'Colour' }],
  });
  await instance.post(owner.form.id, { name: 'Ada' });
  await instance.post(owner.form.id, { name: 'Not selected' });
  await instance.post(other.id, { name: 'Grace', colour: 'red' });
  const [red = '', , ada = ''] = idsIn(await someone.page('/dashboard/inbox'));
  const { ids: foreign } = await filled(['foreign']);
  const submission = [red, ada, ...foreign, 'sub_x'];
  const answer = await someone.post('/dashboard/submissions', { do: 'export', submission });
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; .*Submissions .*\.xlsx/);
  const sheet = strFromU8(
    unzipSync(new Uint8Array(await answer.arrayBuffer()))['xl/worksheets/sheet1.xml'] ?? new Uint8Array(),
  );
  const texts = [...sheet.matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, text]) => text);
  expect(
    texts.filter((text) => ['Ada', 'Grace', 'red', 'Colour', 'Not selected', 'foreign'].includes(text ?? '')),
  ).toEqual(['Colour', 'Ada', 'red', 'Grace']);
  const none = await someone.post('/dashboard/submissions', { do: 'export', submission: foreign });
  expect(none.status).toBe(404);
});
