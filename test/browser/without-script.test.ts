import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance } = stage;

const FIELDS = '<label>Name <input name="name"></label><button>Send</button>';

/** Opens a page without script that has the form of a new owner. */
async function plain(fields = FIELDS, { enctype = '', csp = '', ...options }: Plain = {}) {
  const owner = await instance.makeOwner();
  const html = `<form action="${stage.action(owner.form)}" method="post" ${enctype}>${fields}</form>`;
  const page = await stage.open(html, { javaScriptEnabled: false, ...(csp && { csp }), ...options });
  return { page, owner };
}

type Plain = BrowserContextOptions & Readonly<{ enctype?: string; csp?: string }>;

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click();

describe('a form without script', () => {
  test('posts, and the visitor sees a success page with a link back', async () => {
    const { page, owner } = await plain();
    const before = page.url();
    await page.getByLabel('Name').fill('Ada');
    await send(page);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(page.url()).toBe(stage.action(owner.form));
    expect((await instance.stored(owner)).map(({ data }) => data)).toEqual([{ name: 'Ada' }]);
    // Browsers send only the origin of a page to other sites.
    await page.getByRole('link').click();
    await page.waitForURL(`${new URL(before).origin}/`);
  });

  test('posts even if it is meant for the drop-in script', async () => {
    const owner = await instance.makeOwner();
    const page = await stage.open(stage.scripted(FIELDS, owner), { javaScriptEnabled: false });
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Name').press('Enter');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect((await instance.stored(owner)).map(({ data }) => data)).toEqual([{ name: 'Ada' }]);
  });

  test("gets a page in the browser's language", async () => {
    const { page } = await plain(FIELDS, { locale: 'de-AT' });
    await page.getByLabel('Name').fill('Ada');
    await send(page);
    await page.getByRole('heading', { name: 'Vielen Dank' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
  });

  test('shows a page after a refusal, and nothing is stored', async () => {
    const { page, owner } = await plain('<button>Send</button>');
    const [answer] = await Promise.all([page.waitForResponse('**/submissions'), send(page)]);
    await page.getByRole('heading', { name: 'Your message was not sent' }).waitFor();
    expect(answer.status()).toBe(400);
    expect(await instance.stored(owner)).toEqual([]);
  });

  test('works under a policy that allows only posts to the instance', async () => {
    const { page, owner } = await plain(FIELDS, { csp: `default-src 'none'; form-action ${instance.url}` });
    await page.getByLabel('Name').fill('Ada');
    await send(page);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect((await instance.stored(owner)).map(({ data }) => data)).toEqual([{ name: 'Ada' }]);
  });
});

describe('a form with a file', () => {
  const enctype = 'enctype="multipart/form-data"';
  const fields =
    '<label>Name <input name="name"></label><label>CV <input type="file" name="cv"></label><button>Send</button>';
  const PDF = { name: 'Ada’s "CV".pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\nHello\n%%EOF\n') };

  type File = Readonly<{ id: string; field: string; name: string; content_type: string; size: number; sha256: string }>;
  type Shown = Readonly<{ data: unknown; file_metadata: Readonly<{ files: readonly File[] }> | null }>;

  /** Returns the only submission of the owner's form from the API. */
  async function storedSubmission({ form, readKey }: Awaited<ReturnType<typeof plain>>['owner']) {
    const answer = await instance.api('GET', `/v1/forms/${form.id}/submissions`, { key: readKey });
    const { data } = (await answer.json()) as { data: { items: Array<Shown & { id: string }> } };
    expect(data.items.length).toBe(1);
    return data.items[0];
  }

  test('posts it, and the download returns the same bytes', async () => {
    const { page, owner } = await plain(fields, { enctype });
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('CV').setInputFiles(PDF);
    await send(page);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const submission = await storedSubmission(owner);
    const sha256 = new Bun.CryptoHasher('sha256').update(PDF.buffer).digest('hex');
    expect(submission?.file_metadata).toEqual({
      files: [
        {
          id: expect.stringMatching(/^file_/),
          field: 'cv',
          name: PDF.name,
          content_type: 'application/pdf',
          size: PDF.buffer.length,
          sha256,
        },
      ],
    });
    const path = `/v1/submissions/${submission?.id}/files/${submission?.file_metadata?.files[0]?.id}`;
    const file = await instance.api('GET', path, { key: owner.readKey });
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF.buffer);
  });

  test('posts the other fields if the file is empty', async () => {
    const { page, owner } = await plain(fields, { enctype });
    await page.getByLabel('Name').fill('Ada');
    await send(page);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await storedSubmission(owner)).toMatchObject({ data: { name: 'Ada' }, file_metadata: null });
  });

  test('without enctype posts the name of the file', async () => {
    const { page, owner } = await plain(fields);
    await page.getByLabel('CV').setInputFiles(PDF);
    await send(page);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect((await instance.stored(owner)).map(({ data }) => data)).toEqual([{ name: '', cv: PDF.name }]);
  });

  test('can be posted by the drop-in script', async () => {
    const owner = await instance.makeOwner();
    const page = await stage.open(stage.scripted(fields, { form: owner.form, attributes: enctype }));
    await page.getByLabel('CV').setInputFiles(PDF);
    await send(page);
    await page.getByRole('status').filter({ hasText: 'Thank you' }).waitFor();
    expect((await storedSubmission(owner))?.file_metadata?.files.map(({ name, size }) => [name, size])).toEqual([
      [PDF.name, PDF.buffer.length],
    ]);
  });
});

describe('the success page', () => {
  /** Opens the page and returns the brightness of text and background, and the horizontal overflow. */
  async function shown(options: BrowserContextOptions) {
    const { page } = await plain(FIELDS, { locale: 'de-DE', ...options });
    await page.getByLabel('Name').fill('Ada');
    await send(page);
    const heading = page.getByRole('heading', { name: 'Vielen Dank' });
    await heading.waitFor();
    const colors = await page.evaluate<string[]>(`(() => {
      const { color, backgroundColor } = getComputedStyle(document.body);
      return [color, backgroundColor];
    })()`);
    const brightness = colors.map((color) => Math.max(...(color.match(/\d+/g) ?? []).map(Number)));
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    return { brightness, overflow };
  }

  test.each(['light', 'dark'] as const)('uses the %s color scheme of the browser', async (colorScheme) => {
    const { brightness } = await shown({ colorScheme });
    const [text = 0, background = 0] = brightness;
    expect(text < background).toBe(colorScheme === 'light');
    expect(Math.abs(text - background)).toBeGreaterThan(180);
  });

  test.each([320, 390])('fits a phone %i pixels wide without scrolling sideways', async (width) => {
    expect((await shown({ viewport: { width, height: 700 }, isMobile: true })).overflow).toBe(0);
  });

  test('fits a phone at 200% zoom', async () => {
    const { overflow } = await shown({ viewport: { width: 195, height: 350 }, deviceScaleFactor: 2 });
    expect(overflow).toBe(0);
  });
});
