import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { CATALOG } from '../../src/dashboard/ui/texts.ts';
import { templateFields } from '../../src/domain/forms/form-templates.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/clock.ts';
import { launch } from '../../test/browser/chromium.ts';
import { signIn } from '../../test/fast/dashboard/signed-in.ts';
import { startInstance } from '../../test/support/instance.ts';

/**
 * Makes the pictures of the README and of the main pages as their owner sees them, light, dark and on a phone. The folder
 * `before` has those of November 2026, before the pages were redesigned. Texts in other scripts need the packages
 * fonts-noto-core and fonts-noto-cjk of Debian.
 */

const FORMS = [
  { name: 'Contact', template: 'contact', aDay: 4 },
  { name: 'Feedback on the workshop', template: 'feedback', aDay: 2 },
  { name: 'Summer fair: RSVP', template: 'rsvp', aDay: 6 },
] as const;
const PEOPLE = [
  ['Ada Byron', 'ada', 'Do you repair harps? Ours lost three strings at the last concert.'],
  ['Grace Murray', 'grace', 'Thank you for the quick delivery. Could we have the invoice as a PDF?'],
  ['山田 花子', 'hanako', '小ホールを3月12日に四十名ほどで予約したいのですが、空いていますか。'],
  ['Олена Шевченко', 'olena', 'На третій сторінці вашого посібника є посилання, яке нікуди не веде.'],
  ['محمد الأحمد', 'mohamed', 'هل الدورة مناسبة للمبتدئين؟ ابنتي في الحادية عشرة من عمرها.'],
  ['Ελένη Παπαδοπούλου', 'eleni', 'Θα έρθουμε με δύο παιδιά και θα θέλαμε μια παιδική καρέκλα.'],
  ['Łukasz Żółtowski', 'lukasz', 'Czy kurs jest odpowiedni dla początkujących?'],
  ['김민수', 'minsu', '단체 할인이 가능한지 궁금합니다.'],
] as const;
const FONTS = [
  '/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf',
  '/usr/share/fonts/truetype/noto/NotoSansArabic-Bold.ttf',
  '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
  '/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc',
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
  const photo = { name: 'photo', label: 'Photo', type: 'file', required: false };
  const fields = templateFields(template, CATALOG.textsIn('en').templates.labels);
  const settings = { name, fields: index === 0 ? [...fields, photo] : fields };
  const form = index === 0 ? team.form : await instance.makeForm(team);
  await store.forms.update(form.id, settings);
  forms.push({ form, aDay, template });
}

let count = 0;
for (let turn = 0; now < NOW - HOUR; turn++, now += DAY / 6) {
  for (const { form, aDay, template } of forms) {
    // Some days are busier than others.
    const isQuiet = (Math.floor(turn / 6) * 5 + turn * aDay) % 11 > aDay;
    if (isQuiet) continue;
    const [name, box, message] = PEOPLE[count % PEOPLE.length] ?? PEOPLE[0];
    await instance.post(form.id, { name, email: `${box}@example.com`, ...extras(template, count), message });
    count += 1;
  }
  if (turn % 40 === 0) await instance.post(team.form.id, SPAM);
}
now = NOW - 8 * MINUTE;
const me = await signIn(instance, team, { timeZone: 'Europe/Berlin', email: 'you@example.com' });
const body = new FormData();
body.append('name', 'Ada Byron');
body.append('email', 'ada@example.com');
body.append('message', `${PEOPLE[0][2]}\n\nA photo is attached. You reach me on weekdays from nine.`);
body.append('photo', new File([harpPhoto()], 'harp.png', { type: 'image/png' }));
await instance.post(team.form.id, body);
for (const { id } of (await store.submissions.listRecent(team.form.id, { onlySpam: false, limit: 100 }))?.slice(4) ??
  []) {
  await me.post(`/dashboard/submissions/${id}/read`);
}
const [newest] = (await store.submissions.listRecent(team.form.id, { onlySpam: false, limit: 1 })) ?? [];
now = NOW;

linkFonts();
const browser = await launch();
const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 } };
const DARK = { colorScheme: 'dark' } as const;
const form = `/dashboard/forms/${team.form.id}`;
const [, feedback] = forms;
const PAGES = {
  forms: '/dashboard/forms',
  inbox: `/dashboard/inbox?open=${newest?.id}`,
  submission: `/dashboard/submissions/${newest?.id}`,
  overview: form,
  table: `/dashboard/forms/${feedback?.form.id}/submissions`,
  settings: `${form}/settings`,
  connect: `${form}/connect`,
  status: '/dashboard/status',
  usage: '/dashboard/usage',
  keys: '/dashboard/keys',
};
await me.post(`/dashboard/forms/${feedback?.form.id}/layout`, { layout: 'table' });
await me.post('/dashboard/status/set-up', { list: 'hide' });
for (const [name, path] of Object.entries(PAGES)) {
  await take(name, path, DESK);
  await take(`${name}-dark`, path, { ...DESK, ...DARK });
  await take(`${name}-phone`, path, PHONE);
  await take(`${name}-phone-dark`, path, { ...PHONE, ...DARK });
}
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

/** Makes the fonts of the system known to Chromium, which only looks into the folder of its package. */
function linkFonts(): void {
  const folder = join(tmpdir(), 'fonts', 'system');
  mkdirSync(folder, { recursive: true });
  for (const source of FONTS) {
    const target = join(folder, basename(source));
    if (existsSync(source) && !existsSync(target)) symlinkSync(source, target);
  }
}

/** Returns the fields of a template besides name, email and message. */
function extras(template: (typeof FORMS)[number]['template'], number: number): Record<string, string> {
  if (template === 'feedback') return { rating: String(1 + ((number * 7) % 5)) };
  if (template === 'rsvp') return { attending: number % 3 === 0 ? 'decline' : 'accept', guests: String(number % 4) };
  return {};
}

/** Returns a PNG (RFC 2083) of 240 by 240 pixels with strings in front of a gradient. */
function harpPhoto(): Uint8Array<ArrayBuffer> {
  const size = 240;
  const rows = Buffer.alloc(size * (1 + 3 * size));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const isString = x % 20 < 2 && y > x / 2;
      const color = isString ? [250, 235, 200] : [120 - y / 4, 70 + x / 6, 45 + y / 5];
      rows.set(color, y * (1 + 3 * size) + 1 + 3 * x);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2], 8);
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(
    Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]),
  );
}
