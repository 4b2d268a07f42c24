import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DAY, systemClock } from '../../../src/lib/clock.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { keepMany } from './list-page.ts';
import { signIn } from './signed-in.ts';

let now = systemClock();
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ clock: () => now });
});
afterAll(() => instance.stop());

async function visitor() {
  const owner = await instance.makeOwner();
  return { owner, me: await signIn(instance, owner), path: `/dashboard/forms/${owner.form.id}` };
}

describe('the overview of a form', () => {
  test('shows genuine submissions and spam of the span, and compares with the span before', async () => {
    const { owner, me, path } = await visitor();
    await instance.context.store.forms.update(owner.form.id, { blockedWords: ['casino'] });
    const today = now;
    for (const [days, message] of [
      [100, 'a'],
      [40, 'a'],
      [29, 'a'],
      [8, 'casino'],
      [2, 'a'],
      [0, 'a'],
      [0, 'a'],
    ] as const) {
      now = today - days * DAY;
      await instance.post(owner.form.id, { message });
    }
    now = today;
    const page = await me.page(path);
    expect(page).toContain('Chart: 4 submissions and 1 spam in the last 30 days.');
    expect(page).toContain('3 more than in the 30 days before');
    expect(page.match(/<rect class="genuine"/g)).toHaveLength(3);
    expect(page.match(/<rect class="spam"/g)).toHaveLength(1);
    // The highest bar has its count.
    expect(page).toMatch(/<text x="[\d.]+%" y="0.00%"[^>]*>2<\/text>/);
    expect(page).not.toContain('style=');
    const week = await me.page(`${path}?days=7`);
    expect(week).toContain('Chart: 3 submissions and 0 spam in the last 7 days.');
    expect(week).toContain('None in the 7 days before');
    expect(await me.page(`${path}?days=90`)).toContain('4 more than in the 90 days before');
    const year = await me.page(`${path}?days=365`);
    expect(year).toContain('Chart: 6 submissions and 1 spam in the last 365 days.');
    expect(year.match(/<tr><th scope="row">/g)).toHaveLength(53);
    expect(await me.page(`${path}?days=0`)).toContain('in the last 30 days');
  });

  test('lists the newest submissions of a form without answers to summarize', async () => {
    const { owner, me, path } = await visitor();
    for (const name of ['Ada', 'Bea', 'Cleo', 'Dora', 'Ella', 'Fay']) {
      await instance.post(owner.form.id, { name, message: `Greetings of ${name}` });
    }
    const page = await me.page(path);
    const listed = Array.from(page.matchAll(/Greetings of (\w+)/g), ([, name]) => name);
    expect(listed).toEqual(['Fay', 'Ella', 'Dora', 'Cleo', 'Bea']);
    const fields = [{ name: 'happy', label: 'Happy', type: 'rating', required: false }];
    await instance.context.store.forms.update(owner.form.id, { fields });
    expect(await me.page(path)).not.toContain('Greetings of');
  });

  test('counts as the list, the inbox and an export do, also after marks, the trash and deletions', async () => {
    const { owner, me, path } = await visitor();
    const { store } = instance.context;
    for (const message of ['a', 'b', 'c', 'd', 'e']) await instance.post(owner.form.id, { message });
    const [a, b, c] = (await instance.stored(owner)).map(({ id }) => id) as [string, string, string];
    await store.submissions.mark(a, true, null, []);
    await store.trash.moveSubmissions([b], owner.teamId, now);
    await store.retention.deleteSubmission(c, owner.teamId);
    expect(await me.page(path)).toContain('Chart: 2 submissions and 1 spam in');
    expect(await me.page('/dashboard/forms')).toContain('<b>2</b> in the last 30 days');
    expect(await me.page(`${path}/submissions?part=unread`)).toContain('> 2<span class="visually-hidden"> unread');
    const csv = await (await me.get(`${path}/export.csv?state=genuine`)).text();
    expect(csv.trim().split('\n')).toHaveLength(3);
  });

  test('of a new form leads to the snippets', async () => {
    const { me, path } = await visitor();
    const page = await me.page(path);
    expect(page).toContain('No submissions yet');
    expect(page).toContain(`href="${path}/connect"`);
  });
});

describe('the summary of answers', () => {
  const fields = [
    { name: 'topic', label: 'Topic <b>', type: 'select', required: false },
    { name: 'stars', label: 'Stars', type: 'rating', required: false },
    { name: 'secret', label: 'Text', type: 'text', required: false },
  ];

  test('has the choices and ratings of genuine submissions, masked and escaped', async () => {
    const { owner, me, path } = await visitor();
    const { store } = instance.context;
    await store.forms.update(owner.form.id, { fields });
    expect(await me.page(`${path}/summary`)).toContain('No submissions yet, so there are no answers to summarize.');
    const topics = ['Repair', 'Repair', '<i>Rent</i>', '4242424242424242'];
    for (const [index, topic] of topics.entries()) {
      await instance.post(owner.form.id, { topic, stars: String(index + 2), secret: 'not a choice' });
    }
    await instance.post(owner.form.id, { topic: 'Spam' });
    const [spam] = await instance.stored(owner);
    await store.submissions.mark(spam?.id ?? '', true, null, []);
    const page = await me.page(`${path}/summary`);
    expect(page).toContain('All 4 submissions without spam');
    expect(page).toContain('<bdi>Topic &lt;b&gt;</bdi>');
    expect(page).toContain('<bdi>&lt;i&gt;Rent&lt;/i&gt;</bdi>');
    expect(page).toContain('<bdi>************4242</bdi>');
    expect(page).toContain('50%');
    expect(page).toContain('<dd class="big">3.5</dd>');
    for (const absent of ['Spam</bdi>', 'not a choice', '4242424242424242']) expect(page).not.toContain(absent);
    expect(await me.page(path)).toContain(`data-summary="${path}/summary"`);
  });

  test('reads the latest 2,000 submissions and says so', async () => {
    const { owner, me, path } = await visitor();
    await instance.context.store.forms.update(owner.form.id, { fields });
    await keepMany(instance.context, owner.form.id, 2_010, (n) => ({ topic: n < 10 ? 'Old' : 'New' }));
    const page = await me.page(`${path}/summary`);
    expect(page).toContain('The latest 2,000 submissions without spam');
    expect(page).toContain('<bdi>New</bdi>');
    expect(page).not.toContain('<bdi>Old</bdi>');
  });

  test('leaves out damaged submissions', async () => {
    const { owner, me, path } = await visitor();
    await instance.context.store.forms.update(owner.form.id, { fields });
    const [id] = await keepMany(instance.context, owner.form.id, 2, () => ({ topic: 'New' }));
    queryDatabase(instance.dataDir, "UPDATE submissions SET payload = x'00' WHERE id = ?", [id ?? '']);
    expect(await me.page(`${path}/summary`)).toContain('1 answer<');
  });

  test('explains which fields it takes, and is not for another team', async () => {
    const { me, path } = await visitor();
    expect(await me.page(`${path}/summary`)).toContain('Fields of the types choice');
    expect(await me.page(path)).not.toContain('data-summary');
    const { me: stranger } = await visitor();
    expect((await stranger.get(`${path}/summary`)).status).toBe(404);
  });
});
