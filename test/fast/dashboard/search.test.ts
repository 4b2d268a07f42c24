import { afterAll, beforeAll, expect, test } from 'bun:test';
import { searchInbox } from '../../../src/dashboard/inbox/search.ts';
import { Semaphore } from '../../../src/lib/semaphore';
import { type Instance, startInstance } from '../../support/instance.ts';
import { followAll, idsIn, keepMany } from './list-page.ts';
import { type SignedIn, signIn } from './signed-in.ts';

let instance: Instance;
let me: SignedIn;
beforeAll(async () => {
  instance = await startInstance();
  me = await signIn(instance, instance.owner);
});
afterAll(() => instance.stop());

const searchIn = async (formId: string, q: string, more = '') =>
  idsIn(await me.page(`/dashboard/forms/${formId}?q=${encodeURIComponent(q)}${more}`)).length;

test('every word must be there, in any value or file name, in small letters or capitals', async () => {
  const form = await instance.makeForm(instance.owner);
  await instance.post(form.id, { name: 'Ada', notes: ['The Engine', { deep: ['Zürich'] }] });
  const data = new FormData();
  data.set('name', 'Grace');
  data.set('cv', new File(['hello'], 'Lebenslauf.txt', { type: 'text/plain' }));
  await instance.post(form.id, data);
  expect(await searchIn(form.id, 'ENGINE ada')).toBe(1);
  expect(await searchIn(form.id, 'engine grace')).toBe(0);
  expect(await searchIn(form.id, 'zürich')).toBe(1);
  expect(await searchIn(form.id, 'lebenslauf')).toBe(1);
  expect(await searchIn(form.id, 'a', '&part=spam')).toBe(0);
  expect(await searchIn(form.id, '%_.*')).toBe(0);
});

test('a masked number is found by what is shown of it alone', async () => {
  const form = await instance.makeForm(instance.owner);
  await instance.post(form.id, { message: 'my card 4242424242424242' });
  expect(await searchIn(form.id, '424242424242')).toBe(0);
  expect(await searchIn(form.id, '*4242')).toBe(1);
});

test('a search over many goes on from request to request and finds each once', async () => {
  const form = await instance.makeForm(instance.owner);
  const total = 12_000;
  const ids = await keepMany(instance.context, form.id, total, (n) => ({
    message: n % 100 === 7 ? `the needle ${n}` : `hay ${'and straw '.repeat(20)}`,
  }));
  const pages = await followAll(me.page, `/dashboard/forms/${form.id}?q=needle`, 'Search on');
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.flatMap(idsIn)).toEqual(ids.filter((_, n) => n % 100 === 7).reverse());
  expect(pages[0]).toContain('Looked back to <time');
  expect(pages.at(-1)).toContain('120 found in 12,000 submissions. That was all.');
}, 30_000);

test('others are served while it works', async () => {
  const form = await instance.makeForm(instance.owner);
  await keepMany(instance.context, form.id, 5_000, (n) => ({ message: `${n} ${'words '.repeat(500)}` }));
  let served = 0;
  let isOver = false;
  const searches = Promise.all(
    [1, 2, 3, 4].map(() => followAll(me.page, `/dashboard/forms/${form.id}?q=nothing-like-it`, 'Search on')),
  ).then((pages) => {
    isOver = true;
    return pages;
  });
  while (!isOver) {
    await fetch(`${instance.url}/healthz`);
    served++;
  }
  const pages = await searches;
  expect(pages[0]?.at(-1)).toContain('Nothing found in 5,000 submissions.');
  // Without turns, a request would wait until each of the four searches had worked its 30 ms.
  const rounds = pages[0]?.length ?? 0;
  expect(served).toBeGreaterThan(2 * rounds);
}, 30_000);

test('many at once work one after the other, each in a turn of its own', async () => {
  const { context } = instance;
  const form = await instance.makeForm(instance.owner);
  await instance.post(form.id, { message: 'needle' });
  const selection = { formIds: [form.id], part: 'inbox', from: null, until: null } as const;
  const page = { before: Number.MAX_SAFE_INTEGER, limit: 50 };
  const desk = new Semaphore(1);
  let turns = 0;
  const tick = () => {
    turns++;
    ticking = setImmediate(tick);
  };
  let ticking = setImmediate(tick);
  const searches = await Promise.all(
    Array.from({ length: 30 }, () => searchInbox(context, selection, 'needle', page, desk)),
  );
  clearImmediate(ticking);
  expect(searches.map(({ found, looked }) => [found.length, looked])).toEqual(searches.map(() => [1, 1]));
  expect(turns).toBeGreaterThanOrEqual(29);
});

test('what is searched for does not stand in the logs', async () => {
  await searchIn(instance.owner.form.id, 'a-secret-word');
  await me.get('/dashboard/forms/frm_unknown?q=a-secret-word');
  await me.get('/dashboard/inbox?q=a-secret-word&before=nonsense');
  expect(instance.logs.some((line) => line.includes('request refused'))).toBe(true);
  expect(instance.logs.join('\n')).not.toContain('a-secret-word');
});
