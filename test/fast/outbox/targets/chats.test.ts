import { afterAll, describe, expect, test } from 'bun:test';
import { discord } from '../../../../src/outbox/targets/discord.ts';
import { ntfy } from '../../../../src/outbox/targets/ntfy.ts';
import { slack } from '../../../../src/outbox/targets/slack.ts';
import { teams } from '../../../../src/outbox/targets/teams.ts';
import { telegram } from '../../../../src/outbox/targets/telegram.ts';
import { startVendors } from '../../../support/vendors.ts';
import { eventOf, URL_IN_DASHBOARD } from './events.ts';

const vendors = startVendors();
afterAll(vendors.stop);

type Input = Readonly<{ url?: string; chat?: string }>;

const bodyOf = ({ body }: { body: string }) => JSON.parse(body);

describe('messages', () => {
  test('Slack', () => {
    const { text, blocks } = bodyOf(slack.format({ url: 'https://hooks.slack.com/services/x' }, eventOf()));
    expect(text).toBe('New submission: Contact');
    expect(
      blocks.map(({ text, elements }: { text?: { text: string }; elements?: unknown }) => text?.text ?? elements),
    ).toEqual([
      'New submission: Contact',
      'Email: ada@example.com',
      'message: Hello\n  world',
      'Files: photo.jpg (12.5 KiB)',
      [{ type: 'mrkdwn', text: `<${URL_IN_DASHBOARD}|Open in the dashboard>` }],
    ]);
  });

  test('Mattermost and Rocket.Chat', () => {
    const { text } = bodyOf(slack.format({ url: 'https://chat.example.com/hooks/x' }, eventOf()));
    expect(text).toBe(`**New submission**
\`\`\`
Form: Contact
Email: ada@example.com
message: Hello
  world
Files: photo.jpg (12.5 KiB)
\`\`\`
[Open in the dashboard](${URL_IN_DASHBOARD})`);
  });

  test('Discord', () => {
    const { embeds } = bodyOf(discord.format({ url: 'https://discord.com/api/webhooks/1/x?wait=true' }, eventOf()));
    expect(embeds).toEqual([
      {
        title: 'New submission: Contact',
        description: `[Open in the dashboard](${URL_IN_DASHBOARD})`,
        fields: [
          { name: 'Email', value: 'ada\\@example\\.com' },
          { name: 'message', value: 'Hello\nworld' },
          { name: 'Files', value: 'photo\\.jpg \\(12\\.5 KiB\\)' },
        ],
        timestamp: '2026-11-22T08:30:00.000000Z',
      },
    ]);
  });

  test('Telegram', () => {
    const { chat_id, text, entities } = bodyOf(telegram.format({ url: 'https://x.test', chat: '-1' }, eventOf()));
    expect(chat_id).toBe('-1');
    const marked = entities.map(({ type, offset, length }: { type: string; offset: number; length: number }) => [
      type,
      text.slice(offset, offset + length),
    ]);
    expect(marked).toEqual([
      ['bold', 'New submission'],
      ['pre', 'Form: Contact\nEmail: ada@example.com\nmessage: Hello\n  world\nFiles: photo.jpg (12.5 KiB)'],
      ['text_link', 'Open in the dashboard'],
    ]);
  });

  test('Teams', () => {
    const [{ content }] = bodyOf(teams.format({ url: 'https://x.test' }, eventOf())).attachments;
    expect(content.body.map(({ inlines: [{ text }] }: { inlines: [{ text: string }] }) => text)).toEqual([
      ...['New submission', 'Contact', 'Email', 'ada@example.com', 'message', 'Hello\nworld'],
      ...['Files', 'photo.jpg (12.5 KiB)'],
    ]);
    expect(content.actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Open in the dashboard', url: URL_IN_DASHBOARD },
    ]);
  });

  test('ntfy', () => {
    const settings = ntfy.check({ url: 'https://ntfy.example.com/base/orders?auth=x' });
    const request = ntfy.format(settings, eventOf());
    expect(request.url).toBe('https://ntfy.example.com/base/?auth=x');
    expect(bodyOf(request)).toEqual({
      topic: 'orders',
      title: 'New submission',
      message: 'Form: Contact\nEmail: ada@example.com\nmessage: Hello\n  world\nFiles: photo.jpg (12.5 KiB)',
      click: URL_IN_DASHBOARD,
    });
  });
});

const BOT = 'https://api.telegram.org/bot1:abc';

describe('settings', () => {
  test.each([
    [slack, { url: 'https://chat.example.com/hooks/x' }, { url: 'https://chat.example.com/hooks/x' }],
    [
      discord,
      { url: 'https://discord.com/api/webhooks/1/x' },
      { url: 'https://discord.com/api/webhooks/1/x?wait=true' },
    ],
    [
      discord,
      { url: 'https://discord.com/api/webhooks/1/x?thread_id=2' },
      { url: 'https://discord.com/api/webhooks/1/x?thread_id=2&wait=true' },
    ],
    [telegram, { url: BOT, chat: ' -1001 ' }, { url: `${BOT}/sendMessage`, chat: '-1001' }],
    [telegram, { url: `${BOT}/sendMessage`, chat: '@orders' }, { url: `${BOT}/sendMessage`, chat: '@orders' }],
    [
      teams,
      { url: 'https://x.logic.azure.com/workflows/x?sig=y' },
      { url: 'https://x.logic.azure.com/workflows/x?sig=y' },
    ],
    [ntfy, { url: 'https://ntfy.sh/orders' }, { url: 'https://ntfy.sh/', topic: 'orders' }],
  ])('%# are kept', (target: { check: (options: Input) => object }, options: Input, settings) => {
    expect(target.check(options)).toEqual(settings);
  });

  test.each([
    [slack, {}, 'must be an absolute https URL'],
    [slack, { url: 'ftp://example.com/hooks/x' }, 'must be an absolute https URL'],
    [slack, { url: 'https://hooks.slack.com/workflows/T/A/1/x' }, 'starts a Slack workflow'],
    [slack, { url: 'https://hooks.slack.com/triggers/T/1/x' }, 'starts a Slack workflow'],
    [discord, { url: 'https://discord.com/api/webhooks/1/x/slack' }, 'not the URL of a Discord webhook'],
    [discord, { url: 'https://discord.com/channels/1/2' }, 'not the URL of a Discord webhook'],
    [telegram, { url: 'https://api.telegram.org/1:abc', chat: '1' }, 'A Telegram URL is'],
    [telegram, { url: BOT }, 'Telegram needs a chat'],
    [telegram, { url: BOT, chat: 'orders' }, 'Telegram needs a chat'],
    [teams, { url: 'https://example.webhook.office.com/webhookb2/x' }, 'has retired connectors'],
    [ntfy, { url: 'https://ntfy.sh/' }, 'ends with a topic'],
    [ntfy, { url: 'https://ntfy.sh/my topic' }, 'ends with a topic'],
  ])('%# are refused with a remedy', (target: { check: (options: Input) => object }, options: Input, text) => {
    expect(() => target.check(options)).toThrow(text);
  });
});

describe('answers', () => {
  const bot = (chat: string, token = '1:abc') =>
    telegram.format(telegram.check({ url: `https://api.telegram.org/bot${token}`, chat }), eventOf());
  const discordAt = (token: string) =>
    discord.format({ url: `https://discord.com/api/webhooks/1/${token}` }, eventOf());
  const slackAt = (path: string) => slack.format({ url: `https://hooks.slack.com/services/${path}` }, eventOf());

  test.each([
    [slack, slackAt('slack_gone'), { isFinal: true, reason: expect.stringContaining('404 no_service') }],
    [slack, slackAt('slack_archived'), { isFinal: true, reason: expect.stringContaining('channel_is_archived') }],
    // The engine obeys Retry-After by itself.
    [slack, slackAt('slack_busy'), {}],
    [discord, discordAt('discord_gone'), { isFinal: true, reason: expect.stringContaining('was deleted') }],
    [discord, discordAt('discord_busy'), { retryAfterSeconds: 2 }],
    [telegram, bot('-1'), { isFinal: true, reason: expect.stringContaining('Add it to the chat') }],
    [telegram, bot('-2'), { isFinal: true, reason: expect.stringContaining('Add it to the chat') }],
    [
      telegram,
      bot('-3'),
      { settings: { chat: '-1001234567890' }, retryAfterSeconds: 0, reason: expect.stringContaining('supergroup') },
    ],
    [telegram, bot('-4'), { retryAfterSeconds: 17 }],
    [telegram, bot('1', '0:x'), { isFinal: true, reason: expect.stringContaining('token is wrong') }],
    [
      teams,
      teams.format({ url: 'https://prod-01.westus.logic.azure.com/workflows/teams_off' }, eventOf()),
      { reason: expect.stringContaining('the workflow is on') },
    ],
    [
      ntfy,
      ntfy.format({ url: 'https://ntfy.sh/', topic: 'private' }, eventOf()),
      { reason: expect.stringContaining('--header') },
    ],
  ])('%# are read', async (target, request, reading) => {
    expect(target.interpret?.(await vendors.send(request)) as object).toEqual(reading);
  });

  test('are not trusted to be JSON', () => {
    for (const body of ['', '<html>', 'null', '[]', '{"parameters":null}']) {
      const answer = { status: 502, headers: new Headers(), body };
      for (const target of [slack, discord, telegram, teams, ntfy])
        expect(target.interpret?.(answer) as object).toEqual({});
    }
  });
});
