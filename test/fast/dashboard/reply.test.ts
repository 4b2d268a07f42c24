import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import { REPLIES_PER_HOUR } from '../../../src/domain/submissions/message.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { getRandomPart, newId } from '../../../src/lib/ids.ts';
import { startInstance } from '../../support/instance.ts';
import { ciphertextOf, tracesOf } from '../../support/traces.ts';
import { header, only, SENDER, startMailing } from '../mail/mailing.ts';
import { linkIn } from './list-page.ts';
import { type SignedIn, signIn } from './signed-in.ts';

let now = Date.UTC(2026, 10, 21, 14, 12) * 1000;
const mailing = await startMailing({}, () => now);
const { instance } = mailing;
const { store } = instance.context;
let me: SignedIn;
beforeAll(async () => {
  me = await signIn(instance, instance.owner, { email: 'ada@team.example' });
});
afterAll(mailing.stop);

const ADA = {
  name: 'Ada Byron',
  email: 'ada@home.example',
  message: 'Do you repair harps?\nMy card is 4242424242424242.',
};

async function newest(form: Form, onlySpam = false) {
  const [one] = (await store.submissions.listRecent(form.id, { onlySpam, limit: 1 })) ?? [];
  if (!one) throw new Error('nothing is stored');
  return one;
}

/** Posts to a form without recipients. Returns the submission and its path. */
async function posted(body: Record<string, string> = ADA, settings: Parameters<typeof mailing.form>[0] = {}) {
  const form = await mailing.form({ notify: [], name: 'Harps', ...settings });
  await mailing.sent(form, body);
  const { id } = await newest(form);
  return { form, id, path: `/dashboard/submissions/${id}` };
}

const inputOf = (markup: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(markup)?.[1] ?? '';

describe('a reply', () => {
  test('goes to the visitor from the form, with the masked submission quoted, and is shown as sent', async () => {
    const { path, id } = await posted();
    const page = await me.page(path);
    expect(linkIn(page, 'Reply')).toBeNull();
    expect(page).toContain('href="#reply-text"');
    expect(page).toContain('Answers go to ada@team.example.');
    expect(/id="subject"[^>]*value="([^"]*)"/.exec(page)?.[1]).toBe('Re: Harps');
    const message = inputOf(page, 'message');
    const answer = await me.post(`${path}/reply`, {
      message,
      subject: 'Re: Your <harp>',
      text: 'Yes & soon.\r\n\r\nAda',
    });
    expect(answer.headers.get('location')).toContain(`${path}?`);
    const mail = only(await mailing.drained());
    expect(mail.envelope.to).toEqual(['ada@home.example']);
    expect(mail.mail.from).toEqual({ name: 'Harps', address: SENDER });
    expect(mail.mail.replyTo?.map(({ address }) => address)).toEqual(['ada@team.example']);
    expect(mail.mail.subject).toBe('Re: Your <harp>');
    expect(mail.mail.text).toBe(
      'Yes & soon.\n\nAda\n\nOn 21 Nov 2026, 14:12 UTC, ada@home.example wrote:\n' +
        '> Do you repair harps?\n> My card is ************4242.\n',
    );
    expect(mail.mail.html).toContain('Yes &amp; soon.');
    expect(mail.mail.html).not.toContain('4242424242424242');
    expect([header(mail, 'auto-submitted'), header(mail, 'x-auto-response-suppress')]).toEqual([[], []]);
    expect(header(mail, 'references')).toEqual([`<sub_${getRandomPart(id)}.reply@mail.example>`]);
    const shown = await me.page(path);
    expect(shown).toMatch(/ada@team\.example[\s\S]*Your &lt;harp&gt;[\s\S]*Yes &amp; soon\.[\s\S]*>Sent</);
  });

  test('follows the earlier ones in a thread, and uses sender and reply address of the form', async () => {
    const { path, id } = await posted(ADA, { senderName: 'Harp "Shop"', replyTo: 'desk@shop.example' });
    await me.post(`${path}/reply`, { subject: 'Re: a', text: 'One' });
    const first = only(await mailing.drained());
    await me.post(`${path}/reply`, { subject: 'Re: a', text: 'Two' });
    const second = only(await mailing.drained());
    expect(second.mail.from).toEqual({ name: 'Harp "Shop"', address: SENDER });
    expect(second.mail.replyTo?.[0]?.address).toBe('desk@shop.example');
    expect(header(second, 'references')).toEqual([
      `<sub_${getRandomPart(id)}.reply@mail.example> ${first.envelope.messageId}`,
    ]);
    expect(header(second, 'in-reply-to')).toEqual([first.envelope.messageId]);
  });

  test('follows the auto-reply of its submission', async () => {
    const form = await mailing.form({ notify: [], autoReplySubject: 'Thanks', autoReplyText: 'We will write.' });
    const { envelope } = only(await mailing.sent(form, ADA));
    const { id } = await newest(form);
    await me.post(`/dashboard/submissions/${id}/reply`, { subject: 'Re: a', text: 'Yes' });
    expect(header(only(await mailing.drained()), 'in-reply-to')).toEqual([envelope.messageId]);
  });

  test('is sent once if its page is posted twice', async () => {
    const { path } = await posted();
    const before = mailing.smtp.mails.length;
    const fields = { message: newId('msg'), subject: 'Re: a', text: 'Once' };
    await Promise.all([me.post(`${path}/reply`, fields), me.post(`${path}/reply`, fields)]);
    await me.post(`${path}/reply`, fields);
    await mailing.drained();
    expect(mailing.smtp.mails.slice(before)).toHaveLength(1);
  });

  test('that fails is shown with the reason, on the Mail page too, and can be sent again', async () => {
    const { path, id } = await posted();
    mailing.smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code: 550, text: 'No <such> user' } : undefined));
    await me.post(`${path}/reply`, { subject: 'Re: a', text: 'Hello' });
    await mailing.drained();
    mailing.smtp.onMoment(() => undefined);
    expect(await me.page(path)).toMatch(/>Failed<[\s\S]*No &lt;such&gt; user/);
    expect(await me.page('/dashboard/mail?state=dead')).toContain('Reply');
    await me.post('/dashboard/mail/dismiss', {});
    now += 31 * DAY;
    await store.mails.prune();
    me = await signIn(instance, instance.owner, { email: 'bob@team.example' });
    const page = await me.page(path);
    expect(page).toContain('>Failed<');
    const [mail] = await store.inbox.listMailsOf(id);
    await me.post(`${path}/mails/${mail?.id}/send`);
    only(await mailing.drained());
    expect(await me.page(path)).toContain('>Sent<');
  });

  test('keeps the text and explains what is wrong with it', async () => {
    const { path } = await posted();
    const empty = await me.post(`${path}/reply`, { subject: 'Re: mine', text: '  \n ' });
    expect([empty.status, await empty.text()]).toEqual([400, expect.stringContaining('Enter a text.')]);
    const before = mailing.smtp.mails.length;
    for (let count = 0; count < REPLIES_PER_HOUR; count++) await me.post(`${path}/reply`, { subject: 'a', text: 'b' });
    const refused = await me.post(`${path}/reply`, { subject: 'Re: <mine>', text: 'kept </textarea>' });
    const page = await refused.text();
    expect(refused.status).toBe(429);
    expect(page).toContain('replies within an hour');
    expect(page).toContain('kept &lt;/textarea&gt;');
    expect(page).toContain('value="Re: &lt;mine&gt;"');
    await mailing.drained();
    expect(mailing.smtp.mails.length - before).toBe(REPLIES_PER_HOUR);
  });

  test('is possible for spam, but not suggested, and needs an address and the role', async () => {
    const form = await mailing.form({ notify: [], blockedWords: ['casino'] });
    await mailing.sent(form, { ...ADA, message: 'win at our casino' });
    const spam = `/dashboard/submissions/${(await newest(form, true)).id}`;
    const page = await me.page(spam);
    expect(page).not.toContain('href="#reply-text"');
    expect(page).toContain('Reply to this submission');
    await me.post(`${spam}/reply`, { subject: 'Re: a', text: 'No, thank you.' });
    only(await mailing.drained());
    const { path } = await posted({ message: 'nobody' });
    expect(await me.page(path)).not.toContain('id="reply"');
    expect((await me.post(`${path}/reply`, { subject: 'a', text: 'b' })).status).toBe(409);
    const viewer = await signIn(instance, instance.owner, {}, 'viewer');
    const seen = await viewer.page(spam);
    expect(seen).toContain('No, thank you.');
    expect(seen).not.toMatch(/id="reply"|id="note-text"|\/assign/);
  });

  test('is a mail link with the text quoted, within limits, without a mail server', async () => {
    const own = await startInstance();
    const someone = await signIn(own, own.owner);
    const reply = async (body: Record<string, unknown>) => {
      await own.post(own.owner.form.id, body);
      const [one] =
        (await own.context.store.submissions.listRecent(own.owner.form.id, { onlySpam: false, limit: 1 })) ?? [];
      const page = await someone.page(`/dashboard/submissions/${one?.id}`);
      return /href="(mailto:[^"]*subject=[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? null;
    };
    const link = await reply({ email: 'a+b&c?d@example.com', message: 'Do you?\nMy card: 4242424242424242' });
    expect(link).toStartWith('mailto:a%2Bb%26c%3Fd@example.com?subject=Re%3A%20Contact&body=');
    expect(decodeURIComponent(link ?? '')).toMatch(/wrote:\r\n> Do you\?\r\n> My card: \*{12}4242$/);
    const long = await reply({ email: 'a@example.com', message: 'ハープ'.repeat(5_000) });
    expect(long?.length).toBeLessThan(2_000);
    expect(decodeURIComponent(long ?? '')).toEndWith('…');
    expect(await reply({ email: 'a@example.com, b@example.com' })).toBeNull();
    expect(await reply({ email: '4242424242424242@example.com' })).toBeNull();
    expect(await reply({ name: 'Ada' })).toBeNull();
    await own.stop();
  });
});

describe('a note', () => {
  test('is for the team, and deleted by its author alone', async () => {
    const { path, id } = await posted();
    const text = 'Call back <b>tomorrow</b>, see https://harps.example/a';
    await me.post(`${path}/notes`, { text });
    const page = await me.page(path);
    expect(page).toContain('Call back &lt;b&gt;tomorrow&lt;/b&gt;');
    expect(page).toContain('<a href="https://harps.example/a" rel="noopener noreferrer">');
    const [note] = await store.messages.list([id]);
    const other = await signIn(instance, instance.owner, {}, 'editor');
    expect(await other.page(path)).not.toContain('Delete note');
    expect((await other.post(`${path}/notes/${note?.id}/delete`)).status).toBe(404);
    expect((await me.post(`${path}/notes/${note?.id}/delete`)).status).toBe(303);
    expect(await me.page(path)).not.toContain('Call back');
    expect(await mailing.drained()).toEqual([]);
  });

  test('is sealed on disk, and gone from it with its submission', async () => {
    const { path, id } = await posted();
    const secret = crypto.randomUUID();
    await me.post(`${path}/notes`, { text: secret });
    await me.post(`${path}/reply`, { subject: 'a', text: secret });
    await mailing.drained();
    const bodies = (await store.messages.list([id])).map(({ body }) => ciphertextOf(body));
    expect(await tracesOf(instance.dataDir, [Buffer.from(secret)])).toEqual([]);
    expect(await tracesOf(instance.dataDir, bodies)).not.toEqual([]);
    await me.post(`${path}/trash`);
    await me.post(`${path}/delete`);
    await store.upkeep.purge();
    expect(await tracesOf(instance.dataDir, bodies)).toEqual([]);
  });

  test('long threads show the latest messages, and all on request', async () => {
    const { path } = await posted();
    for (let count = 1; count <= 4; count++)
      await me.post(`${path}/notes`, { text: `note ${count} ${'x'.repeat(9_000)}` });
    const page = await me.page(path);
    expect(page).toContain('Show 2 earlier');
    expect(page).not.toContain('note 2 ');
    expect(await me.page(`${path}?thread=all`)).toContain('note 1 ');
  });
});

describe('an assignment', () => {
  test('names a member, and ends with nobody', async () => {
    const { path } = await posted();
    const editor = await signIn(instance, instance.owner, { email: 'eve@team.example' }, 'editor');
    await me.post(`${path}/assign`, { user: editor.user.id });
    expect(await me.page(path)).toContain('Assigned to eve@team.example');
    expect((await me.post(`${path}/assign`, { user: 'usr_none' })).status).toBe(404);
    await me.post(`${path}/assign`, { user: '' });
    expect(await me.page(path)).not.toContain('Assigned to');
  });
});

test('a star is added and removed', async () => {
  const { path, id } = await posted();
  const isStarred = async () => (await store.submissions.find(id, instance.owner.teamId))?.isStarred;
  expect((await me.post(`${path}/star`, { starred: 'yes' })).status).toBe(303);
  expect([await isStarred(), await me.page(path)]).toEqual([true, expect.stringContaining('Remove star')]);
  await me.post(`${path}/star`, { starred: 'no' });
  expect(await isStarred()).toBe(false);
});

describe('the trash', () => {
  test('takes a submission with an undo, and shows it with what can be done', async () => {
    const { path, form } = await posted();
    await me.post(`${path}/notes`, { text: 'kept' });
    const moved = await me.post(`${path}/trash`, { list: 'in=inbox' });
    const to = moved.headers.get('location') ?? '';
    expect(to).toBe(`${path}?in=inbox&done=trashed`);
    const page = await me.page(to);
    expect(page).toMatch(/class="toast"[\s\S]*Undo/);
    expect(page).toContain('In the trash. Deleted permanently on');
    expect(page).toContain('kept');
    expect(page).not.toMatch(/submissions\/\w+\/(?:reply|notes|spam|assign|trash)"/);
    for (const action of ['trash', 'reply', 'notes', 'spam', 'assign', 'star', 'read']) {
      expect((await me.post(`${path}/${action}`, { text: 'x' })).status).toBe(404);
    }
    expect(await store.submissions.find(path.split('/').at(-1) ?? '', instance.owner.teamId)).toBeNull();
    await me.post(`${path}/restore`);
    expect(await me.page(`/dashboard/forms/${form.id}/submissions`)).toContain('Ada Byron');
    expect((await me.post(`${path}/restore`)).status).toBe(404);
  });
});
