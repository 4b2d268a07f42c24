import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { CATALOG } from '../../src/dashboard/i18n/index.ts';
import { templateFields } from '../../src/domain/form-templates.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/clock.ts';
import { launch } from '../browser/chromium.ts';
import { signIn } from '../fast/dashboard/signed-in.ts';
import { startInstance } from '../support/instance.ts';

/** Makes the pictures of the README: the main pages as their owner sees them, light, dark and on a phone. */

const FORMS = [
  { name: 'Contact', template: 'contact', aDay: 4 },
  { name: 'Feedback on the workshop', template: 'feedback', aDay: 2 },
  { name: 'Summer fair: RSVP', template: 'rsvp', aDay: 6 },
] as const;
const PEOPLE = [
  'Ada Byron',
  'Grace Murray',
  'Emmy Amalie',
  'Alan Mathison',
  'Mary Fairfax',
  'Edsger Wybe',
  'Lise Elise',
];
const MESSAGES = [
  'Do you repair harps? Ours lost three strings at the last concert.',
  'Thank you for the quick delivery. Could we have the invoice as a PDF?',
  'We would like to book the small hall for 12 March, about forty people.',
  'The third page of your guide has a link that leads nowhere.',
  'Is the course suitable for beginners? My daughter is eleven.',
  'We are coming with two children and would be glad of a high chair.',
];
const SPAM = {
  name: 'SEO Expert',
  email: 'offers@rank.example',
  message:
    'Hi, I noticed your website is not ranking. We guarantee the first page of Google in 30 days, only $99 per month. ' +
    'Reply YES or see https://rank.example.com/offer',
};
const NOW = Date.UTC(2026, 10, 21, 14, 12) * 1000;

let now = NOW - 30 * DAY;
const instance = await startInstance({ clock: () => now });
const team = await instance.makeOwner();
const { store } = instance.context;
const forms = [];
for (const [index, { name, template, aDay }] of FORMS.entries()) {
  const settings = { name, fields: templateFields(template, CATALOG.textsIn('en').templates.labels) };
  const form = index === 0 ? team.form : await instance.makeForm(team);
  await store.updateForm(form.id, settings);
  forms.push({ form, aDay });
}

let count = 0;
for (let turn = 0; now < NOW - HOUR; turn++, now += DAY / 6) {
  for (const { form, aDay } of forms) {
    // Some days are busier than others.
    const isQuiet = (Math.floor(turn / 6) * 5 + turn * aDay) % 11 > aDay;
    if (isQuiet) continue;
    const name = PEOPLE[count % PEOPLE.length] ?? '';
    const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
    await instance.post(form.id, { name, email, message: MESSAGES[count % MESSAGES.length] });
    count += 1;
  }
  if (turn % 40 === 0) await instance.post(team.form.id, SPAM);
}
now = NOW - 8 * MINUTE;
const me = await signIn(instance, team, { timeZone: 'Europe/Berlin', email: 'you@example.com' });
const body = new FormData();
body.append('name', 'Ada Byron');
body.append('email', 'ada@example.com');
body.append('message', `${MESSAGES[0]}\n\nA photo is attached. You reach me on weekdays from nine.`);
body.append('photo', new File([new Uint8Array(183_000)], 'harp.jpg', { type: 'image/jpeg' }));
await instance.post(team.form.id, body);
for (const { id } of (await store.listRecentSubmissions(team.form.id, { onlySpam: false, limit: 100 }))?.slice(4) ??
  []) {
  await me.post(`/dashboard/submissions/${id}/read`);
}
const [newest] = (await store.listRecentSubmissions(team.form.id, { onlySpam: false, limit: 1 })) ?? [];
now = NOW;

const browser = await launch();
const DESK = { viewport: { width: 1180, height: 760 } };
const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 };
await take('forms', '/dashboard/forms', DESK);
await take('inbox-dark', `/dashboard/forms/${team.form.id}/submissions`, { ...DESK, colorScheme: 'dark' });
await take('submission', `/dashboard/submissions/${newest?.id}`, DESK);
await take('inbox-phone', '/dashboard/inbox', PHONE);
await take('submission-phone-dark', `/dashboard/submissions/${newest?.id}`, { ...PHONE, colorScheme: 'dark' });
await browser.close();
await instance.stop();
process.exit(0);

async function take(name: string, path: string, options: Parameters<typeof browser.newContext>[0]): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const [cookie = '', value = ''] = me.cookie.split('=', 2);
  await context.addCookies([{ name: cookie, value, url: `${instance.url}/dashboard` }]);
  const page: Page = await context.newPage();
  await page.goto(instance.url + path);
  await page.screenshot({ path: join(import.meta.dir, `${name}.png`) });
  await context.close();
}
