import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import type { MaybeSpamAction } from '../../../src/domain/spam/spam.ts';
import { until } from '../../support/until.ts';
import { startMailing } from '../mail/mailing.ts';
import { MAYBE_SPAM } from '../spam/maybe-spam.ts';
import { idsIn } from './list-page.ts';
import { type SignedIn, signIn } from './signed-in.ts';

const mailing = await startMailing();
const { instance } = mailing;
let me: SignedIn;
beforeAll(async () => {
  me = await signIn(instance, instance.owner);
});
afterAll(mailing.stop);

const BADGE = '<span class="badge warn">Suspected spam</span>';

/** Posts what may be spam, and a genuine message. Returns the id of the first. */
async function posted(maybeSpamAction: MaybeSpamAction): Promise<{ form: Form; id: string; list: string }> {
  const form = await mailing.form({ maybeSpamAction });
  await mailing.sent(form, MAYBE_SPAM);
  const [newest] = (await instance.context.store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  await mailing.sent(form, { message: 'Do you repair harps?' });
  return { form, id: newest?.id ?? '', list: `/dashboard/forms/${form.id}/submissions` };
}

const storedOf = (id: string) => instance.context.store.submissions.find(id, instance.owner.teamId);

describe('the inbox', () => {
  test('marks it, and lists it with its reasons in a view of its own', async () => {
    const { id, list } = await posted('deliver');
    const inbox = await me.page(list);
    expect(idsIn(inbox)).toHaveLength(2);
    expect(inbox.split(BADGE)).toHaveLength(2);
    expect(inbox).toMatch(/Suspected spam<span class="count"> 1<\/span>/);
    const view = await me.page(`${list}?part=maybe`);
    expect(idsIn(view)).toEqual([id]);
    expect(view).toContain('a forged page timestamp');
    expect(view).toContain('value="genuine"');
    expect(view).toContain('value="spam"');
  });

  test('shows the view only while it has submissions', async () => {
    const form = await mailing.form();
    expect(await me.page(`/dashboard/forms/${form.id}/submissions`)).not.toContain('Suspected spam');
    const empty = await me.page(`/dashboard/forms/${form.id}/submissions?part=maybe`);
    expect(empty).toContain('No suspected spam');
  });

  test('marks many as not spam or as spam', async () => {
    for (const [action, isSpam] of [
      ['genuine', false],
      ['spam', true],
    ] as const) {
      const { form, id } = await posted('hold');
      const query = `in=${form.id}&part=maybe`;
      const before = mailing.smtp.mails.length;
      const answer = await me.post('/dashboard/submissions', { do: action, submission: id, list: query });
      expect(answer.headers.get('location')).toContain(`done=${action}`);
      expect(answer.headers.get('location')?.includes('undo=')).toBe(isSpam);
      expect(await storedOf(id)).toMatchObject({ isSpam, isMaybeSpam: false });
      await mailing.drained();
      expect(mailing.smtp.mails.slice(before)).toHaveLength(isSpam ? 0 : 1);
    }
  });
});

test.each([
  ['hold', 'spam'],
  ['deliver', 'spam'],
  ['deliver', 'genuine'],
] as const)('undoing a mark in the inbox restores possible spam and sends no mail: %s, %s', async (kind, mark) => {
  const { form, id } = await posted(kind);
  await mailing.drained();
  const path = `/dashboard/forms/${form.id}/submissions`;
  const ids = idsIn(await me.page(path));
  const answer = await me.post('/dashboard/submissions', { do: mark, submission: ids, list: `in=${form.id}` });
  expect(await storedOf(id)).toMatchObject({ isSpam: mark === 'spam', isMaybeSpam: false });
  const undo = new URL(answer.headers.get('location') ?? '', instance.url).searchParams.get('undo') ?? '';
  const undone = await me.post('/dashboard/submissions/undo', { undo, list: `in=${form.id}` });
  expect(undone.headers.get('location')).toContain(`count=${mark === 'spam' ? ids.length : 1}`);
  expect(await storedOf(id)).toMatchObject({ isSpam: false, isMaybeSpam: true });
  const { store } = instance.context;
  await until(async () => (await store.spam.findWork(1, instance.owner.teamId)) === null, 'the learning job');
  expect(await store.spam.findLearned([id])).toEqual([]);
  expect(await mailing.drained()).toEqual([]);
});

describe('the page of a submission', () => {
  test.each(['deliver', 'hold'] as const)('says why, and takes the mark away: %s', async (action) => {
    const { id } = await posted(action);
    const isHeld = action === 'hold';
    const path = `/dashboard/submissions/${id}`;
    const page = await me.page(path);
    expect(page).toContain(BADGE);
    expect(page).toContain('<li>a forged page timestamp</li>');
    expect(page.includes('Nobody was notified.')).toBe(isHeld);
    expect(page).toContain(`action="${path}/genuine"`);
    expect(page).toContain(`action="${path}/spam"`);
    expect(await me.page(`${path}/genuine`)).toContain('Not spam?');
    const before = mailing.smtp.mails.length;
    const answer = await me.post(`${path}/genuine`);
    const done = await me.page(answer.headers.get('location') ?? '');
    expect(done.includes('Held emails are queued.')).toBe(isHeld);
    expect(done).toContain('Marked as not spam.');
    expect(done).not.toContain(BADGE);
    await mailing.drained();
    expect(mailing.smtp.mails.slice(before)).toHaveLength(isHeld ? 1 : 0);
  });

  test('does not say that mails are on hold after a delivered one was marked as spam', async () => {
    const { id } = await posted('deliver');
    await me.post(`/dashboard/submissions/${id}/spam`);
    const page = await me.page(`/dashboard/submissions/${id}`);
    expect(page).toContain('<li>a forged page timestamp</li>');
    expect(page).not.toContain('on hold');
  });

  test('is in German too', async () => {
    const { id } = await posted('hold');
    const german = await signIn(instance, instance.owner, { language: 'de' });
    const page = await german.page(`/dashboard/submissions/${id}`);
    expect(page).toContain('Möglicherweise Spam, aus diesen Gründen:');
  });
});

test('the settings offer the three actions', async () => {
  const form = await mailing.form({ maybeSpamAction: 'hold' });
  const path = `/dashboard/forms/${form.id}/settings/spam`;
  const page = await me.page(path);
  expect(page.match(/type="radio" name="maybeSpamAction" value="\w+"/g)).toHaveLength(3);
  expect(page).toContain('name="maybeSpamAction" value="hold" checked');
  await me.post(path, { challenge: 'none', maybeSpamAction: 'challenge', blockedWords: '' });
  expect(await me.page(path)).toContain('name="maybeSpamAction" value="challenge" checked');
});
