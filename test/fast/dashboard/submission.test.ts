import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { startMailing } from '../mail/mailing.ts';
import { idsIn, linkIn } from './list-page.ts';
import { type SignedIn, signIn } from './signed-in.ts';

const mailing = await startMailing();
const { instance } = mailing;
let me: SignedIn;
beforeAll(async () => {
  me = await signIn(instance, instance.owner);
});
afterAll(mailing.stop);

/** Posts to a form. Returns the path of the submission. */
async function posted(form: Form, body: Parameters<typeof instance.post>[1]): Promise<string> {
  const answer = await instance.post(form.id, body, typeof body === 'string' ? JSON_TYPE : {});
  if (answer.status !== 200) throw new Error(await answer.text());
  const { store } = instance.context;
  const [newest] = (await store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  return `/dashboard/submissions/${newest?.id}`;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const form = (settings: Parameters<typeof instance.makeForm>[1] = {}) => instance.makeForm(instance.owner, settings);

/** Returns labels and values of a page, without markup. */
function factsIn(markup: string): Array<[label: string, value: string]> {
  const facts = /<dl class="values">([\s\S]*)<\/dl>/.exec(markup)?.[1] ?? '';
  const bare = (html: string) => html.replace(/<button.*?<\/button>|<[^>]+>/gs, '');
  return Array.from(facts.matchAll(/<dt>(.*?)<\/dt><dd>([\s\S]*?)<\/dd>/g), ([, name = '', value = '']) => [
    bare(name),
    bare(value),
  ]);
}

/** Returns the address of the newer (`prev`) or older submission; null without one. */
function neighbour(markup: string, rel: 'prev' | 'next'): string | null {
  const [, address] = new RegExp(`<a [^>]*href="([^"]*)" rel="${rel}"`).exec(markup) ?? [];
  return address?.replaceAll('&amp;', '&') ?? null;
}

function tamper(sql: string, ...values: string[]) {
  queryDatabase(instance.dataDir, sql, values);
}

test('values are shown under their labels, masked, with line breaks', async () => {
  const labelled = await form({
    fields: [{ name: 'message', label: 'Your <message>', type: 'textarea', required: false }],
  });
  const page = await posted(
    labelled,
    '{"message":"one\\ntwo 4242424242424242","topics":["A","B"],"__proto__":"p","constructor":"c","agreed":true,"empty":"","n":{"card":5555555555554444,"deep":[{"x":1}]}}',
  );
  const markup = await me.page(page);
  expect(factsIn(markup).slice(0, 6)).toEqual([
    ['Your &lt;message&gt;', 'one\ntwo ************4242'],
    ['topics', 'AB'],
    ['__proto__', 'p'],
    ['constructor', 'c'],
    ['agreed', 'Yes'],
    ['empty', 'empty'],
  ]);
  expect(markup).toContain('<li><bdi>A</bdi></li><li><bdi>B</bdi></li>');
  expect(markup).toContain('<dt><bdi>card</bdi></dt><dd><bdi>************4444</bdi></dd>');
  expect(markup).not.toContain('55555555');
});

test('a large submission is split into small pages that show all of it', async () => {
  const letter = random(256 * 1024);
  const others = Array.from({ length: 999 }, (_, n) => [`field ${n} ${random(60)}`, random(600)] as [string, string]);
  const page = await posted(await form(), { letter, ...Object.fromEntries(others) });
  const shown: Array<[string, string]> = [];
  for (let next: string | null = page; next !== null; ) {
    const markup: string = await me.page(next);
    expect(Bun.gzipSync(markup).length).toBeLessThan(40_000);
    shown.push(...factsIn(markup));
    next = linkIn(markup, />(\d+ more fields)</.exec(markup)?.[1] ?? '');
  }
  expect(shown.slice(1)).toEqual(others);
  expect(shown[0]?.[1]?.length).toBeLessThan(2_100);
  expect(await me.page(linkIn(await me.page(page), 'Show all') ?? '')).toContain(letter);
});

test('a list of a hundred thousand items is shown as JSON', async () => {
  const page = await posted(await form(), { list: Array(100_000).fill(1), few: Array(2_000).fill(1) });
  const shown = await Promise.all([0, 1].map((index) => me.page(page.replace(/(?=\?|$)/, `/values/${index}`))));
  expect(shown[0]).toContain('<code>[\n 1,\n');
  expect(shown[0]).not.toContain('<li><bdi>1<');
  expect(shown[1]).toContain('<code>');
});

/** A text that compresses badly and contains nothing to mask. */
function random(length: number): string {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes.toString('base64url').replaceAll(/\d/g, 'x').slice(0, length);
}

test('files are downloaded as attachments only', async () => {
  const data = new FormData();
  data.set('name', 'Ada');
  data.set('cv', new File(['<script>alert(1)</script>'], 'a "b" <c>.html', { type: 'text/html' }));
  const page = await posted(await form(), data);
  const markup = await me.page(page);
  expect(markup).toContain('a &quot;b&quot; &lt;c&gt;.html');
  const file = await me.get(linkIn(markup, 'Download') ?? '');
  expect(file.headers.get('content-disposition')).toStartWith('attachment;');
  expect(file.headers.get('content-security-policy')).toContain('sandbox');
  expect(await file.text()).toBe('<script>alert(1)</script>');
  expect((await me.get(`${page}/files/file_unknown`)).status).toBe(404);
  tamper("UPDATE submissions SET files = x'00' WHERE id = ?", page.split('/').at(-1) ?? '');
  expect(await me.page(page)).toContain('The list of files is damaged');
});

test('a damaged submission is shown as damaged, also in its list, and can be deleted', async () => {
  const damaged = await form();
  const page = await posted(damaged, { message: 'whole' });
  tamper("UPDATE submissions SET payload = x'010203' WHERE id = ?", page.split('/').at(-1) ?? '');
  expect(await me.page(page)).toContain('This submission is damaged');
  expect(await me.page(`/dashboard/forms/${damaged.id}/submissions`)).toContain('Damaged submission');
  expect((await me.post(`${page}/delete`)).status).toBe(303);
  expect((await me.get(page)).status).toBe(404);
});

test('opening a submission does not mark it as read; actions mark it as read and unread', async () => {
  const own = await form();
  const page = await posted(own, { message: 'x' });
  const unread = async () => idsIn(await me.page(`/dashboard/forms/${own.id}/submissions?part=unread`)).length;
  await me.page(page);
  expect(await unread()).toBe(1);
  const read = await me.post(`${page}/read`, { list: 'in=inbox&part=unread' });
  expect(read.headers.get('location')).toBe(`${page}?in=inbox&part=unread&done=read`);
  expect(await unread()).toBe(0);
  const back = await me.post(`${page}/unread`, { list: 'in=inbox&part=unread' });
  expect(back.headers.get('location')).toBe('/dashboard/inbox?part=unread&done=unread');
  expect(await unread()).toBe(1);
});

test('newer and older links follow the list that the submission was opened from', async () => {
  const own = await form();
  const pages = [];
  for (const message of ['a', 'b', 'c', 'd']) pages.push(await posted(own, { message }));
  const [, b = '', c = '', d = ''] = pages;
  await me.post(`${c}/spam`);
  const markup = await me.page(`${b}?in=inbox&form=${own.id}`);
  expect(neighbour(markup, 'prev')).toBe(`${d}?in=inbox&form=${own.id}`);
  expect(neighbour(await me.page(neighbour(markup, 'next') ?? ''), 'next')).toBeNull();
  expect(neighbour(await me.page(`${c}?part=spam`), 'prev')).toBeNull();
  expect(linkIn(await me.page(`${c}?part=spam`), 'Back to the list')).toBe(
    `/dashboard/forms/${own.id}/submissions?part=spam`,
  );
});

test('mails are shown with their state, and a failed mail can be sent again', async () => {
  const own = await mailing.form();
  mailing.smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code: 451, text: 'Come <later>' } : undefined));
  const page = await posted(own, { message: 'x' });
  await mailing.drained();
  const retrying = await me.page(page);
  expect(retrying).toMatch(/Notification to owner@shop\.example[\s\S]*Retrying[\s\S]*Come &lt;later&gt;/);
  const address = /action="([^"]+\/mails\/[^"]+\/send)"/.exec(retrying)?.[1] ?? '';
  mailing.smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code: 550, text: 'Unknown user' } : undefined));
  expect((await me.post(address)).headers.get('location')).toContain('done=sending');
  await mailing.drained();
  expect(await me.page(page)).toMatch(/Failed<\/span> <time[\s\S]*Unknown user/);
  mailing.smtp.onMoment(() => undefined);
  await me.post(address);
  await mailing.drained();
  const delivered = await me.page(page);
  expect(delivered).toMatch(/Sent<\/span> <time/);
  expect(delivered).not.toContain('/mails/');
  expect((await me.post(address)).status).toBe(404);
});

test('spam is shown with its reasons, and “Not spam” releases its mails', async () => {
  const own = await mailing.form({ blockedWords: ['casino'] });
  const page = await posted(own, { message: 'win at our casino' });
  expect(await mailing.drained()).toEqual([]);
  const markup = await me.page(page);
  expect(markup).toContain('the blocked word “casino”');
  expect(markup).toContain('Emails for this submission are on hold.');
  const before = mailing.smtp.mails.length;
  await me.post(`${page}/genuine`);
  await mailing.drained();
  expect(mailing.smtp.mails.length - before).toBe(1);
  expect(await me.page(page)).toContain('>Sent<');
  await me.post(`${page}/spam`);
  expect(await me.page(page)).toContain('Marked as spam by a team member.');
});

test('deleting asks for confirmation, deletes the files and returns to the list', async () => {
  const own = await form();
  const data = new FormData();
  data.set('cv', new File(['x'], 'cv.txt'));
  const page = await posted(own, data);
  expect(await me.page(`${page}/delete`)).toContain('<h1>Delete this submission?</h1>');
  const { store, blobs } = instance.context;
  const submission = await store.submissions.find(page.split('/').at(-1) ?? '', instance.owner.teamId);
  expect(submission?.files).not.toBeNull();
  const before = (await Array.fromAsync(blobs.list())).length;
  const done = await me.post(`${page}/delete`, { list: `in=${own.id}` });
  expect(done.headers.get('location')).toBe(`/dashboard/forms/${own.id}/submissions?done=deleted`);
  expect((await me.get(page)).status).toBe(404);
  expect(await Array.fromAsync(blobs.list())).toHaveLength(before - 1);
});

test('a submission of another team is not found on any path', async () => {
  const own = await mailing.form();
  const data = new FormData();
  data.set('name', 'Ada');
  data.set('cv', new File(['x'], 'cv.txt'));
  const page = await posted(own, data);
  await mailing.drained();
  const markup = await me.page(page);
  const [mail] = await instance.context.store.inbox.listMailsOf(page.split('/').at(-1) ?? '');
  const stranger = await signIn(instance, await instance.makeOwner());
  for (const path of [page, `${page}/values/0`, `${page}/delete`, linkIn(markup, 'Download') ?? '']) {
    expect((await me.get(path)).status).toBe(200);
    expect((await stranger.get(path)).status).toBe(404);
  }
  for (const action of ['read', 'unread', 'spam', 'genuine', 'delete', `mails/${mail?.id}/send`]) {
    expect((await stranger.post(`${page}/${action}`)).status).toBe(404);
    const signedOut = await fetch(`${instance.url}${page}/${action}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: instance.url },
    });
    expect(signedOut.headers.get('location')).toBe('/dashboard/sign-in');
    expect((await me.post(`${page}/${action}`, {}, { Origin: 'https://evil.example' })).status).toBe(403);
  }
  const theirs = await me.page(`/dashboard/forms/${own.id}/submissions?part=unread`);
  expect(idsIn(theirs)).toHaveLength(1);
  // Newer and older links of another team's list don't reveal it either.
  const foreign = await stranger.get(`/dashboard/submissions/sub_none?in=${own.id}`);
  expect(foreign.status).toBe(404);
});
