import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { MAIL_PAGES_TEXTS } from '../../../src/dashboard/mail/texts.ts';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import type { Form, FormSettings } from '../../../src/domain/forms/form.ts';
import type { MailState } from '../../../src/domain/mail/mail.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { OWNER, SENDER, startMailing } from '../mail/mailing.ts';
import { followAll } from './list-page.ts';
import { type SignedIn, signIn } from './signed-in.ts';

const EN = CATALOG.textsIn('en');

const mailing = await startMailing();
const { instance, smtp } = mailing;
afterAll(mailing.stop);
afterEach(() => smtp.onMoment(() => undefined));

const words = MAIL_PAGES_TEXTS.en;

async function team(): Promise<Readonly<{ owner: Owner; me: SignedIn; form: Form }>> {
  const owner = await instance.makeOwner();
  return { owner, me: await signIn(instance, owner), form: await ownForm(owner) };
}

function ownForm(owner: Owner, settings: Partial<FormSettings & Pick<Form, 'name'>> = {}): Promise<Form> {
  return instance.makeForm(owner, { name: 'Workshop <b>& Co</b>', notify: [OWNER], ...settings });
}

/** Posts so often and sends what is due then; the server refuses at once, puts off, or takes. */
async function send(
  form: Form,
  verdict: 'refused' | 'put off' | 'taken',
  count = 1,
  more: Record<string, string> = {},
): Promise<void> {
  const code = verdict === 'refused' ? 550 : 451;
  smtp.onMoment(({ stage }) => (verdict !== 'taken' && stage === 'RCPT' ? { code, text: 'No <such> box' } : undefined));
  for (let n = 0; n < count; n++) {
    const answer = await instance.post(form.id, {
      email: 'visitor@home.example',
      message: `Is it open? ${n}`,
      ...more,
    });
    expect(answer.status).toBe(200);
  }
  await mailing.drained();
}

const rowsOf = (markup: string) => markup.split('<li class="entry cause">').slice(1);

const rowsIn = (markup: string) => Array.from(markup.matchAll(/<li class="entry">[\s\S]*?<\/li>/g), ([row]) => row);

const list = async (me: SignedIn, state: MailState) => rowsIn(await me.page(`/dashboard/mail?state=${state}`));

const idIn = (row = '') => /\/dashboard\/mail\/([^/]+)\/retry/.exec(row)?.[1] ?? '';

describe('the mail list', () => {
  test('opens where the trouble is, without codes of the mail library', async () => {
    const { me, form } = await team();
    const current = async () =>
      /href="\/dashboard\/mail\?state=(\w+)" aria-current/.exec(await me.page('/dashboard/mail'))?.[1];
    expect(await current()).toBe('sent');
    await send(form, 'put off');
    expect(await current()).toBe('causes');
    await send(form, 'refused');
    expect(await current()).toBe('causes');
    const [row = ''] = await list(me, 'dead');
    expect(row).toContain('No &lt;such&gt; box');
    expect(row).not.toContain('EENVELOPE');
  });

  test('groups failed mails by recipient and cause, with what the server said', async () => {
    const { me, owner, form } = await team();
    const other = await ownForm(owner, { name: 'Second', notify: [OWNER, 'lena@home.example'] });
    await send(form, 'refused', 3);
    await send(other, 'refused');
    await send(form, 'put off');
    const rows = rowsOf(await me.page('/dashboard/mail'));
    const [first = ''] = rows;
    expect(rows).toHaveLength(3);
    expect(first).toContain(OWNER);
    expect(first).toContain(words.grouped.dead(4, '4'));
    expect(first).toContain('No &lt;such&gt; box');
    expect(first).toContain('Second');
    expect(first).toContain(CATALOG.textsIn('en').strip.more(1));
    expect(rows.filter((row) => row.includes(words.grouped.retrying(1, '1')))).toHaveLength(1);
    expect(rowsOf(await me.page('/dashboard/mail', { 'Accept-Language': 'de' })).join()).toContain(
      MAIL_PAGES_TEXTS.de.grouped.dead(4, '4'),
    );
  });

  test('sends the mails to one recipient again, and leaves others', async () => {
    const { me, owner } = await team();
    const form = await ownForm(owner, { notify: [OWNER, 'lena@home.example'] });
    await send(form, 'refused', 2);
    await send(form, 'put off');
    smtp.onMoment(() => undefined);
    const sent = await me.post('/dashboard/mail/retry', { recipient: 'lena@home.example' });
    expect(sent.headers.get('location')).toBe('/dashboard/mail?done=all');
    await mailing.drained();
    const rows = rowsOf(await me.page('/dashboard/mail'));
    expect(rows.filter((row) => row.includes(OWNER))).toHaveLength(2);
    expect(rows).toHaveLength(2);
    expect((await list(me, 'retrying')).join()).not.toContain('lena@home.example');
  });

  test('changes or removes a failing recipient in all forms of the team', async () => {
    const { me, owner, form } = await team();
    const other = await ownForm(owner, { notify: [OWNER, 'lena@home.example'] });
    const foreign = await team();
    await send(form, 'refused');
    const notified = async ({ id }: Form) => (await instance.context.store.forms.findPublic(id))?.notify;
    const [, path = ''] = /href="(\/dashboard\/mail\/[^"]+\/recipient)"/.exec(await me.page('/dashboard/mail')) ?? [];
    expect(await me.page(path)).toContain(words.removeFrom(2));
    expect((await foreign.me.get(path)).status).toBe(404);
    expect((await me.post(path, { address: 'nobody' })).status).toBe(400);
    expect((await me.post(path, { address: 'new@home.example' })).headers.get('location')).toBe(
      '/dashboard/mail?done=changed',
    );
    expect([await notified(form), await notified(other)]).toEqual([
      ['new@home.example'],
      ['new@home.example', 'lena@home.example'],
    ]);
    expect(await notified(foreign.form)).toEqual([OWNER]);
    expect(await list(me, 'dead')).toEqual([]);
    await send(form, 'refused');
    const [, again = ''] = /href="(\/dashboard\/mail\/[^"]+\/recipient)"/.exec(await me.page('/dashboard/mail')) ?? [];
    await me.post(again, { do: 'remove' });
    expect([await notified(form), await notified(other)]).toEqual([[], ['lena@home.example']]);
  });

  test('shows kind, recipient, form and submission of a sent mail', async () => {
    const { me, form } = await team();
    await send(form, 'taken');
    const [row = '', ...others] = await list(me, 'sent');
    expect(others).toEqual([]);
    const [submission] =
      (await instance.context.store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
    expect(row).toContain(words.kinds.notification);
    expect(row).toContain(OWNER);
    expect(row).toContain('Workshop &lt;b&gt;&amp; Co&lt;/b&gt;');
    expect(row).toContain(`href="/dashboard/submissions/${submission?.id}"`);
    expect(row).toContain('just now');
    expect(row).not.toContain('<form');
    for (const state of ['queued', 'retrying', 'dead'] as const) expect(await list(me, state)).toEqual([]);
  });

  test('shows next attempt and server response of a retrying mail, and retries it at once', async () => {
    const { me, form } = await team();
    await send(form, 'put off');
    const [row = ''] = await list(me, 'retrying');
    expect(row).toContain(words.next);
    expect(row).toContain('451 No &lt;such&gt; box');
    expect(row).toContain('failed once');
    await send(form, 'taken', 0);
    expect(await list(me, 'retrying')).toHaveLength(1);
    const done = await me.post(`/dashboard/mail/${idIn(row)}/retry`);
    expect(done.headers.get('location')).toBe('/dashboard/mail?done=again');
    expect(await me.page('/dashboard/mail?done=again')).toContain(words.done.again);
    await mailing.drained();
    expect(await list(me, 'sent')).toHaveLength(1);
    expect((await me.post(`/dashboard/mail/${idIn(row)}/retry`)).status).toBe(404);
  });

  test('names the sender of the submission, and not the address of an auto-reply', async () => {
    const { owner, me } = await team();
    const answering = await ownForm(owner, {
      notify: [],
      autoReplySubject: 'Thanks',
      autoReplyText: 'We answer soon.',
    });
    await send(answering, 'taken', 1, { name: 'Ada Lovelace' });
    const [row = ''] = await list(me, 'sent');
    expect(row).toContain(words.kinds.auto_reply);
    expect(row).toContain('Ada Lovelace');
    expect(row).toContain(words.visitor);
    expect(row).not.toContain('visitor@home.example');
  });

  test('shows a plan limit warning to the team, without a form', async () => {
    const { owner, me } = await team();
    const { store } = instance.context;
    await store.teams.update(owner.teamId, { plan: 'free' });
    const post = (n: number) => instance.post(owner.form.id, { message: `number ${n}` });
    await Promise.all(Array.from({ length: 79 }, (_, n) => post(n)));
    expect((await store.mails.list({ state: null, limit: 1000 })).some(({ kind }) => kind === 'cap_warning')).toBe(
      false,
    );
    await post(80);
    await mailing.drained();
    const [row = '', ...others] = await list(me, 'sent');
    expect(others).toEqual([]);
    expect(row).toContain(words.kinds.cap_warning);
    expect(row).toContain(me.user.email);
    const stranger = await signIn(instance, await instance.makeOwner());
    expect(await list(stranger, 'sent')).toEqual([]);
  });
});

test('a team retries all its dead mails, and none of another team', async () => {
  const mine = await team();
  const theirs = await team();
  await send(mine.form, 'refused', 3);
  await send(await ownForm(mine.owner), 'refused', 2);
  await send(theirs.form, 'refused');
  expect(await list(mine.me, 'dead')).toHaveLength(5);
  expect(await mine.me.page('/dashboard/mail')).toMatch(/Failed <span class="badge bad">5</);
  smtp.onMoment(() => undefined);
  const before = smtp.mails.length;
  const done = await mine.me.post('/dashboard/mail/retry');
  expect(done.headers.get('location')).toBe('/dashboard/mail?done=all');
  await mailing.drained();
  expect(smtp.mails.length - before).toBe(5);
  expect(await list(mine.me, 'dead')).toEqual([]);
  expect(await list(mine.me, 'sent')).toHaveLength(5);
  expect(await list(theirs.me, 'dead')).toHaveLength(1);
});

test('a team can neither see nor retry mails of another team', async () => {
  const mine = await team();
  const theirs = await team();
  await send(theirs.form, 'put off');
  const [row] = await list(theirs.me, 'retrying');
  expect(await list(mine.me, 'retrying')).toEqual([]);
  expect((await mine.me.post(`/dashboard/mail/${idIn(row)}/retry`)).status).toBe(404);
  expect((await mine.me.post('/dashboard/mail/mail_unknown/retry')).status).toBe(404);
  expect(await list(theirs.me, 'retrying')).toEqual([row ?? '']);
});

test('paging lists each mail of all forms once, newest first', async () => {
  // No mail server listens there: mails fail at once.
  const failing = await startInstance({ env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: SENDER } });
  const me = await signIn(failing, failing.owner);
  const forms = [await failing.makeForm(failing.owner, { notify: [OWNER] })];
  forms.push(await failing.makeForm(failing.owner, { name: 'Other', notify: [OWNER] }));
  await Promise.all(
    Array.from({ length: 120 }, (_, n) => failing.post(forms[n % 2]?.id ?? '', { message: `number ${n}` })),
  );
  const { store } = failing.context;
  await until(
    async () => (await store.mails.list({ state: 'retrying', limit: 200 })).length === 120,
    'all mails to fail once',
  );
  const pages = await followAll(me.page, '/dashboard/mail?state=retrying', EN.common.older);
  const shown = pages.map(rowsIn);
  expect(shown.map(({ length }) => length)).toEqual([50, 50, 20]);
  const ids = shown.flat().map(idIn);
  expect(new Set(ids).size).toBe(120);
  expect(ids).toEqual(ids.toSorted().reverse());
  expect(pages[0]).toContain('>99+<');
  expect(pages[1]).toContain(`href="/dashboard/mail?state=retrying">${EN.common.newest}<`);
  expect(await me.page('/dashboard/mail?state=retrying&before=%27nonsense')).toContain(
    words.none.retrying[0] as string,
  );
  await failing.stop();
});

describe('a test mail', () => {
  test('is sent at once to the given address', async () => {
    const { me } = await team();
    expect(await me.page('/dashboard/mail')).toContain(`value="${me.user.email}"`);
    const before = smtp.mails.length;
    const done = await me.post('/dashboard/mail/test', { to: ' ada@home.example ' });
    expect(done.headers.get('location')).toBe('/dashboard/mail?done=tested');
    expect(smtp.mails.slice(before).map(({ from, to }) => [from, to])).toEqual([[SENDER, ['ada@home.example']]]);
    expect(await me.page('/dashboard/mail?done=tested')).toContain(words.done.tested);
  });

  test('shows the reason of a failure and keeps the input', async () => {
    const { me } = await team();
    smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 553, text: 'Not <yours>' } : undefined));
    const answer = await me.post('/dashboard/mail/test', { to: 'ada@home.example' });
    expect(answer.status).toBe(400);
    const markup = await answer.text();
    expect(markup).toMatch(/role="alert">[^<]*rejected the sender[^<]*MAIL_FROM[^<]*553 Not &lt;yours&gt;/);
    expect(markup).toContain('value="ada@home.example"');
    expect(markup).not.toContain(words.reachable);
  });

  test('goes to a single address, with a limit per hour', async () => {
    const { me } = await team();
    const seen = smtp.mails.length;
    const to = 'ada@home.example\r\nBcc: eve@evil.example';
    const wrong = await me.post('/dashboard/mail/test', { to });
    expect([wrong.status, smtp.mails.length]).toEqual([400, seen]);
    expect(await wrong.text()).toContain(words.testAddress);
    for (let n = 1; n < 20; n++)
      expect((await me.post('/dashboard/mail/test', { to: 'ada@home.example' })).status).toBe(303);
    const refused = await me.post('/dashboard/mail/test', { to: 'ada@home.example' });
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining(words.tooManyTests)]);
    expect(smtp.mails.length).toBe(seen + 19);
  });
});

test('every page shows the number of failed mails of the team, without auto-replies', async () => {
  const { me, owner, form } = await team();
  const stranger = await team();
  const badge = /<a href="\/dashboard\/mail"[^>]*><svg.*?<\/svg>Mail <span class="badge bad">(\d+) <span[^>]*>failed</;
  const shown = async (page: string) => badge.exec(await me.page(page))?.[1];
  expect(await shown('/dashboard/forms')).toBeUndefined();
  await send(await ownForm(owner, { autoReplyText: 'Thanks' }), 'refused', 2);
  for (const page of ['/dashboard/inbox', '/dashboard/forms', '/dashboard/mail', '/dashboard/account']) {
    expect(await shown(page)).toBe('2');
  }
  expect(badge.exec(await (await me.get('/dashboard/forms/frm_none')).text())?.[1]).toBe('2');
  expect(await stranger.me.page('/dashboard/inbox')).not.toMatch(badge);
  await send(form, 'taken');
  await me.post('/dashboard/mail/retry');
  await mailing.drained();
  expect(await shown('/dashboard/inbox')).toBeUndefined();
});

test('without a mail server the page names the settings', async () => {
  const silent: Instance = await startInstance();
  try {
    const me = await signIn(silent, silent.owner);
    const markup = await me.page('/dashboard/mail');
    for (const name of ['SMTP_URL', 'MAIL_FROM']) expect(markup).toContain(name);
    expect(markup).not.toContain('/dashboard/mail/test');
    const answer = await me.post('/dashboard/mail/test', { to: 'ada@home.example' });
    expect(answer.status).toBe(400);
    expect(await me.page('/dashboard/mail', { 'Accept-Language': 'de' })).toContain('kein Mailserver');
  } finally {
    await silent.stop();
  }
});
