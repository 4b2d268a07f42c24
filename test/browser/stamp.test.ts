import { afterAll, afterEach, expect, test } from 'bun:test';
import { until } from '../support/until.ts';
import { openStage, saying } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance, scripted } = stage;
const FIELDS = '<label>Name <input name="name"></label><input type="hidden" name="_stamp"><button>Send</button>';

test('the script fills in the time stamp, which is not stored', async () => {
  const owner = await instance.makeOwner();
  const page = await stage.open(scripted(FIELDS, { form: owner.form }));
  const stamp = page.locator('[name=_stamp]');
  expect(await until(() => stamp.inputValue(), 'the script to fill in the time stamp')).toMatch(/^\d+\.[0-9a-f]{32}$/);
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button').click();
  await saying(page, 'Thank you').waitFor();
  expect((await instance.stored(owner)).map(({ data }) => data)).toEqual([{ name: 'Ada' }]);
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
