/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import { type Markup, render, renderDocument } from '../lib/markup.ts';
import type { Language } from './i18n/index.ts';
import { type Look, PLAIN } from './look.ts';
import { accentStyle, STYLE } from './style.ts';

type HeaderFields = Readonly<Record<string, string>>;

/** A page for visitors, and exceptions from its Content-Security-Policy. */
export type VisitorPage = Readonly<{
  status: number;
  language: Language;
  title: string;
  content: Markup;
  look?: Look;
  script?: Markup | false;
  headers: HeaderFields;
  /** A style in addition to that of all pages. */
  style?: string;
  directives?: HeaderFields;
}>;

/** The parts of the head that all pages share, rendered once because they take a third of a page's time. */
const METAS = raw(
  render(
    <>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
    </>,
  ),
);
const STYLESHEET = styleElement(STYLE);
const STYLE_SOURCE = getSource(STYLE);

/** Returns a page. Without exceptions it loads nothing, runs no script and can't be framed. */
export function respond(page: VisitorPage): Response {
  const { status, language, title, content, look = PLAIN, script, headers, style, directives = {} } = page;
  const styles = [style, accentStyle(look.accentColor)].filter((text) => typeof text === 'string');
  const document = renderDocument(
    <html lang={language}>
      <head>
        {METAS}
        <title>{title}</title>
        {STYLESHEET}
        {styles.map(styleElement)}
        {script}
      </head>
      <body>{content}</body>
    </html>,
  );
  const policy = {
    'default-src': "'none'",
    'style-src': [STYLE_SOURCE, ...styles.map(getSource)].join(' '),
    ...(look.logo !== null && { 'img-src': "'self'" }),
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': look.framedBy.join(' ') || "'none'",
    ...directives,
  };
  const all = new Headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': Object.entries(policy)
      .map((directive) => directive.join(' '))
      .join('; '),
    'X-Robots-Tag': 'noindex',
    ...headers,
  });
  // Appended, because the caller's headers may have a Vary too.
  all.append('Vary', 'Accept, Accept-Language');
  return new Response(document, { status, headers: all });
}

/** The logo and name of the sender. Without a sender's name, pages other than the form itself show the form's. */
export function Brand({ look: { name, sender, logo }, isForm = false }: Readonly<{ look: Look; isForm?: boolean }>) {
  const shown = sender ?? (isForm ? null : name);
  if (shown === null && logo === null) return null;
  return (
    <header class="brand">
      {logo !== null && <img src={logo} alt="" />}
      {shown !== null && <bdi>{shown}</bdi>}
    </header>
  );
}

/** The outcome as a picture, each rendered once. */
export const STATES = {
  done: picture('done', 'M14 27l8 8 16-17'),
  failed: picture('failed', 'M26 14v15M26 36.5v.5'),
  closed: picture('closed', 'M26 15v12l8 5'),
};

function picture(name: string, path: string) {
  const markup = (
    <svg class={`state ${name}`} viewBox="0 0 52 52" fill="none" stroke="currentColor" aria-hidden="true">
      <circle cx="26" cy="26" r="24" stroke-width="2" />
      <path d={path} stroke-width="4" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
  return raw(render(markup));
}

function styleElement(style: string) {
  return raw(render(<style>{raw(style)}</style>));
}

function getSource(style: string): string {
  return `'sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}'`;
}
