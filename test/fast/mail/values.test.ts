import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { FormField } from '../../../src/domain/fields/field-type.ts';
import { mailLocale } from '../../../src/mail/locale.ts';
import { notificationMail } from '../../../src/mail/notification.ts';
import { getContent } from '../../../src/outbox/targets/content.ts';
import { targetEvent } from '../../../src/outbox/targets/event.ts';
import { openPayload } from '../../../src/vault/open-submission.ts';
import { type Instance, startInstance } from '../../support/instance.ts';

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(() => instance.stop());

const field = (name: string, type: string, more: Partial<FormField> = {}): FormField => {
  return { name, label: '', type, required: false, ...more };
};
const FIELDS = [
  field('name', 'text'),
  field('day', 'date'),
  field('meals', 'checkboxes', { options: ['Soup', 'Cake'] }),
  field('stars', 'rating'),
  field('news', 'consent'),
  field('photos', 'consent'),
];
const SENT = {
  extra: 'on',
  photos: 'off',
  news: 'on',
  stars: '4',
  meals: ['Soup', 'Cake'],
  day: '2026-11-30',
  name: 'Ada',
};

async function received() {
  const form = await instance.makeForm(instance.owner, { fields: FIELDS });
  await instance.post(form.id, SENT);
  const { store } = instance.context;
  const [received] = (await store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  const stored = received ? await store.mails.findSubmissionWithForm(received.id) : null;
  if (!stored) throw new Error('not stored');
  return stored;
}

test.each([
  ['en', ['Ada', 'November 30, 2026', 'Soup, Cake', '4 of 5', 'Yes', 'No', 'Yes']],
  ['de', ['Ada', '30. November 2026', 'Soup, Cake', '4 von 5', 'Ja', 'Nein', 'Ja']],
] as const)('mails have values by type, in the order of the form (%s)', async (language, shown) => {
  const { form, submission } = await received();
  const mail = notificationMail({
    locale: mailLocale(language),
    form,
    receivedAt: submission.createdAt,
    unsubscribeUrl: null,
    url: null,
    payload: openPayload(instance.context.vault, submission),
    files: [],
    areFilesAttachable: true,
    replyTo: null,
  });
  const names = [...FIELDS.map(({ name }) => name), 'extra'];
  expect(mail.text).toContain(names.map((name, index) => `${name}\n  ${shown[index]}`).join('\n\n'));
  const cells = Array.from(mail.html.matchAll(/<div dir="auto">([^<]+)<\/div>/g), ([, text]) => text ?? '');
  expect(cells).toEqual([...shown]);
});

test('messages of webhooks have values by type, in the order of the form', async () => {
  const stored = await received();
  const event = { ...stored, type: 'submission.created', deleted: null, createdAt: 0 } as const;
  const limits = { rows: 50, label: 100, value: 100, total: 5_000, overhead: 2, makeInert: (text: string) => text };
  const { rows } = getContent(targetEvent({ vault: instance.context.vault, baseUrl: null }, event, 'full'), limits);
  expect(rows.map(({ label, text }) => `${label}: ${text}`)).toEqual([
    ...[
      'name: Ada',
      'day: November 30, 2026',
      'meals: Soup, Cake',
      'stars: 4 of 5',
      'news: Yes',
      'photos: No',
      'extra: Yes',
    ],
  ]);
});
