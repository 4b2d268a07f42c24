import { join } from 'node:path';
import { launch } from '../../test/browser/chromium.ts';
import { signIn } from '../../test/fast/dashboard/signed-in.ts';
import { startInstance } from '../../test/support/instance.ts';
import { Report } from '../bench/report.ts';
import { makeSite } from '../site/make.ts';

/** Has Lighthouse look at the main pages of the dashboard and of the static site in a real Chromium, on a phone and a desk. */

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const PORT = 9_333;
const SUBMISSIONS = 60;
const EMAIL = { name: 'email', label: 'Email', type: 'email', required: true };

type Result = { lhr: { categories: Record<string, { score: number | null }>; audits: Record<string, Audit> } };
type Audit = { id: string; title: string; score: number | null; scoreDisplayMode: string };
type Lighthouse = (url: string, flags: Record<string, unknown>, config?: unknown) => Promise<Result>;

// Installed here alone, so its name is not one that the project's types know.
const PACKAGE: string = 'lighthouse';
const { default: lighthouse, desktopConfig } = (await import(PACKAGE)) as {
  default: Lighthouse;
  desktopConfig: unknown;
};

const instance = await startInstance();
const me = await signIn(instance, instance.owner);
const { form } = instance.owner;
for (let number = 1; number <= SUBMISSIONS; number++) {
  const email = `visitor${number}@example.com`;
  await instance.post(form.id, {
    name: `Visitor ${number}`,
    email,
    message: `Question number ${number}: do you deliver?`,
  });
}
await instance.context.store.forms.update(form.id, { hasHostedPage: true, fields: [EMAIL] });
const [newest] = (await instance.context.store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
const folder = join(import.meta.dir, '../../dist/site');
await makeSite(folder);
const site = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const file = Bun.file(join(folder, new URL(request.url).pathname));
    const headers = { 'Content-Type': file.type, 'Content-Encoding': 'gzip', 'Cache-Control': 'max-age=600' };
    return new Response(Bun.gzipSync(await file.bytes()), { headers });
  },
});
const browser = await launch([`--remote-debugging-port=${PORT}`]);
const pages = [
  ['sign-in', '/dashboard/sign-in'],
  ['inbox', '/dashboard/inbox'],
  ['forms', '/dashboard/forms'],
  ['overview', `/dashboard/forms/${form.id}`],
  ['list', `/dashboard/forms/${form.id}/submissions`],
  ['detail', `/dashboard/submissions/${newest?.id}`],
  ['settings', `/dashboard/forms/${form.id}/settings`],
  ['fields', `/dashboard/forms/${form.id}/settings/fields`],
  ['webhooks', `/dashboard/forms/${form.id}/webhooks`],
  ['connect', `/dashboard/forms/${form.id}/connect`],
  ['new form', '/dashboard/forms/new'],
  ['mail', '/dashboard/mail'],
  ['team', '/dashboard/team'],
  ['account', '/dashboard/account'],
  ['status', '/dashboard/status'],
  ['spam', '/dashboard/spam'],
  ['hosted', `/f/${form.shortId}`],
  ['manual, a chapter', '/docs/connect-forms'],
  ['manual, search', '/docs/search?q=spam'],
  ['API reference', '/docs/api'],
  ['site', `${site.url}index.html`],
  ['site, a chapter', `${site.url}connect-forms.html`],
  ['site, search', `${site.url}search.html?q=spam`],
] as const;

const rows = [['page', 'on', ...CATEGORIES]];
for (const [name, path] of pages) {
  for (const device of ['phone', 'desk'] as const) {
    const flags = {
      port: PORT,
      output: 'json',
      onlyCategories: CATEGORIES,
      disableStorageReset: true,
      extraHeaders: name === 'sign-in' ? {} : { Cookie: me.cookie },
    };
    const { lhr } = await lighthouse(
      new URL(path, instance.url).href,
      flags,
      device === 'desk' ? desktopConfig : undefined,
    );
    rows.push([name, device, ...CATEGORIES.map((category) => show(lhr.categories[category]?.score))]);
    for (const { title, score, scoreDisplayMode, id } of Object.values(lhr.audits)) {
      if (score !== null && score < 0.9 && ['binary', 'metricSavings'].includes(scoreDisplayMode))
        process.stdout.write(`${name} on ${device}: ${id}: ${title}\n`);
    }
  }
}
const report = new Report('bun run bench lighthouse', [
  'Lighthouse looks at pages of the dashboard and of the static site in Chromium, with its own simulated phone (slow network',
  'and processor) and desk. Points of 100.',
]);
report.section('Points', rows);
await report.write(join(import.meta.dir, 'RESULTS.md'));
await browser.close();
await site.stop(true);
await instance.stop();
process.exit(0);

function show(score: number | null | undefined): string {
  return score === null || score === undefined ? 'none' : String(Math.round(score * 100));
}
