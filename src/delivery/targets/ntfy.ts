import { invalidInput } from '../../domain/errors.ts';
import { getContent, indent, type Limits, toLines } from './content.ts';
import { jsonRequest, parseUrl, type Target } from './target.ts';

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

/** A topic of ntfy.sh or of an ntfy server, to whose address (`url`) ntfy wants JSON. */
export const ntfy: Target<Readonly<{ url: string; topic: string }>> = {
  parse(options) {
    const url = parseUrl(options);
    const [, path = '/', topic = ''] = /^(.*\/)([\w-]{1,64})\/?$/.exec(url.pathname) ?? [];
    if (!topic) {
      throw invalidInput(
        'An ntfy URL ends with a topic of letters, digits, - and _, such as https://ntfy.sh/my-topic.',
        ['invalid_ntfy_url'],
      );
    }
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
};

/** Breaks addresses with a zero-width space: the apps make links of them, and Markdown is off. */
function breakLinks(text: string): string {
  return indent(text).replace(/:(?=\/\/)|\bwww(?=\.)/gi, '$&\u200b');
}
