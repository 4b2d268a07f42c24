import { type Content, getContent, indent, LINK_TEXT, type Limits, toLines } from './content.ts';
import { messageKind, refuseSetting } from './kind.ts';
import { jsonRequest } from './target.ts';

/** 50 blocks of 3,000 characters. */
const SLACK: Limits = { rows: 45, label: 100, value: 2_800, total: 20_000, overhead: 2, makeInert: indent };
/** 4,000 characters, Mattermost's smallest limit; Rocket.Chat has 5,000. */
const MARKDOWN: Limits = { rows: 60, label: 120, value: 2_000, total: 3_600, overhead: 3, makeInert: escapeCode };

/** Answers after which Slack refuses all messages. */
const FINAL =
  /^(?:no_service|no_service_id|no_team|team_disabled|no_active_hooks|invalid_token|channel_not_found|channel_is_archived)$/;

/** Incoming webhooks of Slack, Mattermost and Rocket.Chat. The latter two have `/hooks/` in their URLs. */
export const slack = messageKind({
  name: { en: 'Slack', de: 'Slack' },
  icon: { path: 'M9.5 4v16m5-16v16M4 9.5h16M4 14.5h16', hue: 'violet' },
  hint: {
    en: 'Writes to a channel of Slack, Mattermost or Rocket.Chat.',
    de: 'Schreibt in einen Kanal von Slack, Mattermost oder Rocket.Chat.',
  },
  urlHint: {
    en: 'From “Incoming Webhooks” of your Slack app, or of an integration in Mattermost or Rocket.Chat.',
    de: 'Aus „Incoming Webhooks“ Ihrer Slack-App oder aus einer Integration in Mattermost oder Rocket.Chat.',
  },
  ownUrls: /^https:\/\/hooks\.slack(?:-gov)?\.com\//,
  takes: ['url', 'events', 'body'],
  parse(url) {
    if (/^\/(?:workflows|triggers)\//.test(url.pathname) && /(?:^|\.)slack(?:-gov)?\.com$/.test(url.hostname)) {
      throw refuseSetting('url', {
        api: 'This URL starts a Slack workflow, which takes no messages. Create an incoming webhook in Slack and use its URL.',
        en: 'This URL starts a Slack workflow, which takes no messages. Create an incoming webhook and enter its URL.',
        de: 'Diese URL startet einen Slack-Workflow, der keine Nachrichten annimmt. Legen Sie einen eingehenden Webhook an und geben Sie dessen URL ein.',
      });
    }
    return { url: url.href };
  },
  format({ url }, event) {
    const isMarkdown = new URL(url).pathname.includes('/hooks/');
    const content = getContent(event, isMarkdown ? MARKDOWN : SLACK);
    return jsonRequest(url, isMarkdown ? markdownMessage(content, event.url) : blockMessage(content, event.url));
  },
  interpret({ status, body }) {
    const code = body.trim();
    const reason = `Slack answered ${status} ${code}. Create a new incoming webhook and set its URL.`;
    return FINAL.test(code) ? { isFinal: true, reason } : {};
  },
});

/** Slack's own format. Texts of type `plain_text` have no mentions, markup or links. */
function blockMessage({ headline, form, rows, more }: Content, url: string | null) {
  const title = `${headline}: ${form}`;
  const sections = [...rows.map(({ label, text }) => `${label}: ${text}`), ...(more === null ? [] : [more])];
  const link = `<${escapeEntities(url ?? '')}|${LINK_TEXT}>`;
  return {
    text: escapeEntities(title),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(title) },
      ...sections.map((text) => ({ type: 'section', text: plain(text) })),
      ...(url === null ? [] : [{ type: 'context', elements: [{ type: 'mrkdwn', text: link }] }]),
    ],
  };
}

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });

function escapeEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Mattermost and Rocket.Chat ignore blocks, but show a code block without mentions, markup and links. */
function markdownMessage(content: Content, url: string | null) {
  const link = url === null ? '' : `\n[${LINK_TEXT}](${url})`;
  return { text: `**${content.headline}**\n\`\`\`\n${toLines(content)}\n\`\`\`${link}`, parseUrls: false };
}

/**
 * Breaks the end of a code block, and mentions with a zero-width space. Mattermost replaces `<!here>` with a mention before
 * it reads code blocks, and Rocket.Chat may find mentions in them. Addresses such as `ada@example.com` stay as they are.
 */
function escapeCode(text: string): string {
  return indent(text).replace(/`(?=`)|<(?=[!@#])|(?<![A-Za-z0-9])@(?=\S)/g, '$&\u200b');
}
