import { join } from 'node:path';
import { startDemo } from '../../src/demo/demo.ts';
import { launch } from '../../test/browser/chromium.ts';

/**
 * Makes the pictures of the README, the site and the main pages from a demo, light, dark and on a phone. The folder `before`
 * has those of November 2026, before the pages were redesigned.
 */

const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 } };
const DARK = { colorScheme: 'dark' } as const;

const demo = await startDemo({ env: { PORT: '0' }, isPublic: false, writeLog: (line) => process.stderr.write(line) });
const { headers } = await fetch(demo.link, { redirect: 'manual' });
const [name = '', value = ''] = headers.get('set-cookie')?.split(/[=;]/) ?? [];
const read = async (path: string) => (await fetch(demo.url + path, { headers: { Cookie: `${name}=${value}` } })).text();
const find = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
const forms = await read('/dashboard/forms');
const contact = `/dashboard/forms/${find(forms, /forms\/(frm_\w+)[^>]*>[^<]*(?:<[^>]*>)*Contact/)}`;
const feedback = `/dashboard/forms/${find(forms, /forms\/(frm_\w+)[^>]*>[^<]*(?:<[^>]*>)*Feedback/)}`;
const newest = find(await read('/dashboard/inbox'), /submissions\/(sub_\w+)/);
const PAGES = {
  forms: '/dashboard/forms',
  inbox: `/dashboard/inbox?open=${newest}`,
  submission: `/dashboard/submissions/${newest}`,
  overview: feedback,
  table: `${feedback}/submissions`,
  settings: `${contact}/settings/fields`,
  connect: `${contact}/connect`,
  spam: '/dashboard/spam',
  mail: '/dashboard/mail',
  status: '/dashboard/status',
  keys: '/dashboard/keys',
};
const body = new URLSearchParams({ layout: 'table', page_team: find(forms, /name="page_team" value="(team_\w+)"/) });
const own = { Cookie: `${name}=${value}`, 'Sec-Fetch-Site': 'same-origin' };
await fetch(`${demo.url}${feedback}/layout`, { method: 'POST', headers: own, body, redirect: 'manual' });

const browser = await launch();
for (const [page, path] of Object.entries(PAGES)) {
  await take(page, path, DESK);
  await take(`${page}-dark`, path, { ...DESK, ...DARK });
  await take(`${page}-phone`, path, PHONE);
  await take(`${page}-phone-dark`, path, { ...PHONE, ...DARK });
}
await browser.close();
await demo.stop();
process.exit(0);

async function take(file: string, path: string, options: Parameters<typeof browser.newContext>[0]): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', bypassCSP: true, ...options });
  await context.addCookies([{ name, value, url: `${demo.url}/dashboard` }]);
  const page = await context.newPage();
  await page.goto(demo.url + path);
  // The strip that says that this is a demo.
  await page.addStyleTag({ content: '.strips { display: none; }' });
  await page.screenshot({ path: join(import.meta.dir, `${file}.png`) });
  await context.close();
}
