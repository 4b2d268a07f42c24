import { afterAll, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { signIn } from './signed-in.ts';

const instance = await startInstance();
afterAll(() => instance.stop());
const { owner } = instance;

const submissionOf = async (message: string) => {
  const form = await instance.makeForm(owner, { name: 'Studio', blockedWords: ['casino'] });
  await instance.post(form.id, { message });
  const [row] = (await instance.context.store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  if (!row) throw new Error('nothing was stored');
  const isSpam = async () => (await instance.context.store.submissions.find(row.id, owner.teamId))?.isSpam;
  return { path: `/dashboard/submissions/${row.id}`, isSpam };
};

test.each([
  ['spam', 'Hello', 'Mark as spam', false],
  ['genuine', 'casino', 'Not spam', true],
])(
  'the link /%s in a mail asks before it marks, and leads on if that is done',
  async (link, message, button, before) => {
    const me = await signIn(instance, owner);
    const { path, isSpam } = await submissionOf(message);
    const page = await me.get(`${path}/${link}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(new RegExp(`action="${path}/${link}".*Studio.*<button[^>]*>${button}<`, 's'));
    expect(await isSpam()).toBe(before);
    expect((await me.post(`${path}/${link}`)).status).toBe(303);
    expect(await isSpam()).toBe(!before);
    const again = await me.get(`${path}/${link}`);
    expect([again.status, again.headers.get('location')?.startsWith(path)]).toEqual([303, true]);
  },
);

test('without a session, the link leads to the sign-in and then to the question', async () => {
  const { path } = await submissionOf('Hello');
  const answer = await fetch(`${instance.url}${path}/spam`, { redirect: 'manual' });
  expect(answer.headers.get('location')).toBe(`/dashboard/sign-in?to=${encodeURIComponent(`${path}/spam`)}`);
});
