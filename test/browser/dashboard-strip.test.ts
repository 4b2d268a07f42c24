import { afterAll, expect, test } from 'bun:test';
import { CATALOG } from '../../src/dashboard/ui/texts.ts';
import { HOUR, MINUTE } from '../../src/lib/clock.ts';
import { createWebhook } from '../../src/services/webhooks/webhooks.ts';
import { signIn } from '../fast/dashboard/signed-in.ts';
import { startInstance } from '../support/instance.ts';
import { startSmtp } from '../support/smtp.ts';
import { limit } from '../support/speed.ts';
import { launch } from './chromium.ts';

let now = Date.UTC(2026, 4, 15, 12) * 1000;
const smtp = await startSmtp();
const PLANS = JSON.stringify({
  small: { api_access: true, submissions_limit: 1 },
  free: { api_access: true, submissions_limit: null },
});
const instance = await startInstance({
  clock: () => now,
  env: { PLANS, SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' },
});
const browser = await launch();
const failing = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(null, { status: 500 }) });
afterAll(async () => {
  await browser.close();
  await instance.stop();
  await smtp.stop();
  await failing.stop(true);
});

const PAGES = ['/dashboard/inbox', '/dashboard/forms', '/dashboard/mail', '/dashboard/team', '/dashboard/account'];
/** Runs in the browser. */
const MEASURE = `({
  strips: Array.from(document.querySelectorAll('.strip'), (strip) => strip.getBoundingClientRect().height),
  header: document.querySelector('.top').getBoundingClientRect().height,
  isWide: document.documentElement.scrollWidth > innerWidth,
  row: document.querySelector('[data-first]')?.getBoundingClientRect().top ?? null,
})`;
type Sizes = Readonly<{ strips: readonly number[]; header: number; isWide: boolean; row: number | null }>;
const WIDTHS = [1280, 1024, 390];
/** The lowest place of the first row, with the strip, on a computer and on a phone. */
const LIMITS = { inbox: [150, 220], form: [230, 300] } as const;

test(
  'strip and first row keep their places with 0 to 4 alarms, in both languages and all widths',
  async () => {
    const owner = await instance.makeOwner('free');
    const me = await signIn(instance, owner);
    await me.post('/dashboard/status/set-up', { list: 'hide' });
    const form = await instance.makeForm(owner, { notify: [`${'a-very-long-address-'.repeat(3)}@client.example`] });
    const submissions = `/dashboard/forms/${form.id}/submissions`;
    await instance.post(form.id, { message: 'Hello' });
    const measure = async (alarms: number) => {
      for (const locale of ['en', 'de'] as const) {
        for (const width of WIDTHS) {
          const context = await browser.newContext({ viewport: { width, height: 844 }, locale, baseURL: instance.url });
          const [name = '', value = ''] = me.cookie.split(/=(.*)/s);
          await context.addCookies([{ name, value, url: instance.url }]);
          const page = await context.newPage();
          for (const path of [...PAGES, submissions]) {
            await page.goto(path);
            const { row, ...sizes } = await page.evaluate<Sizes>(MEASURE);
            const expected = { strips: alarms > 0 ? [36] : [], header: 48, isWide: false };
            expect({ path, width, locale, sizes }).toEqual({ path, width, locale, sizes: expected });
            const more = await page.locator('.strip .more').allTextContents();
            const others = CATALOG.textsIn(locale).strip.more(alarms - 1);
            expect({ path, more }).toEqual({ path, more: alarms > 1 ? [others] : [] });
            const limits = path === submissions ? LIMITS.form : path === '/dashboard/inbox' ? LIMITS.inbox : null;
            if (limits) expect(row).toBeLessThanOrEqual(limits[width > 400 ? 0 : 1]);
            else expect(row).toBeNull();
          }
          await context.close();
        }
      }
    };
    await measure(0);
    smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code: 550, text: 'never' } : undefined));
    await instance.post(form.id, { message: 'one' });
    await instance.context.mail?.outbox.drain();
    await measure(1);
    const hook = { url: `http://127.0.0.1:${failing.port}/hook`, event: 'submission.created' } as const;
    await createWebhook(instance.context, form.id, 'standard', hook);
    await instance.post(form.id, { message: 'hooked' });
    for (let failure = 0; failure < 3; failure++) {
      await instance.context.webhooks.drain();
      now += HOUR;
    }
    await measure(2);
    smtp.onMoment(({ stage }) => (stage === 'CONN' ? 'drop' : undefined));
    now += MINUTE;
    await instance.post(form.id, { message: 'two' });
    await instance.context.mail?.outbox.drain();
    await measure(3);
    await instance.context.store.teams.update(owner.teamId, { plan: 'small' });
    await measure(4);
  },
  limit(120),
);
