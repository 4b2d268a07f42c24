import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { FormField } from '../../../src/domain/fields/field-type.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { formData } from '../visitor/files.ts';
import { png } from '../visitor/samples.ts';
import { type SignedIn, signIn } from './signed-in.ts';

let instance: Instance;
let me: SignedIn;
beforeAll(async () => {
  instance = await startInstance();
  me = await signIn(instance, instance.owner);
});
afterAll(() => instance.stop());

/** Posts to a form. Returns the path of the submission and its page. */
async function posted(body: Parameters<Instance['post']>[1], fields: readonly FormField[] = []) {
  const form = await instance.makeForm(instance.owner, { fields });
  const answer = await instance.post(form.id, body);
  if (answer.status !== 200) throw new Error(await answer.text());
  const [one] = (await instance.context.store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  const path = `/dashboard/submissions/${one?.id}`;
  return { path, page: await me.page(path) };
}

const field = (name: string, type: string): FormField => ({ name, label: name, type, required: false });

describe('values', () => {
  test('link web addresses, mail addresses and phone numbers, and nothing else', async () => {
    const { page } = await posted({
      text: 'See (https://harps.example/a?b=1&c=2), http://x.example. Or ada+b@example.com or +46 70 123 45 67!',
      bad: 'javascript:alert(1) https://<script> data:text/html,x ftp://x.example file:///etc/passwd https://[',
      phone: '(030) 123-4567',
      order: '030 123 4567',
      card: 'https://x.example/4242424242424242',
    });
    const links = Array.from(page.matchAll(/<span id="value-\d+">([\s\S]*?)<\/span>/g), ([, html = '']) =>
      Array.from(html.matchAll(/href="([^"]*)"/g), ([, href]) => href),
    );
    expect(links).toEqual([
      ['https://harps.example/a?b=1&amp;c=2', 'http://x.example', 'mailto:ada%2Bb@example.com', 'tel:+46701234567'],
      [],
      ['tel:0301234567'],
      [],
      [],
    ]);
    expect(page).toContain('https://x.example/************4242');
    expect(page).toContain('rel="noopener noreferrer"');
    expect(page).not.toContain('target=');
  });

  // A search in quadratic time would exceed the timeout of the test many times over.
  test('of 250,000 characters are searched for links', async () => {
    for (const piece of ['a', 'a.', 'a@', '+1 ', 'http://', '@a.']) {
      const { path } = await posted({ text: piece.repeat(250_000 / piece.length) });
      expect((await me.get(`${path}/values/0`)).status).toBe(200);
    }
  });

  test('of boxes are yes and no, and copy buttons need script', async () => {
    const { page } = await posted({ news: 'on', terms: 'true', none: '', state: 'on', word: 'yes' }, [
      field('news', 'checkbox'),
      field('terms', 'consent'),
      field('none', 'checkbox'),
      field('word', 'text'),
    ]);
    const values = Array.from(page.matchAll(/<dd>([\s\S]*?)<\/dd>/g), ([, html = '']) =>
      html.replace(/<button[\s\S]*|<[^>]+>/g, ''),
    );
    expect(values).toEqual(['Yes', 'Yes', 'No', 'yes', 'Yes']);
    expect(page).toMatch(/<button type="button"[^>]* hidden=""?[^>]*data-copy="value-4"/);
  });

  test('of the sender are in the head of the page, and below only if it cuts them', async () => {
    const { page } = await posted({ name: 'Ada Byron', email: 'ada@example.com', note: 'Hello' });
    expect(page).toContain('<h1><bdi>Ada Byron</bdi></h1>');
    const [, head = '', values = ''] = /<h1>([\s\S]*)<dl class="values">([\s\S]*?)<\/dl>/.exec(page) ?? [];
    expect(head).toContain('href="mailto:ada@example.com"');
    expect(values).toContain('Hello');
    expect(values).not.toMatch(/Ada Byron|ada@example\.com/);
    const long = 'Ada '.repeat(40).trim();
    const cut = (await posted({ name: long, email: 'ada@example.com' })).page;
    expect(cut.slice(cut.indexOf('<dl class="values">'))).toContain(long);
    const friends = await posted({ friend: 'bea@example.com', name: 'Ada' }, [
      field('friend', 'email'),
      field('name', 'text'),
    ]);
    expect(friends.page.slice(friends.page.indexOf('<dl class="values">'))).toContain('bea@example.com');
    expect((await posted({ note: 'Hello' })).page).toContain('<h1><bdi>Anonymous</bdi></h1>');
  });

  test('are in the order of the form, with dates, ratings and options as their type shows them', async () => {
    const { path, page } = await posted(
      { extra: 'last', bought: '2020-03-04', happy: '4', damaged: ['Strings', 'Body'], name: 'Ada' },
      [
        field('name', 'text'),
        { ...field('damaged', 'checkboxes'), options: ['Strings', 'Body'] },
        field('happy', 'rating'),
        field('bought', 'date'),
      ],
    );
    const values = Array.from(page.matchAll(/<dd>([\s\S]*?)<\/dd>/g), ([, html = '']) =>
      html
        .replace(/<button[\s\S]*|<[^>]+>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    expect(values).toEqual(['Strings Body', '4 of 5', 'March 4, 2020', 'last']);
    expect(page).toContain('<bdi class="option">Strings</bdi>');
    expect(await me.page(`${path}/values/0`)).toContain('last');
  });
});

describe('images', () => {
  const files = (
    ...entries: ReadonlyArray<readonly [name: string, content: Uint8Array<ArrayBuffer> | string, type: string]>
  ) => formData(entries.map(([name, content, type]) => ['f', new File([content], name, { type })]));

  test('are shown from the sealed file, in a sandbox', async () => {
    const { page, path } = await posted(files(['a "b" <c>.png', png(), 'image/png']));
    const src = /<img src="([^"]*)"/.exec(page)?.[1] ?? '';
    expect(src).toStartWith(`${path}/images/`);
    const image = await me.get(src);
    expect(image.status).toBe(200);
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
    const policy = image.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/sandbox$/);
    expect(Buffer.from(await image.arrayBuffer()).equals(png())).toBe(true);
    expect(page).toContain(' bytes');
  });

  test('are those types alone whose content is an image', async () => {
    const { page, path } = await posted(
      files(
        ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'],
        ['b.png', '<html><script>alert(1)</script></html>', 'image/png'],
        ['c.html', '<html><script>alert(1)</script></html>', 'text/html'],
        ['d.bmp', 'BM', 'image/bmp'],
      ),
    );
    const ids = Array.from(page.matchAll(/\/files\/([^"]+)"/g), ([, id]) => id);
    expect(ids).toHaveLength(4);
    for (const id of ids) expect((await me.get(`${path}/images/${id}`)).status).toBe(404);
    expect(page).not.toContain('a.svg"><img');
  });
});
