import { Type } from '@sinclair/typebox';
import { jsonObject } from '../../lib/json.ts';
import { getContent, indent, LINK_TEXT, type Limits, toLines } from './content.ts';
import { messageKind, refuseSetting } from './kind.ts';
import { jsonRequest } from './target.ts';

/** A message has 4,096 characters. */
const LIMITS: Limits = { rows: 60, label: 120, value: 2_000, total: 3_600, overhead: 3, makeInert: indent };

/** A Telegram bot that writes to one chat. */
export const telegram = messageKind({
  name: { en: 'Telegram', de: 'Telegram' },
  icon: { path: 'm20.5 4-17 7 5.5 2.5L18 6l-7 9 6 4.5z', hue: 'teal' },
  hint: { en: 'Writes to a chat as a Telegram bot.', de: 'Schreibt als Telegram-Bot in einen Chat.' },
  urlHint: {
    en: 'https://api.telegram.org/bot followed by the token from @BotFather.',
    de: 'https://api.telegram.org/bot und danach das Token von @BotFather.',
  },
  ownUrls: /^https:\/\/api\.telegram\.org\//,
  takes: ['url', 'events', 'body'],
  options: {
    chat: {
      schema: Type.String({ description: 'ID of the Telegram chat, for the kind telegram.' }),
      isAddress: true,
      label: { en: 'Chat', de: 'Chat' },
      hint: {
        en: 'Its number, such as -1001234567890, or the @name of a channel.',
        de: 'Seine Nummer, zum Beispiel -1001234567890, oder der @Name eines Kanals.',
      },
    },
  },
  parse(url, options) {
    const chat = options.chat?.trim() ?? '';
    if (url.hostname === 'api.telegram.org' && !/^\/bot\d+:[\w-]+(?:\/sendMessage)?\/?$/.test(url.pathname)) {
      throw refuseSetting('url', {
        api: 'A Telegram URL is https://api.telegram.org/bot<token>, with the token from @BotFather.',
        en: 'Enter https://api.telegram.org/bot followed by the token from @BotFather.',
        de: 'Geben Sie https://api.telegram.org/bot und danach das Token von @BotFather ein.',
      });
    }
    if (!/^(?:-?\d+|@\w+)$/.test(chat)) {
      throw refuseSetting('chat', {
        api: 'Telegram needs a chat: its number, such as -1001234567890, or the @name of a channel.',
        en: 'Enter the number of a chat, such as -1001234567890, or the @name of a channel.',
        de: 'Geben Sie die Nummer eines Chats wie -1001234567890 oder den @Namen eines Kanals ein.',
      });
    }
    url.pathname = url.pathname.replace(/(?:\/sendMessage)?\/?$/, '/sendMessage');
    return { url: url.href, chat };
  },
  format({ url, chat }, event) {
    const content = getContent(event, LIMITS);
    // Entities need no escaping, and Telegram finds no links, mentions or commands in `pre`.
    const parts: Array<[text: string, entity: object]> = [
      [content.headline, { type: 'bold' }],
      [toLines(content), { type: 'pre' }],
    ];
    if (event.url !== null) parts.push([LINK_TEXT, { type: 'text_link', url: event.url }]);
    let offset = 0;
    const entities = parts.map(([{ length }, entity]) => {
      offset += length + 1;
      return { ...entity, offset: offset - length - 1, length };
    });
    const text = parts.map(([part]) => part).join('\n');
    return jsonRequest(url, { chat_id: chat, text, entities, link_preview_options: { is_disabled: true } });
  },
  interpret({ status, body }) {
    const { description, parameters } = jsonObject(body);
    const { retry_after: retryAfter, migrate_to_chat_id: movedTo } = Object(parameters);
    if (typeof movedTo === 'number') {
      const reason = `The Telegram group is now the supergroup ${movedTo}. Formstead uses the new number.`;
      return { settings: { chat: String(movedTo) }, retryAfterSeconds: 0, reason };
    }
    if (status === 401 || status === 404) {
      const reason = `Telegram answered ${status}: the bot's token is wrong. Set the URL with a new one.`;
      return { isFinal: true, reason };
    }
    if (/chat not found|bot was (?:blocked|kicked)|user is deactivated/.test(String(description))) {
      const reason = `Telegram answered ${status}: the bot cannot write to the chat. Add it to the chat, then resume the webhook.`;
      return { isFinal: true, reason };
    }
    return typeof retryAfter === 'number' ? { retryAfterSeconds: retryAfter } : {};
  },
});
