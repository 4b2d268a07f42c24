import { afterAll, expect, test } from 'bun:test';
import { CATALOG } from '../../src/dashboard/ui/texts.ts';
import { FAILING_AFTER } from '../../src/domain/webhooks/webhook.ts';
import { HOUR, MINUTE } from '../../src/lib/clock.ts';
import { createWebhook } from '../../src/services/webhooks/webhooks.ts';
import { signIn } from '../fast/dashboard/signed-in.ts';
import { startInstance } from '../support/instance.ts';
import { Receiver } from '../support/receiver.ts';
import { startSmtp } from '../support/smtp.ts';
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
const closed = new Receiver();
const browser = await launch();
afterAll(async () => {
  await browser.close();
  await instance.stop();
  await smtp.stop();
});

const PAGES = ['/dashboard/inbox', '/dashboard/forms', '/dashboard/mail', '/dashboard/team', '/dashboard/account'];
/** Runs in the browser. */
const MEASURE = `({
  strips: Array.from(document.querySelectorAll('.strip'), (strip) => strip.getBoundingClientRect().height),
  header: document.querySelector('.top').getBoundingClientRect().height,
  isWide: document.documentElement.scrollWidth > innerWidth,
})`;
const WIDTHS = [1280, 1024, 390];

test('the strip takes at most 40 px on every page, with 0 to 4 alarms, in both languages and all widths', async () => {
  const owner = await instance.makeOwner('free');
  const me = await signIn(instance, owner);
  await me.post('/dashboard/status/set-up', { list: 'hide' });
  const form = await instance.makeForm(owner, { notify: [`${'a-very-long-address-'.repeat(3)}@client.example`] });
  const measure = async (alarms: number) => {
    for (const locale of ['en', 'de'] as const) {
      for (const width of WIDTHS) {
        const context = await browser.newContext({ viewport: { width, height: 844 }, locale, baseURL: instance.url });
        const [name = '', value = ''] = me.cookie.split(/=(.*)/s);
        await context.addCookies([{ name, value, url: instance.url }]);
        const page = await context.newPage();
        for (const path of PAGES) {
          await page.goto(path);
          const sizes: unknown = await page.evaluate(MEASURE);
          const expected = { strips: alarms > 0 ? [36] : [], header: 48, isWide: false };
          expect({ path, width, locale, sizes }).toEqual({ path, width, locale, sizes: expected });
          const more = await page.locator('.strip .more').allTextContents();
          const others = CATALOG.textsIn(locale).strip.more(alarms - 1);
          expect({ path, more }).toEqual({ path, more: alarms > 1 ? [others] : [] });
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
  smtp.onMoment(({ stage }) => (stage === 'CONN' ? 'drop' : undefined));
  now += MINUTE;
  await instance.post(form.id, { message: 'two' });
  await instance.context.mail?.outbox.drain();
  await measure(2);
  await createWebhook(instance.context, form.id, 'standard', { name: 'A long name '.repeat(5), url: closed.url });
  await closed.stop();
  await instance.post(form.id, { message: 'three' });
  for (let attempt = 0; attempt < FAILING_AFTER; attempt++) {
    await instance.context.webhooks.drain();
    now += HOUR;
  }
  await measure(3);
  await instance.context.store.teams.update(owner.teamId, { plan: 'small' });
  await measure(4);
});
