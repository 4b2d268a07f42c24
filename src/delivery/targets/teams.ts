import { getContent, LINK_TEXT, type Limits } from './content.ts';
import { messageKind, refuseSetting } from './kind.ts';
import { jsonRequest } from './target.ts';

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
export const teams = messageKind({
  name: { en: 'Microsoft Teams', de: 'Microsoft Teams' },
  icon: {
    path: 'M4 5.5h9.5v13H4zM6.5 9h4.5m-2.2 0v6.5M17 8.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm-3.5 2.5H20v4a3.5 3.5 0 0 1-3.5 3.5',
    hue: 'pink',
  },
  hint: {
    en: 'Writes to a channel of Microsoft Teams, through a workflow.',
    de: 'Schreibt über einen Workflow in einen Kanal von Microsoft Teams.',
  },
  urlHint: {
    en: 'From the workflow “Post to a channel when a webhook request is received”.',
    de: 'Aus dem Workflow, der bei einer Webhook-Anfrage in einem Kanal postet.',
  },
  takes: ['url', 'events', 'body'],
  parse(url) {
    if (/(?:^|\.)(?:webhook\.office\.com|outlook\.office(?:365)?\.com)$/.test(url.hostname)) {
      throw refuseSetting('url', {
        api: 'Microsoft has retired connectors. Create a workflow “When a Teams webhook request is received” and use its URL.',
        en: 'Microsoft has retired connectors. Create a workflow in Teams and enter its URL.',
        de: 'Microsoft hat Connectors abgeschafft. Legen Sie in Teams einen Workflow an und geben Sie dessen URL ein.',
      });
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
    const reason = `Teams answered ${status}. Check that the workflow is on and that anyone may start it, or set its new URL.`;
    return [401, 403, 404].includes(status) ? { reason } : {};
  },
});

/** Returns text that Teams does not read as Markdown, unlike a `TextBlock`. */
function paragraph(text: string, style = {}) {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...style }] };
}

/** Breaks the functions of cards, such as `{{DATE(…)}}`, with a zero-width space. */
function escapeTemplate(text: string): string {
  return text.replace(/[{$](?=\{)/g, '$&\u200b');
}
