import type { TargetAnswer, TargetRequest } from '../../src/outbox/targets/target.ts';

/**
 * A message as a vendor took it. `live` lists all mentions, links and markup that its apps would find; `shown` is the text
 * without them.
 */
export type Taken = Readonly<{ live: readonly string[]; shown: string; body: Json }>;

// biome-ignore lint/suspicious/noExplicitAny: bodies of several vendors
type Json = any;
type Refusal = Readonly<{ status: number; body: string; headers?: Record<string, string> }>;

class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.body);
  }
}

function refuse(status: number, body: string | object, headers: Record<string, string> = {}): never {
  throw new Refused({ status, body: typeof body === 'string' ? body : JSON.stringify(body), headers });
}

/** Characters that reorder or hide text, and those that no vendor accepts. */
const UNCLEAN = /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\n\t]|\p{Surrogate}/u;
const MENTION = /(?<![A-Za-z0-9])@[A-Za-z0-9_]+/g;
const LINK = /\b(?:https?:\/\/|www\.)\S+/g;

const matches = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([match]) => match);

/** Finds Slack's control sequences in `mrkdwn` text. */
const slackMarkup = (text: string) => matches(text, /<[^>]*>/g);

function takeSlack(body: Json): Omit<Taken, 'body'> {
  const { text, blocks } = body;
  if (typeof text !== 'string' || text === '' || text.length > 40_000) refuse(400, 'no_text');
  if (!Array.isArray(blocks) || blocks.length > 50) refuse(400, 'invalid_blocks');
  const isPlain = (object: Json, max: number) =>
    object.type === 'plain_text' && object.emoji === false && object.text.length >= 1 && object.text.length <= max;
  const live = body.mrkdwn === false && body.unfurl_links === false ? slackMarkup(text) : ['unfurled'];
  const shown = blocks.map((block: Json) => {
    if (block.type === 'header') return isPlain(block.text, 150) ? block.text.text : refuse(400, 'invalid_blocks');
    if (block.type === 'section') return isPlain(block.text, 3_000) ? block.text.text : refuse(400, 'invalid_blocks');
    if (block.type !== 'context' || block.elements.length > 10) refuse(400, 'invalid_blocks');
    live.push(...block.elements.flatMap((element: Json) => slackMarkup(element.text)));
    return '';
  });
  return { live, shown: shown.join('\n') };
}

/** Takes a message as Mattermost and Rocket.Chat do, with mentions found by the stricter of the two. */
function takeMarkdown({ text, parseUrls }: Json): Omit<Taken, 'body'> {
  if (typeof text !== 'string' || text.trim() === '') refuse(400, { message: 'Unable to parse incoming data.' });
  if (text.length > 4_000) refuse(400, { message: 'Message is too long.' });
  const expanded = text.replace(/<!(channel|here|all)>/g, '@$1').replace(/<@([a-zA-Z0-9]+)>/g, '@$1');
  const [before = '', code = '', after = '', ...more] = expanded.split('```');
  const live = [
    ...matches(expanded, MENTION),
    ...matches(before + after, /\[[^\]]*\]\([^)]*\)/g),
    ...(more.length > 0 ? ['code block left'] : []),
    ...(parseUrls === false ? [] : ['unfurled']),
  ];
  return { live, shown: code };
}

function takeDiscord(body: Json, url: URL): Omit<Taken, 'body'> {
  const invalid = () => refuse(400, { code: 50_035, message: 'Invalid Form Body' });
  if (url.searchParams.get('wait') !== 'true') refuse(204, '');
  const { embeds, allowed_mentions: allowed } = body;
  const texts: string[] = [];
  for (const { title, description = '', fields, url: link } of embeds) {
    if (title.length > 256 || description.length > 4_096 || fields.length > 25) invalid();
    if (link !== undefined && !/\.[a-z]+$/.test(new URL(link).hostname)) invalid();
    for (const { name, value } of fields) {
      if (name.trim() === '' || name.length > 256 || value.trim() === '' || value.length > 1_024) invalid();
      texts.push(name, value);
    }
    texts.push(title, description);
  }
  if (embeds.length > 10 || texts.join('').length > 6_000) invalid();
  const links = /\[[^\]\\]*\]\(([^)]*)\)/g;
  const unescaped = texts.map((text) => text.replace(/\\[^0-9A-Za-z\s]/g, ''));
  const live = unescaped.flatMap((text) => [
    ...matches(text, links),
    ...matches(text.replace(links, ''), /https?:\/\/\S+|[\\*_~`|<>[\]#@]|^\s*(?:[-+]|\d+\.)\s/gm),
  ]);
  const shown = texts.join('\n').replace(/\\([^0-9A-Za-z\s])/g, '$1');
  return { live: allowed?.parse?.length === 0 ? live : [...live, 'mentions allowed'], shown };
}

function takeTelegram(body: Json): Omit<Taken, 'body'> {
  const { text, entities = [], chat_id: chat, link_preview_options: preview } = body;
  const bad = (description: string, more: object = {}, status = 400) =>
    refuse(status, { ok: false, error_code: status, description, ...more });
  if (chat === '-1') bad('Bad Request: chat not found');
  if (chat === '-2') bad('Forbidden: bot was kicked from the group chat', {}, 403);
  if (chat === '-3') {
    const parameters = { migrate_to_chat_id: -1_001_234_567_890 };
    bad('Bad Request: group chat was upgraded to a supergroup chat', { parameters });
  }
  if (chat === '-4') bad('Too Many Requests: retry after 17', { parameters: { retry_after: 17 } }, 429);
  if (text.trim() === '') bad('Bad Request: message text is empty');
  if (text.length > 4_096) bad('Bad Request: message is too long');
  let outside = text;
  const live: string[] = preview?.is_disabled ? [] : ['preview'];
  // Telegram ignores entities from the 101st on.
  for (const { type, offset, length, url } of entities.slice(0, 100)) {
    if (offset < 0 || length < 1 || offset + length > text.length) bad('Bad Request: invalid entity');
    if (url) live.push(url);
    if (type === 'pre' || type === 'code') {
      outside = outside.slice(0, offset) + ' '.repeat(length) + outside.slice(offset + length);
    }
  }
  return { live: [...live, ...matches(outside, /[@#/$][A-Za-z]\w*|\S+\.\S+/g)], shown: text };
}

function takeTeams(body: Json, _url: URL, size: number): Omit<Taken, 'body'> {
  if (size > 28 * 1024) refuse(413, { error: { code: 'RequestEntityTooLarge' } });
  const [{ contentType, content }] = body.attachments;
  if (body.type !== 'message' || contentType !== 'application/vnd.microsoft.card.adaptive') refuse(400, 'no card');
  if (content.type !== 'AdaptiveCard') refuse(400, 'no card');
  const texts: string[] = content.body.flatMap(({ type, inlines }: Json) =>
    type === 'RichTextBlock' ? inlines.map(({ text }: Json) => text) : refuse(400, `untested element ${type}`),
  );
  const links = content.actions.map(({ url }: Json) => url);
  const functions = texts.flatMap((text) => matches(text, /\{\{|\$\{/g));
  return { live: [...links, ...functions, ...(content.msteams.entities ?? [])], shown: texts.join('\n') };
}

function takeNtfy(body: Json, url: URL): Omit<Taken, 'body'> {
  if (url.pathname !== '/' || !/^[\w-]{1,64}$/.test(body.topic)) refuse(400, { code: 40_024 });
  if (body.topic === 'private') refuse(403, { code: 40_301, http: 403, error: 'forbidden' });
  const { title, message, click, markdown } = body;
  if (Buffer.byteLength(message) > 4_096) refuse(413, 'would become an attachment');
  if (Buffer.byteLength(title) > 1_000 || message.trim() === '') refuse(400, 'no message');
  const live = [...matches(`${title}\n${message}`, LINK), ...(markdown ? ['markdown'] : []), ...(click ? [click] : [])];
  return { live, shown: `${title}\n${message}` };
}

type Vendor = Readonly<{
  kind: string;
  /** Settings of a webhook of this vendor. */
  settings: Readonly<{ url: string; [option: string]: string }>;
  /** The only live part of its messages, which leads to an address. */
  linkTo: (url: string) => string;
  /** Paths of its requests. */
  path: RegExp;
  take: (body: Json, url: URL, size: number) => Omit<Taken, 'body'>;
}>;

/** The chats by name. Each kind of webhooks that writes messages has one, and tests of kinds take all of them from here. */
export const VENDORS: Readonly<Record<string, Vendor>> = {
  Slack: {
    kind: 'slack',
    settings: { url: 'https://hooks.slack.com/services/T/B/x' },
    linkTo: (url) => `<${url}|Open in the dashboard>`,
    path: /^\/services\//,
    take: takeSlack,
  },
  'Mattermost and Rocket.Chat': {
    kind: 'slack',
    settings: { url: 'https://chat.example.com/hooks/x' },
    linkTo: (url) => `[Open in the dashboard](${url})`,
    path: /^\/hooks\//,
    take: takeMarkdown,
  },
  Discord: {
    kind: 'discord',
    settings: { url: 'https://discord.com/api/webhooks/1/x' },
    linkTo: (url) => `[Open in the dashboard](${url})`,
    path: /^\/api\/webhooks\//,
    take: takeDiscord,
  },
  Telegram: {
    kind: 'telegram',
    settings: { url: 'https://api.telegram.org/bot1:abc', chat: '42' },
    linkTo: (url) => url,
    path: /^\/bot.*\/sendMessage$/,
    take: takeTelegram,
  },
  Teams: {
    kind: 'teams',
    settings: { url: 'https://prod-01.westus.logic.azure.com/workflows/x?sig=y' },
    linkTo: (url) => url,
    path: /^\/workflows\//,
    take: takeTeams,
  },
  ntfy: {
    kind: 'ntfy',
    settings: { url: 'https://ntfy.sh/topic' },
    linkTo: (url) => url,
    path: /^\/$/,
    take: takeNtfy,
  },
};

/** Answers to URLs that contain these words. */
const FAULTS: Record<string, Refusal> = {
  slack_gone: { status: 404, body: 'no_service' },
  slack_archived: { status: 410, body: 'channel_is_archived' },
  slack_busy: { status: 429, body: 'rate_limited', headers: { 'Retry-After': '30' } },
  discord_gone: { status: 404, body: '{"message":"Unknown Webhook","code":10015}' },
  discord_busy: { status: 429, body: '{"message":"You are being rate limited.","retry_after":1.337,"global":false}' },
  'bot0:': { status: 401, body: '{"ok":false,"error_code":401,"description":"Unauthorized"}' },
  teams_off: { status: 404, body: '{"error":{"code":"WorkflowNotFound"}}' },
};

/** Starts one server for all vendors. It enforces their documented limits, and answers as documented. */
export function startVendors() {
  const taken: Taken[] = [];
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      try {
        const url = new URL(request.url);
        const fault = Object.keys(FAULTS).find((word) => url.pathname.includes(word));
        if (fault) throw new Refused(FAULTS[fault] as Refusal);
        const text = await request.text();
        if (request.headers.get('content-type') !== 'application/json') refuse(400, 'invalid_payload');
        const vendor = Object.values(VENDORS).find(({ path }) => path.test(url.pathname));
        const { take } = vendor ?? refuse(404, 'unknown vendor');
        const body = JSON.parse(text);
        const message = take(body, url, Buffer.byteLength(text));
        const unclean = matches(message.shown, new RegExp(UNCLEAN, 'gu')).map((character) => escape(character));
        taken.push({ ...message, live: [...message.live, ...unclean], body });
        return Response.json({ id: '1' });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const { status, body, headers = {} } = error.refusal;
        return new Response(status === 204 ? null : body, { status, headers });
      }
    },
  });

  return {
    taken,
    /** The address of all vendors; their paths differ. */
    origin: `http://127.0.0.1:${server.port}`,
    /** Sends a request for a vendor's host to its stub. */
    async send({ method, url, headers, body }: TargetRequest): Promise<TargetAnswer> {
      const { pathname, search } = new URL(url);
      const response = await fetch(`http://127.0.0.1:${server.port}${pathname}${search}`, {
        method: method ?? 'POST',
        headers,
        body,
      });
      return { status: response.status, headers: response.headers, body: await response.text() };
    },
    stop: () => server.stop(true),
  };
}
