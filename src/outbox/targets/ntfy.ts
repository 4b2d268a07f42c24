import { getContent, indent, type Limits, toLines } from './content.ts';
import { messageKind, refuseSetting } from './kind.ts';
import { jsonRequest } from './target.ts';

/** 4,096 bytes; ntfy turns longer messages into attachments. */
const LIMITS: Limits = {
  rows: 60,
  label: 200,
  value: 2_000,
  total: 3_500,
  overhead: 3,
  size: (text: string) => Buffer.byteLength(text),
  makeInert: breakLinks,
};

/** A topic of ntfy.sh or of an ntfy server. */
export const ntfy = messageKind({
  name: { en: 'ntfy', de: 'ntfy' },
  icon: { path: 'M6 17V11a6 6 0 0 1 12 0v6l1.5 1h-15zm4 3.5h4M12 5V3', hue: 'orange' },
  hint: {
    en: 'Sends push notifications through ntfy.sh or your own ntfy server.',
    de: 'Sendet Push-Nachrichten über ntfy.sh oder Ihren eigenen ntfy-Server.',
  },
  urlHint: {
    en: 'Address of the topic, such as https://ntfy.sh/my-topic.',
    de: 'Adresse des Themas, zum Beispiel https://ntfy.sh/mein-thema.',
  },
  takes: ['url', 'events', 'body', 'headers'],
  parse(url) {
    const [, path = '/', topic = ''] = /^(.*\/)([\w-]{1,64})\/?$/.exec(url.pathname) ?? [];
    if (!topic) {
      throw refuseSetting('url', {
        api: 'An ntfy URL ends with a topic of letters, digits, - and _, such as https://ntfy.sh/my-topic.',
        en: 'Enter an address that ends with a topic of letters, digits, - and _, such as https://ntfy.sh/my-topic.',
        de: 'Geben Sie eine Adresse ein, die mit einem Thema aus Buchstaben, Ziffern, - und _ endet, zum Beispiel https://ntfy.sh/mein-thema.',
      });
    }
    // The server takes JSON at its own address.
    return { url: `${url.origin}${path}${url.search}`, topic };
  },
  format({ url, topic }, event) {
    const content = getContent(event, LIMITS);
    return jsonRequest(url, {
      topic,
      title: content.headline,
      message: toLines(content),
      ...(event.url !== null && { click: event.url }),
    });
  },
  interpret({ status }) {
    if (status !== 401 && status !== 403) return {};
    return { reason: `ntfy answered ${status}. Add an access token: --header 'Authorization: Bearer tk_…'.` };
  },
});

/** Breaks addresses with a zero-width space: the apps make links of them, and Markdown is off. */
function breakLinks(text: string): string {
  return indent(text).replace(/:(?=\/\/)|\bwww(?=\.)/gi, '$&\u200b');
}
