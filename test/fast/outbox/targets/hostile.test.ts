import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Payload, PayloadValue } from '../../../../src/domain/submissions/submission.ts';
import { COMMON_SETTINGS } from '../../../../src/domain/webhooks/webhook-settings.ts';
import { getKind, WEBHOOK_KINDS, WEBHOOK_SETTING_NAMES } from '../../../../src/outbox/targets/index.ts';
import type { TargetEvent, TargetRequest } from '../../../../src/outbox/targets/target.ts';
import { startVendors, VENDORS } from '../../../support/vendors.ts';
import { eventOf, URL_IN_DASHBOARD, withData } from './events.ts';

const vendors = startVendors();
afterAll(vendors.stop);

/** Returns the request that a vendor gets for an event. */
function requestOf({ kind, settings }: (typeof VENDORS)[string], event: TargetEvent): TargetRequest {
  const delivery = { id: 'dlv_1', now: 0, events: () => [event] as const, toJson: () => '', tokens: new Map() };
  const { request } = getKind(kind).prepare({ ...settings, secrets: [], headers: [] }, delivery);
  if (!request) throw new Error(`a webhook of the kind ${kind} sends no message`);
  return request;
}

test('every kind but JSON, sheets and templates has a vendor', () => {
  const kinds = Object.values(VENDORS).map(({ kind }) => kind);
  expect(new Set([...kinds, 'standard', 'sheets', 'template'])).toEqual(new Set(WEBHOOK_KINDS));
});

test('no two kinds have an option of the same name', () => {
  const names = WEBHOOK_KINDS.flatMap((kind) => Object.keys(getKind(kind).options ?? {}));
  expect([...names, ...Object.keys(COMMON_SETTINGS)].toSorted()).toEqual(WEBHOOK_SETTING_NAMES.toSorted());
});

/** Sends an event and returns the message that the vendor took. */
async function deliver(vendor: (typeof VENDORS)[string], event: TargetEvent) {
  const answer = await vendors.send(requestOf(vendor, event));
  expect([answer.status, answer.body]).toEqual([200, '{"id":"1"}']);
  return vendors.taken.pop() as (typeof vendors.taken)[number];
}

const ATTACKS = [
  ...['@here', '@channel', '@all', '@everyone', '@ada', '@@here', '(@here)', '\n@here', ' @here ', '_@here_'],
  ...['<!channel>', '<!here>', '<!here|x>', '<!all>', '<@U123>', '<@123>', '<@&123>', '<#C1>', '<!subteam^S1>'],
  ...['*bold*', '_italic_', '~~gone~~', '`code`', '```\n@here\n```', '````', '# title', '> quote', '- item', '1. item'],
  ...['||spoiler||', '<b>bold</b>', '<at>Ada</at>', '&lt;!here&gt;', '&amp;', '\\', '\\*bold*', '\\@here', '\\\\<@1>'],
  ...['https://evil.test/?a=b', 'www.evil.test', '[Sign in](https://evil.test)', '<https://evil.test|Sign in>'],
  ...['javascript:alert(1)', 'tg://user?id=1', '/start', '#tag', '$USD', ':tada:', '<:x:1>', '<t:1:R>', '</x:1>'],
  ...['{{DATE(2026-01-01T00:00:00Z)}}', '{{{x}}}', '$'.concat('{x}'), '@{triggerBody()}', '%40here'],
  ...['a\u202eb', '\u2066x', '\u200f', '\ud83d', '\ude00', '\0', '\x1b[31m', '\r\n', '\u2028@here', ' ', '\u00a0', ''],
  'Hi\nEmail: other@example.com',
];

describe.each(Object.entries(VENDORS))('%s', (_, vendor) => {
  const link = vendor.linkTo(URL_IN_DASHBOARD);

  test.each(ATTACKS)('shows %j as text, in every place', async (text) => {
    const event = eventOf({
      form: { name: text, fields: [{ name: 'labeled', label: text, type: 'text', required: false }] },
      submission: {
        data: [
          [text, 'a'],
          ['labeled', 'b'],
          ['value', text],
          ['around', `before ${text}${text}\n${text} after`],
          ['nested', [text, { [text]: [text] }]],
        ],
        files: [{ id: 'file_1', name: text, size: 1 }],
      },
    });
    expect((await deliver(vendor, event)).live).toEqual([link]);
  });

  test.each([
    ['a value of 1 MiB', [['a', 'x'.repeat(2 ** 20)]]],
    ['a value of 1 MiB of markup', [['a', '*@here `'.repeat(2 ** 17)]]],
    ['a value of 1 MiB of line breaks and quotes', [['a', `x${'"\n'.repeat(2 ** 19)}x`]]],
    ['a value of one long grapheme', [['a', `x${'\u0301'.repeat(2 ** 19)}`]]],
    ['1,000 fields', Array.from({ length: 1_000 }, (_, index) => [`field ${index}`, 'value'])],
    [
      '1,000 fields with long names',
      Array.from({ length: 1_000 }, (_, index) => [`${index}${'"😀'.repeat(60)}`, '"😀'.repeat(60)]),
    ],
    ['a long list', [['a', Array.from({ length: 50_000 }, (_, index) => index)]]],
    ['a long list of empty texts', [['a', Array.from({ length: 50_000 }, () => '')]]],
  ] as Array<[string, Payload]>)('cuts %s to its limits', async (_, data) => {
    const files = Array.from({ length: 10 }, (_, index) => ({
      id: `file_${index}`,
      name: 'x'.repeat(255),
      size: index,
    }));
    const { live, shown } = await deliver(vendor, eventOf({ submission: { data, files, isSpam: true } }));
    expect(live).toEqual([link]);
    expect(shown).toContain('Files');
    if (JSON.stringify(data).length > 5_000 && !shown.includes('–')) expect(shown).toContain('…');
  });

  test('cuts between emoji', async () => {
    const family = '👩‍👩‍👧‍👦';
    const { shown } = await deliver(vendor, withData([['a', family.repeat(1_000)]]));
    const [, emoji = ''] = /\ba[:\n]\s*(\S*)…/.exec(shown) ?? [];
    expect(emoji.length).toBeGreaterThan(500);
    expect(emoji.replaceAll(family, '')).toBe('');
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(...ATTACKS, 'a', '1', '\n'), maxLength: 20 }),
    fc
      .tuple(fc.constantFrom(...ATTACKS, '😀', '"', '\\', 'x'), fc.nat(6_000))
      .map(([unit, count]) => unit.repeat(count)),
  );
  const { value } = fc.letrec<{ value: PayloadValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      text,
      fc.constantFrom(0, 1.5, true, null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    ),
  }));

  test('keeps any submission inert and within its limits', async () => {
    const payload = fc.array(fc.tuple(text, value), { maxLength: 60 });
    const file = fc.record({ id: fc.constant('file_1'), name: text, size: fc.nat() });
    const property = fc.asyncProperty(text, payload, fc.array(file, { maxLength: 10 }), async (name, data, files) => {
      const event = eventOf({ form: { name }, submission: { data, files } });
      expect((await deliver(vendor, event)).live).toEqual([link]);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  test('marks spam, lists files with their sizes, and names other events', async () => {
    const spam = await deliver(vendor, eventOf({ submission: { isSpam: true } }));
    expect(spam.shown).toContain('Contact');
    expect(spam.shown).toContain('photo.jpg (12.5 KiB)');
    expect(spam.shown).toContain('ada@example.com');
    expect(JSON.stringify(spam.body).replaceAll('\\', '')).toContain('New submission (spam)');
    const maybe = await deliver(vendor, eventOf({ submission: { isMaybeSpam: true } }));
    expect(JSON.stringify(maybe.body).replaceAll('\\', '')).toContain('New submission (suspected spam)');
    const thin = { data: null, files: [] };
    const deleted = await deliver(vendor, eventOf({ type: 'submission.deleted', submission: thin }));
    expect(JSON.stringify(deleted.body)).toContain('Submission deleted');
    expect(deleted.shown).toContain('sub_1');
    const full = await deliver(vendor, eventOf({ type: 'form.cap_reached', submission: null, url: null }));
    expect(JSON.stringify(full.body)).toContain('Submission limit reached');
    expect(full.live).toEqual([]);
    const sample = await deliver(vendor, eventOf({ type: 'webhook.test' }));
    expect(JSON.stringify(sample.body)).toContain('Test');
  });
});

test.each(['Slack', 'Mattermost and Rocket.Chat', 'Telegram', 'ntfy'])(
  '%s indents lines of a value, so that none passes for a field',
  async (name) => {
    const { shown } = await deliver(
      VENDORS[name] as (typeof VENDORS)[string],
      withData([['message', 'Hi\nemail: other@example.com']]),
    );
    expect(shown).toContain('message: Hi\n  email: other@example.com');
  },
);
