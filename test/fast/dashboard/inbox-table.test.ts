import { afterAll, beforeAll, expect, test } from 'bun:test';
import { queryDatabase } from '../../support/database-rows.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { idsIn, keepMany, linkIn } from './list-page.ts';
import { type SignedIn, signIn } from './signed-in.ts';

let instance: Instance;
let me: SignedIn;
beforeAll(async () => {
  instance = await startInstance();
  me = await signIn(instance, instance.owner);
});
afterAll(() => instance.stop());

const FIELDS = [
  { name: 'name', label: 'Your <name>', type: 'text', required: true },
  { name: 'guests', label: 'Guests', type: 'number', required: false },
  { name: 'coming', label: 'Coming?', type: 'checkbox', required: false },
  { name: 'card', label: 'Card', type: 'text', required: false },
];

async function filled(fields = FIELDS) {
  const form = await instance.makeForm(instance.owner, { fields });
  const path = `/dashboard/forms/${form.id}/submissions`;
  const setLayout = (layout: string, columns?: readonly string[]) =>
    me.post(`/dashboard/forms/${form.id}/layout`, {
      layout,
      list: `in=${form.id}`,
      ...(columns && { picks: 'yes', column: columns }),
    });
  return { form, path, setLayout };
}

/** The texts of the cells of a column, from top to bottom. */
const column = (markup: string, label: string) =>
  Array.from(markup.matchAll(new RegExp(`<td data-label="${label}"[^>]*>(.*?)</td>`, 'gs')), ([, cell = '']) =>
    cell.replace(/<[^>]+>/g, '').trim(),
  );

const headings = (markup: string) =>
  Array.from(markup.matchAll(/<th scope="col"[^>]*><a[^>]*><bdi>(.*?)<\/bdi>/g), ([, label]) => label);

test('a table has a column per field with its label, masked and escaped', async () => {
  const { form, path, setLayout } = await filled();
  await instance.post(form.id, { name: '<i>Ada</i>', guests: '2', coming: 'on', card: '4242 4242 4242 4242' });
  expect(await me.page(path)).not.toContain('<table>');
  expect((await setLayout('table')).headers.get('location')).toBe(path);
  const markup = await me.page(path);
  expect(headings(markup)).toEqual(['Your &lt;name&gt;', 'Guests', 'Coming?', 'Card', 'Received']);
  expect(column(markup, 'Coming\\?')).toEqual(['Yes']);
  expect(column(markup, 'Card')).toEqual(['************4242']);
  expect(markup).toContain('&lt;i&gt;Ada&lt;/i&gt;');
  expect(markup).not.toContain('<i>');
});

test('layout and columns are remembered per user and form', async () => {
  const { form, path, setLayout } = await filled();
  const other = await filled();
  const colleague = await signIn(instance, instance.owner, {}, 'viewer');
  await instance.post(form.id, { name: 'Ada', guests: '2' });
  await setLayout('table', ['coming', 'guests', 'unknown']);
  expect(headings(await me.page(path))).toEqual(['Guests', 'Coming?', 'Received']);
  await setLayout('list');
  expect(await me.page(path)).not.toContain('<table>');
  await setLayout('table');
  expect(headings(await me.page(path))).toEqual(['Guests', 'Coming?', 'Received']);
  expect(await me.page(other.path)).not.toContain('<table>');
  expect(await colleague.page(path)).not.toContain('<table>');
  await colleague.post(`/dashboard/forms/${form.id}/layout`, { layout: 'table' });
  expect(headings(await colleague.page(path))).toHaveLength(5);
});

test('without configured fields, the columns are the fields of the latest submissions', async () => {
  const { form, path, setLayout } = await filled([]);
  await instance.post(form.id, { old: 'x' });
  await instance.post(form.id, { name: 'Ada', note: 'y' });
  await setLayout('table');
  expect(headings(await me.page(path))).toEqual(['name', 'note', 'old', 'Received']);
});

test('a table is sorted by time, and by a column among the newest submissions', async () => {
  const { form, path, setLayout } = await filled();
  const ids = await keepMany(instance.context, form.id, 310, (n) => ({ name: `Visitor ${n}`, guests: String(n) }));
  await setLayout('table');
  const oldest = await me.page(`${path}?sort=oldest`);
  expect(idsIn(oldest)).toEqual(ids.slice(0, 50));
  expect(idsIn(await me.page(linkIn(oldest, 'Older') ?? ''))).toEqual(ids.slice(50, 100));
  const up = await me.page(`${path}?sort=up+guests`);
  expect(up).toContain('Sorted among the newest 300 submissions.');
  expect(up).toMatch(/aria-sort="ascending"><a[^>]*><bdi>Guests/);
  expect(column(up, 'Guests').slice(0, 3)).toEqual(['10', '11', '12']);
  expect(column(await me.page(linkIn(up, 'Older') ?? ''), 'Guests')[0]).toBe('60');
  expect(column(await me.page(`${path}?sort=down+guests`), 'Guests')[0]).toBe('309');
  expect(idsIn(await me.page(`${path}?sort=up+unknown`))).toEqual(ids.slice(-50).reverse());
});

test('a view saves the filter under a name for its user, sealed and masked', async () => {
  const { form } = await filled();
  const list = `in=${form.id}&part=spam&q=Needle+4242424242424242`;
  await me.post('/dashboard/inbox/views', { name: 'Card 4242424242424242 <b>', list });
  const markup = await me.page(`/dashboard/forms/${form.id}/submissions?done=viewSaved`);
  expect(markup).toContain('View saved.');
  expect(markup).toContain('<bdi>Card ************4242 &lt;b&gt;</bdi>');
  expect(markup).toContain(`/dashboard/forms/${form.id}/submissions?part=spam&amp;q=Needle+************4242`);
  expect(markup).not.toContain('4242424242');
  const [row] = queryDatabase<{ view: Uint8Array }>(instance.dataDir, 'SELECT view FROM inbox_views');
  expect(Buffer.from(row?.view ?? []).includes('Needle')).toBe(false);

  const tab = { name: 'Vegan <guests>', list: `in=${form.id}&field=diet&value=vegan`, tab: 'yes' };
  await me.post('/dashboard/inbox/views', tab);
  const parts = /<ul class="parts">[\s\S]*?<\/ul>/;
  const shown = parts.exec(await me.page(`/dashboard/forms/${form.id}/submissions?field=diet&value=vegan`))?.[0] ?? '';
  expect(shown).toMatch(/aria-current="page"[^>]*><bdi>Vegan &lt;guests&gt;<\/bdi>/);
  expect(shown.match(/aria-current/g)).toHaveLength(1);
  expect(shown).not.toContain('Card');
  expect(parts.exec(await me.page('/dashboard/inbox'))?.[0]).not.toContain('Vegan');

  const id = /\/dashboard\/inbox\/views\/(view_\w+)\/delete/.exec(markup)?.[1] ?? '';
  const colleague = await signIn(instance, instance.owner);
  expect(await colleague.page('/dashboard/inbox')).not.toContain(id);
  expect((await colleague.post(`/dashboard/inbox/views/${id}/delete`)).status).toBe(404);
  expect((await me.post(`/dashboard/inbox/views/${id}/delete`)).status).toBe(303);
  expect(await me.page('/dashboard/inbox')).not.toContain(id);
});

test('a view needs a name, and there are at most 50', async () => {
  const someone = await signIn(instance, instance.owner);
  const save = async (name: string) => {
    const answer = await someone.post('/dashboard/inbox/views', { name, list: 'part=spam' });
    return someone.page(answer.headers.get('location') ?? '');
  };
  expect(await save(' ')).toContain('Enter a name for it.');
  for (let n = 0; n < 50; n++) await someone.post('/dashboard/inbox/views', { name: `View ${n}`, list: '' });
  expect(await save('One more')).toContain('because you have 50 already.');
});
