import { afterAll, afterEach, beforeAll, expect, mock, spyOn, test } from 'bun:test';
import { INBOX_TEXTS } from '../../../src/dashboard/submissions/inbox/texts.ts';
import { Semaphore } from '../../../src/lib/semaphore.ts';
import { searchSubmissions } from '../../../src/services/submissions/search.ts';
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
afterEach(() => {
  mock.restore();
});

/** Counts the submissions that a search finds, in as many requests as it takes on a slow machine. */
const searchIn = async (formId: string, q: string, more = '') => {
  const path = `/dashboard/forms/${formId}/submissions?q=${encodeURIComponent(q)}${more}`;
  return (await followAll(me.page, path, INBOX_TEXTS.en.searchOn)).flatMap(idsIn).length;
};

test('a search matches all words in values and file names, ignoring case', async () => {
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

test('an excerpt begins shortly before the match, in addresses too', async () => {
  const form = await instance.makeForm(instance.owner);
  const message = 'Thank you for the quick delivery. Could we have the invoice? See https://shop.example/harp/strings';
  await instance.post(form.id, { name: 'Ada', message });
  const page = await me.page(`/dashboard/forms/${form.id}/submissions?q=harp`);
  const [, excerpt = ''] = /<div class="excerpt">([\s\S]*?)<\/div>/.exec(page) ?? [];
  const text = excerpt.replace(/<\/?bdi>/g, '').trim();
  expect(text).toContain('<mark>harp</mark>');
  expect(text.indexOf('<mark>')).toBeLessThan(25);
});

test('a masked number is found by its visible digits only', async () => {
  const form = await instance.makeForm(instance.owner);
  await instance.post(form.id, { message: 'my card 4242424242424242' });
  expect(await searchIn(form.id, '424242424242')).toBe(0);
  expect(await searchIn(form.id, '*4242')).toBe(1);
});

test('a search over many submissions continues across requests and finds each once', async () => {
  const form = await instance.makeForm(instance.owner);
  // A response has at most 50 matches, on any machine.
  const ids = await keepMany(instance.context, form.id, 2_000, (n) => ({
    message: n % 16 === 7 ? `the needle ${n}` : `hay ${'and straw '.repeat(20)}`,
  }));
  const pages = await followAll(me.page, `/dashboard/forms/${form.id}/submissions?q=needle`, INBOX_TEXTS.en.searchOn);
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.flatMap(idsIn)).toEqual(ids.filter((_, n) => n % 16 === 7).reverse());
  expect(pages[0]).toContain('Searched back to <time');
  expect(pages.at(-1)).toContain('125 matches in 2,000 submissions. Search complete.');
});

test('a search yields to the event loop and answers within its time limit', async () => {
  const { context } = instance;
  const form = await instance.makeForm(instance.owner);
  await keepMany(context, form.id, 200, (n) => ({ message: `number ${n}` }));
  const selection = { formIds: [form.id], part: 'inbox', from: null, until: null } as const;
  const page = { before: Number.MAX_SAFE_INTEGER, limit: 50 };
  let turns = 0;
  const tick = () => {
    turns++;
    ticking = setImmediate(tick);
  };
  let ticking = setImmediate(tick);
  // The clock advances by a millisecond when a search reads it: about once per submission.
  let milliseconds = 0;
  const clock = spyOn(performance, 'now').mockImplementation(() => milliseconds++);
  const desk = new Semaphore(1);
  const searches = await Promise.all(
    [1, 2, 3, 4].map(() => searchSubmissions(context, selection, { q: 'nothing' }, page, desk)),
  );
  clock.mockRestore();
  clearImmediate(ticking);
  for (const { searched, reached } of searches) {
    expect(searched).toBeWithin(10, 32);
    expect(reached).not.toBeNull();
  }
  // Each search works for 30 ms, in turns of 5 ms.
  expect(turns).toBeGreaterThanOrEqual(4 * 5);
});

test('concurrent searches run one at a time', async () => {
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
    Array.from({ length: 30 }, () => searchSubmissions(context, selection, { q: 'needle' }, page, desk)),
  );
  clearImmediate(ticking);
  expect(searches.map(({ found, searched }) => [found.length, searched])).toEqual(searches.map(() => [1, 1]));
  expect(turns).toBeGreaterThanOrEqual(29);
});

test('the search text is not logged', async () => {
  await searchIn(instance.owner.form.id, 'a-secret-word');
  await me.get('/dashboard/forms/frm_unknown?q=a-secret-word');
  await me.get('/dashboard/inbox?q=a-secret-word&before=nonsense');
  expect(instance.logs.some((line) => line.includes('request refused'))).toBe(true);
  expect(instance.logs.join('\n')).not.toContain('a-secret-word');
});
