import { afterAll, afterEach, expect, test } from 'bun:test';
import type { Owner } from '../support/instance.ts';
import { until } from '../support/until.ts';
import { openStage, saying } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance, scripted } = stage;
const FIELDS = '<label>Name <input name="name"></label><button>Send</button>';

/** Opens a page with a form, and returns it with the requests for stamps and the bodies of posts so far. */
async function openForm(owner: Owner, fields = FIELDS) {
  const page = await stage.open(scripted(fields, { form: owner.form }));
  const stamps: string[] = [];
  const posts: string[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/stamp')) stamps.push(response.url());
  });
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.postData() ?? '');
  });
  return { page, stamps, posts };
}

test('the script fetches one time stamp at the first focus and sends it, which is not stored', async () => {
  const owner = await instance.makeOwner();
  const { page, stamps, posts } = await openForm(owner);
  expect(stamps).toEqual([]);
  await page.getByLabel('Name').focus();
  await until(() => stamps.length > 0, 'the script to fetch a time stamp');
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button').click();
  await saying(page, 'Thank you').waitFor();
  expect(posts.join()).toMatch(/name="_stamp"\s+\d+\.[0-9a-f]{32}\.focus\s/);
  expect(stamps).toEqual([`${instance.url}/v1/forms/${owner.form.id}/stamp`]);
  expect((await instance.stored(owner)).map(({ data }) => data)).toEqual([{ name: 'Ada' }]);
});

test('a form is sent without a time stamp if the instance gives none', async () => {
  const owner = await instance.makeOwner();
  const { page, posts } = await openForm(owner);
  await page.route('**/stamp', (route) => route.abort());
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button').click();
  await saying(page, 'Thank you').waitFor();
  expect(posts.join()).not.toContain('_stamp');
  expect((await instance.stored(owner)).map(({ data }) => data)).toEqual([{ name: 'Ada' }]);
});

test('an input of that name, as earlier pages have, gets the time stamp', async () => {
  const owner = await instance.makeOwner();
  const { page, stamps, posts } = await openForm(owner, `${FIELDS}<input type="hidden" name="_stamp">`);
  await page.getByLabel('Name').focus();
  await until(() => stamps.length > 0, 'the script to fetch a time stamp');
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button').click();
  await saying(page, 'Thank you').waitFor();
  expect(posts.join().match(/name="_stamp"/g)).toHaveLength(1);
});

test('a stamp is signed for its form, not cached, and readable by any page', async () => {
  const { form } = await instance.makeOwner();
  const ask = () =>
    fetch(`${instance.url}/v1/forms/${form.shortId}/stamp`, { headers: { Origin: 'https://a.example' } });
  const answer = await ask();
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const other = await instance.makeOwner();
  const [mine, theirs] = await Promise.all([
    answer.json(),
    (await fetch(`${instance.url}/v1/forms/${other.form.id}/stamp`)).json(),
  ]);
  expect(mine).not.toEqual(theirs);
  expect((await fetch(`${instance.url}/v1/forms/none/stamp`)).status).toBe(404);
});
