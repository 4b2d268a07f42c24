import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { ERASE_TEXTS } from '../../../src/dashboard/erasure/texts.ts';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import { HOUR, type Micros, parseTime, systemClock } from '../../../src/lib/clock.ts';
import { foundSubmissions } from '../../../src/services/erasure/erasure.ts';
import { saveView } from '../../../src/services/submissions/inbox-views.ts';
import { databaseOf, type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { startSmtp } from '../../support/smtp.ts';
import { recordsOf, tracesOf } from '../../support/traces.ts';
import { until } from '../../support/until.ts';
import { blobNames, formData } from '../visitor/files.ts';
import { keepMany } from './list-page.ts';
import { type SignedIn, signIn } from './signed-in.ts';

const EN = CATALOG.textsIn('en');

let skipped: Micros = 0;
const clock = () => systemClock() + skipped;
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ clock, env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'forms@mail.example' } });
});
afterAll(() => instance.stop());

const ADA = 'ada@example.com';

async function desk(): Promise<Readonly<{ owner: Owner; me: SignedIn }>> {
  const owner = await instance.makeOwner();
  return { owner, me: await signIn(instance, owner) };
}

const pathIds = async (formId: string) =>
  ((await instance.context.store.submissions.listRecent(formId, { onlySpam: false, limit: 1000 })) ?? [])
    .map(({ id }) => id)
    .reverse();

/** Searches an hour later, so that a purge is due, and waits for the end; where the search is. */
async function search(me: SignedIn, address = ADA): Promise<string> {
  skipped += HOUR;
  return searchNow(me, address);
}

async function searchNow(me: SignedIn, address = ADA): Promise<string> {
  const answer = await me.post('/dashboard/erase', { address });
  expect(answer.status).toBe(303);
  return settled(me, answer);
}

async function settled(me: SignedIn, answer: Response): Promise<string> {
  const path = answer.headers.get('location') ?? '';
  await until(async () => !(await me.page(path)).includes('data-follow'), 'the end of the search or the deletion');
  return path;
}

const erase = async (me: SignedIn, path: string) => settled(me, await me.post(`${path}/delete`));
const receiptAt = async (me: SignedIn, path: string) => (await me.get(`${path}/receipt.json`)).json();

describe('the search for a person', () => {
  test('finds the address in all forms, fields, texts, file names and spam, and no other address', async () => {
    const { owner, me } = await desk();
    const other = await instance.makeForm(owner, { name: 'Other', blockedWords: ['casino'] });
    const stranger = await instance.makeOwner();
    await instance.post(owner.form.id, { email: 'Ada@Example.com' });
    await instance.post(owner.form.id, { email: 'lada@example.com' });
    await instance.post(other.id, { deep: [{ a: ['hello, this is ADA@example.com.'] }] });
    await instance.post(other.id, { email: ADA, text: 'casino' });
    await instance.post(other.id, formData([['cv', new File(['x'], `${ADA}.txt.pdf`)]]));
    await instance.post(other.id, formData([['cv', new File(['x'], `cv ${ADA} .pdf`)]]));
    await instance.post(stranger.form.id, { email: ADA });
    const path = await search(me);
    const page = await me.page(path);
    expect(page).toContain(ERASE_TEXTS.en.found(4, '4', '6'));
    expect(page).toContain(ERASE_TEXTS.en.others);
    const expected = [
      ...(await pathIds(owner.form.id)).slice(0, 1),
      ...(await pathIds(other.id)).slice(0, 2),
      ...(await pathIds(other.id)).slice(3),
    ];
    const lines = (await (await me.get(`${path}/export.jsonl`)).text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(expected);
    const linked = Array.from(page.matchAll(/\/dashboard\/submissions\/(sub_\w+)/g), ([, id]) => id);
    expect(linked).toEqual(expected.reverse());
  });

  test('links to the newest ten matches and counts the others', async () => {
    const { owner, me } = await desk();
    for (let n = 0; n < 12; n++) await instance.post(owner.form.id, { email: ADA });
    const page = await me.page(await search(me));
    expect(page.match(/\/dashboard\/submissions\/sub_/g)).toHaveLength(10);
    expect(page).toContain(ERASE_TEXTS.en.moreFound('2'));
  });

  test('finds the address in notes, replies and source pages', async () => {
    const { owner, me } = await desk();
    const form = await instance.makeForm(owner, { keepsSource: true });
    await instance.post(
      form.id,
      { email: 'bob@example.com' },
      { Referer: 'https://shop.example/of/ada%40example.com?q=1' },
    );
    await instance.post(form.id, { email: 'bob@example.com' }, { Referer: `https://shop.example/?of=${ADA}` });
    await instance.post(form.id, { email: 'bob@example.com', message: 'x' });
    await instance.post(form.id, { email: 'bob@example.com', message: 'y' });
    const [, , noted, replied] = await pathIds(form.id);
    await me.post(`/dashboard/submissions/${noted}/notes`, { text: `Ask ${ADA}, who knows.` });
    await me.post(`/dashboard/submissions/${replied}/reply`, { subject: `About ${ADA}`, text: 'She knows.' });
    expect(await me.page(await search(me))).toContain(ERASE_TEXTS.en.found(3, '3', '4'));
  });

  test('finds an address that is masked when shown', async () => {
    const { owner, me } = await desk();
    await instance.post(owner.form.id, { email: '4242424242424242@example.com' });
    expect(await me.page(await search(me, '4242424242424242@example.com'))).toContain(
      ERASE_TEXTS.en.found(1, '1', '1'),
    );
  });

  test('lists forms that notify the address, and does not change them', async () => {
    const { owner, me } = await desk();
    const form = await instance.makeForm(owner, { name: 'Tells <Ada>', notify: ['ADA@example.com'] });
    const page = await me.page(await search(me));
    expect(page).toContain(ERASE_TEXTS.en.none('0'));
    expect(page).toContain('“Tells &lt;Ada&gt;”');
    expect((await instance.context.store.forms.find(form.id, owner.teamId))?.notify).toEqual(['ADA@example.com']);
  });

  test('keeps the address out of URLs, logs and the audit log', async () => {
    const { owner, me } = await desk();
    await instance.post(owner.form.id, { email: 'eve@secret.example' });
    const path = await search(me, 'eve@secret.example');
    await erase(me, path);
    expect(path).not.toContain('eve');
    expect(instance.logs.join('')).not.toContain('eve@secret.example');
    const entries = await instance.context.store.audit.listFrom(owner.teamId, { since: 0, after: 0, limit: 100 });
    expect(JSON.stringify(entries)).not.toContain('eve@secret');
    expect(entries.map(({ action }) => action)).toContain('person.erased');
  });

  test('rejects an invalid address and keeps the input', async () => {
    const { me } = await desk();
    const answer = await me.post('/dashboard/erase', { address: 'ada<at>example' });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain(EN.errors.invalid_email());
    expect(page).toContain('value="ada&lt;at&gt;example"');
  });
});

describe('the erasure of a person', () => {
  test('deletes submissions, files and mails without traces, and nothing else', async () => {
    skipped += HOUR;
    const { owner, me } = await desk();
    const form = await instance.makeForm(owner, { notify: ['owner@shop.example'] });
    for (let n = 0; n < 4; n++) {
      const email = n % 2 === 0 ? ADA : 'bob@example.com';
      const file = new File(['y'.repeat(10_000)], 'cv.txt');
      await instance.post(
        form.id,
        formData([
          ['email', email],
          ['text', 'x'.repeat(3_000)],
          ['cv', file],
        ]),
      );
    }
    await instance.context.mail?.outbox.drain();
    const [ada1 = '', bob1 = '', ada2 = '', bob2 = ''] = await pathIds(form.id);
    for (const id of [ada1, bob1]) {
      await me.post(`/dashboard/submissions/${id}/notes`, { text: 'z'.repeat(3_000) });
      await me.post(`/dashboard/submissions/${id}/reply`, { subject: 'Re: you', text: 'w'.repeat(3_000) });
    }
    await instance.context.mail?.outbox.drain();
    const gone = await recordsOf(instance, [ada1, ada2]);
    const kept = await recordsOf(instance, [bob1, bob2]);
    expect([gone.length, kept.length]).toEqual([11, 11]);
    for (const record of gone) expect(await tracesOf(instance.dataDir, [record])).not.toEqual([]);
    const blobs = blobNames(instance).length;

    const whose = { userId: me.user.id, teamId: owner.teamId };
    for (const query of [`q=${ADA}`, 'q=bob'])
      await saveView(instance.context, whose, { name: 'Saved', query, isTab: false });
    const path = await searchNow(me);
    expect(await me.page(`${path}/delete`)).toContain(ERASE_TEXTS.en.finalText.replace("'", '&#39;'));
    expect(await pathIds(form.id)).toHaveLength(4);
    await erase(me, path);

    expect(await pathIds(form.id)).toEqual([bob1, bob2]);
    expect(blobNames(instance)).toHaveLength(blobs - 2);
    const isComplete = async () => ((await receiptAt(me, path)) as { status: string }).status === 'complete';
    // After a purge in the middle of the erasure, the next one is due in an hour.
    if (!(await isComplete())) skipped += HOUR;
    await until(isComplete, 'the purge after the erasure');
    expect(await tracesOf(instance.dataDir, gone)).toEqual([]);
    expect(await recordsOf(instance, [bob1, bob2])).toEqual(kept);
    expect(await receiptAt(me, path)).toEqual({
      team_id: owner.teamId,
      address_hash: instance.context.vault.fingerprint('erasure', ADA),
      searched_at: expect.stringMatching(/Z$/),
      searched: 4,
      unreadable: 0,
      found: 2,
      erased_at: expect.stringMatching(/Z$/),
      submissions: 2,
      files: 2,
      files_left: 0,
      mails: 3,
      mails_under_way: 0,
      deliveries: 0,
      deliveries_under_way: 0,
      saved_views: 1,
      consents: [],
      receivers: ['shop.example'],
      status: 'complete',
      expected_at: null,
      // Of PostgreSQL: where deleted data still is.
      ...(databaseOf(instance.dataDir) && { lasting: expect.stringContaining('backups') }),
    });
    const page = await me.page(path);
    expect(page).toContain(ERASE_TEXTS.en.receipt);
    expect(page).toContain(databaseOf(instance.dataDir) ? ERASE_TEXTS.en.lasting : ERASE_TEXTS.en.complete);
    expect(page).not.toContain('export.jsonl');
    const entries = await instance.context.store.audit.listFrom(owner.teamId, { since: 0, after: 0, limit: 100 });
    expect(entries.find(({ action }) => action === 'person.erased')?.details).toEqual({
      erasure_id: path.split('/').at(-1) ?? '',
      found: 2,
      submissions: 2,
      files: 2,
      mails: 3,
    });
    expect(await me.page(await searchNow(me))).toContain(ERASE_TEXTS.en.none('2'));
  });

  test('runs once: its results can be neither deleted nor exported again', async () => {
    const { owner, me } = await desk();
    await instance.post(owner.form.id, { email: ADA });
    const path = await search(me);
    await erase(me, path);
    await instance.post(owner.form.id, { email: ADA });
    expect((await me.post(`${path}/delete`)).status).toBe(404);
    expect((await me.get(`${path}/export.jsonl`)).status).toBe(404);
    expect((await me.get(`${path}/delete`)).status).toBe(303);
    expect(await pathIds(owner.form.id)).toHaveLength(1);
  });

  test('is pending within an hour of the last purge, and one purge completes all pending erasures', async () => {
    const { owner, me } = await desk();
    const purged = /database purged|deleted rows removed/;
    const purges = () => instance.logs.filter((line) => purged.test(line)).length;
    const erased: Uint8Array[] = [];
    const paths: string[] = [];
    for (const [index, look] of [search, searchNow, searchNow].entries()) {
      await instance.post(owner.form.id, { email: ADA, text: `${index}`.repeat(2_000) });
      erased.push(...(await recordsOf(instance, await pathIds(owner.form.id))));
      const path = await look(me);
      await erase(me, path);
      paths.push(path);
    }
    const [first = '', ...others] = paths;
    expect(await receiptAt(me, first)).toMatchObject({ status: 'complete', expected_at: null });
    const before = purges();
    for (const path of others) {
      const receipt = (await receiptAt(me, path)) as { status: string; expected_at: string };
      expect(receipt.status).toBe('pending rewrite');
      const left = (parseTime(receipt.expected_at) ?? 0) - clock();
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(HOUR);
      const { lasting, pendingRewrite } = ERASE_TEXTS.en;
      expect(await me.page(path)).toContain(databaseOf(instance.dataDir) ? lasting : pendingRewrite);
    }
    skipped += HOUR - 1;
    const isComplete = async (path: string) =>
      ((await receiptAt(me, path)) as { status: string }).status === 'complete';
    for (const path of others) await until(() => isComplete(path), 'the erasure to be complete');
    expect(purges()).toBe(before + 1);
    expect(await tracesOf(instance.dataDir, erased)).toEqual([]);
  });

  test('does not count submissions deleted in the meantime', async () => {
    const { owner, me } = await desk();
    await instance.post(owner.form.id, { email: ADA });
    await instance.post(owner.form.id, { email: ADA });
    const path = await search(me);
    const [first = ''] = await pathIds(owner.form.id);
    await instance.api('DELETE', `/v1/submissions/${first}`, { key: owner.writeKey });
    await erase(me, path);
    expect(await receiptAt(me, path)).toMatchObject({ found: 2, submissions: 1 });
  });

  test('deletes many scattered submissions without traces', async () => {
    const { owner, me } = await desk();
    const email = (n: number) => (n % 3 === 0 ? ADA : 'bob@example.com');
    const fields = (n: number) => ({ email: email(n), text: `${n}`.padEnd(400) });
    const ids = await keepMany(instance.context, owner.form.id, 900, fields);
    const gone = await recordsOf(
      instance,
      ids.filter((_, n) => n % 3 === 0),
    );
    const path = await search(me);
    await erase(me, path);
    expect(await receiptAt(me, path)).toMatchObject({ searched: 900, submissions: 300 });
    expect(await pathIds(owner.form.id)).toEqual(ids.filter((_, n) => n % 3 !== 0));
    const parts = gone.map((record) => record.subarray(0, 48));
    expect(await tracesOf(instance.dataDir, parts)).toEqual([]);
  });
});

test('the results are read one at a time for an export', async () => {
  const { owner } = await desk();
  const { store } = instance.context;
  for (let count = 0; count < 3; count++) await instance.post(owner.form.id, { email: ADA, count });
  const kept = (await store.submissions.listRecent(owner.form.id, { onlySpam: false, limit: 9 })) ?? [];
  const times = kept.map(({ createdAt }) => createdAt);
  const pages: number[] = [];
  for await (const page of foundSubmissions(instance.context, { times })) pages.push(page.length);
  expect(pages).toEqual([1, 1, 1]);
});

test('the files of the results are exported as an archive', async () => {
  const { owner, me } = await desk();
  await instance.post(
    owner.form.id,
    formData([
      ['email', ADA],
      ['cv', new File(['my life'], 'cv.txt')],
    ]),
  );
  await instance.post(
    owner.form.id,
    formData([
      ['email', 'bob@example.com'],
      ['cv', new File(['x'], 'x.txt')],
    ]),
  );
  const answer = await me.get(`${await search(me)}/export.zip`);
  const files = Object.entries(unzipSync(await answer.bytes()));
  expect(files.map(([name, bytes]) => [name.split('/').at(-1), Buffer.from(bytes).toString()])).toEqual([
    ['cv.txt', 'my life'],
  ]);
});

test('a search belongs to the user who started it, not to other members', async () => {
  const { owner, me } = await desk();
  await instance.post(owner.form.id, { email: ADA });
  const path = await search(me);
  const colleague = await signIn(instance, owner);
  for (const part of ['', '/delete', '/export.jsonl', '/export.zip', '/receipt.json']) {
    expect((await colleague.get(path + part)).status).toBe(404);
  }
  expect((await colleague.post(`${path}/delete`)).status).toBe(404);
  for (const role of ['editor', 'viewer'] as const) {
    const other = await signIn(instance, owner, {}, role);
    expect((await other.get('/dashboard/erase')).status).toBe(403);
    expect((await other.post('/dashboard/erase', { address: ADA })).status).toBe(403);
    expect((await other.post(`${path}/delete`)).status).toBe(403);
  }
  expect(await pathIds(owner.form.id)).toHaveLength(1);
});

test('a mail that is being sent is counted separately and leaves no traces', async () => {
  const held = Promise.withResolvers<undefined>();
  const smtp = await startSmtp();
  smtp.onMoment(({ stage }) => (stage === 'RCPT' ? held.promise : undefined));
  const busy = await startInstance({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' } });
  const form = await busy.makeForm(busy.owner, { notify: ['owner@shop.example'] });
  const me = await signIn(busy, busy.owner);
  await busy.post(form.id, { email: ADA });
  await smtp.reached('RCPT');
  const path = await search(me);
  await erase(me, path);
  expect(await receiptAt(me, path)).toMatchObject({ submissions: 1, mails: 1, mails_under_way: 1 });
  held.resolve(undefined);
  await smtp.arrived(1);
  await busy.context.mail?.outbox.drain();
  expect(await busy.context.store.mails.list({ state: null, limit: 10 })).toEqual([]);
  await busy.stop();
  await smtp.stop();
});
