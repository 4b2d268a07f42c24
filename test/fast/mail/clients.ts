import type { Arrived } from './mailing.ts';

/** An element of a mail with its inline style. */
type Element = Readonly<{ tag: string; attributes: ReadonlyMap<string, string>; style: ReadonlyMap<string, string> }>;

/** A rule of mail clients: the reason, and a function that returns what breaks it. */
type Rule = Readonly<{ why: string; broken: (mail: Parts) => readonly string[] }>;

/** A mail, its elements, and all its styles, those in style elements too. */
type Parts = Readonly<{ arrived: Arrived; html: string; text: string; elements: readonly Element[]; styles: string }>;

const TAGS = /<([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/g;
const ATTRIBUTES = /([a-z-]+)="([^"]*)"/g;
const KNOWN_TAGS = /^(?:html|head|meta|title|style|body|table|tr|td|div|h1|a|br)$/;
const UNSAFE_TAGS = /<(?:script|iframe|object|embed|form|input|link|base|svg|img|video|audio)\b/i;
const LOADING_ATTRIBUTE = /^(?:src|srcset|background|poster|data)$/;
const MAX_HTML_BYTES = 100_000;
const MAX_LINE = 998;
const MAX_SUBJECT = 150;
const MAX_SENDER = 100;

/**
 * Support of properties in inline styles by Word, which renders mails in Outlook for Windows up to 2021, and by Gmail,
 * also with accounts elsewhere, from caniemail.com: the tags on which each works, null for all.
 */
const PROPERTIES: Readonly<Record<string, RegExp | null>> = {
  color: null,
  'background-color': null,
  'font-family': null,
  'font-size': null,
  'font-weight': null,
  'line-height': null,
  'text-decoration': null,
  // Partial: ignored on span and body, no negative values, no auto.
  margin: /^(?:body|h1)$/,
  // Partial: on table cells only.
  padding: /^td$/,
  // Unsupported by Word, for which the table has a fixed one around it.
  'max-width': /^table$/,
  // Partial: only none, and not before 2013 without mso-hide.
  display: /^div$/,
  // Unsupported by older ones, where long words are broken anyway.
  'word-break': null,
  'mso-hide': null,
  'mso-line-height-rule': null,
};

/** Rules that every mail obeys. */
export const RULES: Readonly<Record<string, Rule>> = {
  'has only known elements': {
    why: 'clients remove others, or treat the mail as dangerous',
    broken: ({ html, elements }) => [
      ...elements.map(({ tag }) => tag).filter((tag) => !KNOWN_TAGS.test(tag)),
      ...(UNSAFE_TAGS.exec(html) ?? []),
    ],
  },
  'loads nothing': {
    why: 'clients block it, and it would tell when a mail is read',
    broken: ({ styles, elements }) => [
      ...(styles.match(/url\(|@import|@font-face/gi) ?? []),
      ...elements.flatMap(({ attributes }) => [...attributes.keys()].filter((name) => LOADING_ATTRIBUTE.test(name))),
    ],
  },
  'has no handlers, and links by http and mailto only': {
    why: 'mails show text of strangers',
    broken: ({ elements }) =>
      elements.flatMap(({ attributes }) => [
        ...[...attributes.keys()].filter((name) => name.startsWith('on')),
        ...[attributes.get('href') ?? ''].filter((url) => !/^(?:$|https?:\/\/|mailto:)/.test(url)),
      ]),
  },
  'has inline styles that Word and Gmail support': {
    why: 'both drop others, and Gmail for other accounts the style element',
    broken: ({ elements }) =>
      elements.flatMap(({ tag, style }) =>
        [...style.keys()].filter((name) => PROPERTIES[name] !== null && !PROPERTIES[name]?.test(tag)),
      ),
  },
  'has values that Word and Gmail support': {
    why: 'Word knows no rem, no relative sizes, no functions and no display but none',
    broken: ({ elements }) =>
      elements.flatMap(({ style }) =>
        [...style].flatMap(([name, value]) => {
          if (/\d(?:rem|em|vw|vh|ch)\b|\(|-\d/.test(value)) return `${name}:${value}`;
          return name === 'display' && value !== 'none' ? `${name}:${value}` : [];
        }),
      ),
  },
  'lays out with tables': {
    why: 'Word knows no flex, grid, position and float',
    broken: ({ styles }) => styles.match(/\b(?:flex|grid|position\s*:|float\s*:|background-image)/g) ?? [],
  },
  'marks tables as layout': {
    why: 'screen readers would announce rows and columns',
    broken: ({ elements }) =>
      elements.flatMap(({ tag, attributes }) =>
        tag === 'table' && attributes.get('role') !== 'presentation' ? tag : [],
      ),
  },
  'is at most 640 pixels wide': {
    why: 'panes of mail programs are narrow',
    broken: ({ html, elements }) =>
      [
        ...elements.flatMap(({ attributes, style }) => [attributes.get('width'), style.get('max-width')]),
        ...Array.from(html.matchAll(/<!--\[if mso\]>.*?width="(\d+)"/gs), ([, width]) => width),
      ].flatMap((width) => (width !== undefined && width !== '100%' && Number.parseInt(width, 10) > 640 ? width : [])),
  },
  'sets a color wherever it sets a background, and the other way round': {
    why: 'a dark mode that changes one of both makes text unreadable',
    broken: ({ elements }) => {
      const backgrounds = elements.filter(({ style }) => style.has('background-color'));
      const texts = elements.filter(({ tag, style }) => /^(?:h1|a)$/.test(tag) && !style.has('color'));
      return [
        ...backgrounds
          .filter(({ attributes }) => !attributes.has('bgcolor'))
          .map(({ tag }) => `${tag} without bgcolor`),
        ...texts.map(({ tag }) => `${tag} without color`),
      ];
    },
  },
  'declares both color schemes, and has dark colors in a style element of their own': {
    why: 'Apple Mail and Outlook for Mac apply them; other clients drop that element alone',
    broken: ({ html }) => {
      const styles = html.match(/<style>[\s\S]*?<\/style>/g) ?? [];
      const isDark = styles.at(-1)?.includes('prefers-color-scheme: dark');
      return isDark && html.includes('<meta name="color-scheme" content="light dark"/>') ? [] : ['no dark mode'];
    },
  },
  'keeps from Word what it would get wrong': {
    why: 'Word applies plain rules of a style element, but ignores media queries',
    broken: ({ html }) => {
      const styles = Array.from(html.matchAll(/<style>([\s\S]*?)<\/style>/g), ([, style = '']) => style);
      return styles
        .flatMap((style) => style.match(/^[^@\s}][^{]*\{/gm) ?? [])
        .filter((rule) => !rule.startsWith(':root'));
    },
  },
  'is less than 100 KB': {
    why: 'Gmail clips mails of 102 KB',
    broken: ({ html }) => (Buffer.byteLength(html) < MAX_HTML_BYTES ? [] : [`${Buffer.byteLength(html)} bytes`]),
  },
  'has a text part': {
    why: 'for clients without HTML, watches and spam filters',
    broken: ({ text }) => (text.trim() === '' ? ['no text'] : []),
  },
  'has a short subject and sender, and lines within the limit of SMTP': {
    why: 'servers reject or break longer ones (RFC 5321, section 4.5.3.1.6)',
    broken: ({ arrived: { mail, envelope } }) => {
      const longest = Math.max(
        ...envelope.raw
          .toString('latin1')
          .split('\r\n')
          .map(({ length }) => length),
      );
      return [
        ...(Array.from(mail.subject ?? '').length > MAX_SUBJECT ? ['subject'] : []),
        ...(Array.from(mail.from?.name ?? '').length > MAX_SENDER ? ['sender'] : []),
        ...(longest > MAX_LINE ? [`a line of ${longest} bytes`] : []),
      ];
    },
  },
};

/** Returns the rules that a mail breaks, with what breaks them. */
export function brokenRules(arrived: Arrived): string[] {
  const { html = '', text = '' } = arrived.mail;
  const elements = Array.from(html.matchAll(TAGS), ([, tag = '', attributes = '']) => elementOf(tag, attributes));
  const sheets = html.match(/<style>[\s\S]*?<\/style>/g) ?? [];
  const inline = elements.map(({ attributes }) => attributes.get('style') ?? '');
  const parts = { arrived, html, text, elements, styles: [...sheets, ...inline].join('\n') };
  return Object.entries(RULES).flatMap(([name, { broken }]) => {
    const found = [...new Set(broken(parts))];
    return found.length === 0 ? [] : [`${name}: ${found.slice(0, 5).join(', ')}`];
  });
}

function elementOf(tag: string, source: string): Element {
  const attributes = new Map(Array.from(source.matchAll(ATTRIBUTES), ([, name = '', value = '']) => [name, value]));
  const declarations = (attributes.get('style') ?? '').split(';').filter(Boolean);
  const style = declarations.map((one) => {
    const [name = '', ...value] = one.split(':');
    return [name.trim(), value.join(':').trim()] as const;
  });
  return { tag, attributes, style: new Map(style) };
}
