import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium as playwright,
} from 'playwright-core';
import type { Form } from '../../src/domain/form.ts';
import { type Instance, startInstance } from '../support/instance.ts';

type OpenOptions = BrowserContextOptions &
  Readonly<{
    /** The Content-Security-Policy that the page is served under. */
    csp?: string;
    /** Every name under `.test` leads to this machine, without being a secure context as `localhost` is. */
    host?: string;
  }>;

/** An instance, a browser, and a site of another origin whose pages post to the instance. */
export type Stage = Readonly<{
  instance: Instance;
  /** The origin that pages have unless they are opened under another host. */
  origin: string;
  /** A browser profile of its own, without pages. */
  newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** Opens a page with this body, in a browser profile of its own. */
  open: (body: string, options?: OpenOptions) => Promise<Page>;
  /** The element that loads the script from the instance. */
  script: string;
  /** Where a form posts to. */
  action: (form?: Form) => string;
  /** A form that the script takes, with the script. */
  scripted: (fields: string, settings?: Readonly<{ form?: Form; attributes?: string }>) => string;
  closePages: () => Promise<void>;
  close: () => Promise<void>;
}>;

/**
 * Chromium, with the limits of an everyday browser in force; the package's own arguments would lift some. The last two spare a
 * process for graphics and one in reserve for each page; sites still have processes of their own.
 */
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.test 127.0.0.1'],
  ...['--in-process-gpu', '--renderer-process-limit=1'],
];

/** Chromium as its package brings it, with the libraries and fonts that a bare machine lacks. */
export async function launch(further: readonly string[] = []): Promise<Browser> {
  const packed = new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'));
  const [executablePath, libraries] = await Promise.all([chromium.executablePath(), inflate(fileURLToPath(packed))]);
  const env = { ...Bun.env, LD_LIBRARY_PATH: join(libraries, 'lib'), FONTCONFIG_PATH: join(tmpdir(), 'fonts') };
  const ignoreDefaultArgs = hasRoomToShare() ? ['--disable-dev-shm-usage'] : [];
  return playwright.launch({ executablePath, args: [...ARGUMENTS, ...further], ignoreDefaultArgs, env });
}

/** Whether its processes may share memory, which costs less than files; in a container there may be 64 MB for all. */
function hasRoomToShare(): boolean {
  const place = '/dev/shm';
  if (!existsSync(place)) return false;
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize > 2 ** 30;
}

/** Takes a second for the first of a run, after that a tenth. The caller closes it. */
export async function openStage(): Promise<Stage> {
  const instance = await startInstance();
  const browser = await launch();
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
  const newContext = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    context.setDefaultTimeout(10_000);
    return context;
  };
  const closePages = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return {
    instance,
    origin: `http://localhost:${site.port}`,
    script,
    action,
    newContext,
    scripted: (fields, { form, attributes = '' } = {}) =>
      `<form data-formstead action="${action(form)}" method="post" ${attributes}>${fields}</form>${script}`,
    open: async (body, { csp, host = 'localhost', ...options } = {}) => {
      const page = await (await newContext(options)).newPage();
      const path = pages.push({ body, csp }) - 1;
      await page.goto(`http://${host}:${site.port}/${path}`);
      return page;
    },
    closePages,
    close: async () => {
      await browser.close();
      await site.stop(true);
      await instance.stop();
    },
  };
}

/** The status that the script speaks through, once it says this. */
export function saying(page: Page, text: string | RegExp) {
  return page.getByRole('status').filter({ hasText: text });
}

/** The `Idempotency-Key` of each post that the page makes from now on; undefined for one without. */
export function keysOf(page: Page): Array<string | undefined> {
  const keys: Array<string | undefined> = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
  });
  return keys;
}
