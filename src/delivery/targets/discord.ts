import { formatTime } from '../../lib/clock.ts';
import { jsonObject } from '../../lib/json.ts';
import { getContent, LINK_TEXT, type Limits } from './content.ts';
import { messageKind, refuseSetting } from './kind.ts';
import { jsonRequest } from './target.ts';

/** An embed has 25 fields with a name of 256 and a value of 1,024 characters, and 6,000 characters together. */
const LIMITS: Limits = { rows: 25, label: 200, value: 1_024, total: 5_000, overhead: 0, makeInert: escapeMarkdown };

/** A webhook of a Discord channel. */
export const discord = messageKind({
  name: { en: 'Discord', de: 'Discord' },
  icon: {
    path: 'M8 6.5C5 7 3.5 12 3.5 17l3.5 2 1.5-2.5h7L17 19l3.5-2c0-5-1.5-10-4.5-10.5l-1 1.5H9zM9 12v1m6-1v1',
    hue: 'blue',
  },
  hint: { en: 'Writes to a channel of Discord.', de: 'Schreibt in einen Kanal von Discord.' },
  urlHint: {
    en: 'From “Integrations” in the settings of the channel.',
    de: 'Aus „Integrationen“ in den Einstellungen des Kanals.',
  },
  ownUrls: /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\//,
  takes: ['url', 'events', 'body'],
  parse(url) {
    const isDiscord = /(?:^|\.)discord(?:app)?\.com$/.test(url.hostname);
    if (isDiscord && !/^\/api(?:\/v\d+)?\/webhooks\/\d+\/[\w-]+\/?$/.test(url.pathname)) {
      throw refuseSetting('url', {
        api: 'This is not the URL of a Discord webhook. Copy it in the channel settings under Integrations, Webhooks.',
        en: 'This is not the URL of a Discord webhook. Copy it from “Integrations” in the settings of the channel.',
        de: 'Das ist nicht die URL eines Discord-Webhooks. Kopieren Sie sie aus „Integrationen“ in den Einstellungen des Kanals.',
      });
    }
    // Without it, Discord answers 204 also for messages that it drops.
    url.searchParams.set('wait', 'true');
    return { url: url.href };
  },
  format({ url }, event) {
    const { headline, form, rows, more } = getContent(event, LIMITS);
    // Discord refuses `url` of an embed without a top-level domain, but not a link in the description.
    const link = event.url === null ? null : `[${LINK_TEXT}](${event.url})`;
    return jsonRequest(url, {
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title: `${headline}: ${form}`,
          description: [link, more].filter((line) => line !== null).join('\n'),
          fields: rows.map(({ label, text }) => ({ name: label, value: text })),
          ...(event.submission && { timestamp: formatTime(event.submission.createdAt) }),
        },
      ],
    });
  },
  interpret({ status, body }) {
    const { code, retry_after: retryAfter } = jsonObject(body);
    if (status === 404 || status === 401 || code === 10_015) {
      const reason = `Discord answered ${status}: the webhook was deleted. Create a new one and set its URL.`;
      return { isFinal: true, reason };
    }
    return typeof retryAfter === 'number' ? { retryAfterSeconds: Math.ceil(retryAfter) } : {};
  },
});

/** Escapes Markdown. An escaped colon or angle bracket also breaks links, mentions, emoji and timestamps. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_~|<>[\]()#:@+.-]/g, '\\$&');
}
