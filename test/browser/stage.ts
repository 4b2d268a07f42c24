import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Form } from '../../src/domain/forms/form.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { startBrowser } from './chromium.ts';

type OpenOptions = BrowserContextOptions &
  Readonly<{
    /** The Content-Security-Policy of the page. */
    csp?: string;
    /** Host name. Names under `.test` resolve to this machine but, unlike `localhost`, are no secure context. */
    host?: string;
  }>;

/** An instance, a browser, and a site of another origin whose pages post to the instance. */
export type Stage = Readonly<{
  instance: Instance;
  /** The default origin of pages. */
  origin: string;
  /** Creates a browser profile. Launches another browser if the last one crashed. */
  newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** Opens a page with this body in a new browser profile. */
  open: (body: string, options?: OpenOptions) => Promise<Page>;
  /** The element that loads the script from the instance. */
  script: string;
  /** Returns the URL that a form posts to. */
  action: (form?: Form) => string;
  /** Returns the HTML of a form with the drop-in script. */
  scripted: (fields: string, settings?: Readonly<{ form?: Form; attributes?: string }>) => string;
  closePages: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** Starts an instance, a browser and a site. The caller closes them. */
export async function openStage(): Promise<Stage> {
  const [instance, browser] = await Promise.all([startInstance(), startBrowser()]);
  const pages: Array<Readonly<{ body: string; csp: string | undefined }>> = [];
  const site = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const page = pages[Number(new URL(request.url).pathname.slice(1))];
      if (!page) return new Response('No such page.', { status: 404 });
      const text = `<!doctype html><html><head><meta charset="utf-8"><title>Site</title></head><body>${page.body}</body></html>`;
      const headers = { 'Content-Type': 'text/html; charset=utf-8' };
      return new Response(text, {
        headers: { ...headers, ...(page.csp !== undefined && { 'Content-Security-Policy': page.csp }) },
      });
    },
  });
  const script = `<script src="${instance.url}/formstead.js" defer></script>`;
  const action = (form = instance.owner.form) => `${instance.url}/v1/forms/${form.id}/submissions`;
  return {
    instance,
    origin: `http://localhost:${site.port}`,
    script,
    action,
    newContext: browser.newContext,
    scripted: (fields, { form, attributes = '' } = {}) =>
      `<form data-formstead action="${action(form)}" method="post" ${attributes}>${fields}</form>${script}`,
    open: async (body, { csp, host = 'localhost', ...options } = {}) => {
      const page = await (await browser.newContext(options)).newPage();
      const path = pages.push({ body, csp }) - 1;
      await page.goto(`http://${host}:${site.port}/${path}`);
      return page;
    },
    closePages: browser.closePages,
    close: async () => {
      await browser.close();
      await site.stop(true);
      await instance.stop();
    },
  };
}

/** Locates the status of the drop-in script with this text. */
export function saying(page: Page, text: string | RegExp) {
  return page.getByRole('status').filter({ hasText: text });
}

/** Collects the `Idempotency-Key` of each later post of the page; undefined for a post without one. */
export function keysOf(page: Page): Array<string | undefined> {
  const keys: Array<string | undefined> = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
  });
  return keys;
}
