import { invalidInput } from '../../domain/errors.ts';
import { getContent, LINK_TEXT, type Limits } from './content.ts';
import { jsonRequest, parseUrl, type Target } from './target.ts';

/** About 28 KB of JSON, of which 45 rows take at most 24 KB. */
const LIMITS: Limits = {
  rows: 45,
  label: 300,
  value: 4_000,
  total: 24_000,
  overhead: 260,
  size: (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2,
  makeInert: escapeTemplate,
};

/** A Microsoft Teams channel or chat, by the webhook of a workflow. */
export const teams: Target<Readonly<{ url: string }>> = {
  parse(options) {
    const url = parseUrl(options);
    if (/(?:^|\.)(?:webhook\.office\.com|outlook\.office(?:365)?\.com)$/.test(url.hostname)) {
      throw invalidInput(
        'Microsoft has retired connectors. Create a workflow “When a Teams webhook request is received” and use its URL.',
        ['teams_connector_url'],
      );
    }
    return { url: url.href };
  },
  format({ url }, event) {
    const { headline, form, rows, more } = getContent(event, LIMITS);
    return jsonRequest(url, {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            msteams: { width: 'Full' },
            body: [
              paragraph(headline, { weight: 'Bolder', size: 'Large' }),
              paragraph(form),
              ...rows.flatMap(({ label, text }) => [
                { ...paragraph(label, { weight: 'Bolder' }), spacing: 'Medium' },
                { ...paragraph(text), spacing: 'None' },
              ]),
              ...(more === null ? [] : [paragraph(more)]),
            ],
            actions: event.url === null ? [] : [{ type: 'Action.OpenUrl', title: LINK_TEXT, url: event.url }],
          },
        },
      ],
    });
  },
  interpret({ status }) {
    if (status !== 401 && status !== 403 && status !== 404) return {};
    return {
      reason: `Teams answered ${status}. Check that the workflow is on and that anyone may start it, or set its new URL.`,
    };
  },
};

/** Returns text that Teams does not read as Markdown, unlike a `TextBlock`. */
function paragraph(text: string, style = {}) {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...style }] };
}

/** Breaks the functions of cards, such as `{{DATE(…)}}`, with a zero-width space. */
function escapeTemplate(text: string): string {
  return text.replace(/[{$](?=\{)/g, '$&\u200b');
}
