/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import { render, renderDocument } from '../lib/markup.ts';

export type Link = Readonly<{ text: string; url: string }>;

/**
 * A labeled text of a mail, with links below it; `name` is null for text without a label. `heading` is in bold above
 * the label. With `isLinked`, URLs and addresses in the text become links.
 */
export type Row = Readonly<{
  name: string | null;
  heading?: string | null;
  text: string;
  isLinked?: boolean;
  links?: readonly Link[];
}>;

/**
 * The content of a mail, rendered as plain text and as HTML. `language` is empty if it is unknown. Mailboxes show
 * `preview` after the subject. The first action is a button, the others are links below it.
 */
export type Content = Readonly<{
  language: string;
  title: string | null;
  subtitle?: string;
  preview?: string;
  rows: readonly Row[];
  actions?: readonly Link[];
  notes: ReadonlyArray<string | Link>;
  brand?: Brand;
}>;

/** Gmail clips mails of more than 102 KB, so the rows of a mail have at most this many bytes of HTML. */
export const MAX_ROWS_BYTES = 88_000;

/**
 * Colors in light and dark mode, as on the pages of the dashboard. Inline styles have the light ones; clients without
 * support for `prefers-color-scheme` keep them or invert them.
 */
const LIGHT = { page: '#f8f8f6', card: '#ffffff', ink: '#1c2430', soft: '#586170', accent: '#0b6655', on: '#ffffff' };
const DARK = { page: '#14171b', card: '#1b1f25', ink: '#e7eaee', soft: '#a3adba', accent: '#63cdb7', on: '#0d1f1b' };

/**
 * Enhancements for clients with support; the mail is complete without them. Word ignores media queries, and must not
 * see these rules: it knows no padding of links.
 */
const STYLE = `
@media screen {
  .s { border-radius: 10px; }
  .t div { white-space: pre-wrap; text-align: start; }
  .b { border-radius: 8px; padding: 0 !important; }
  .b a { display: block; padding: 11px 20px; }
}
@media screen and (max-width: 480px) { .o { padding: 0 !important; } .s { border-radius: 0; } }
`;

/** A separate style sheet: some clients drop a whole style sheet for one unknown rule. */
const DARK_STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .p { background-color: ${DARK.page} !important; }
  .s { background-color: ${DARK.card} !important; }
  .t { color: ${DARK.ink} !important; }
  .m { color: ${DARK.soft} !important; }
  .a { color: ${DARK.accent} !important; }
  .b { background-color: ${DARK.accent} !important; }
  .c { color: ${DARK.on} !important; }
}
`;

/** Names without quotes, which would be escaped, and first one that Word has: it replaces an unknown one by Times. */
const FONT = 'font-family:Segoe UI,Roboto,Helvetica,Arial,sans-serif;mso-line-height-rule:exactly';
const TEXT = `${FONT};font-size:16px;line-height:24px;color:${LIGHT.ink};word-break:break-word`;
const SMALL = `font-size:13px;line-height:20px;color:${LIGHT.soft}`;
const BUTTON_FONT = `${FONT};font-size:16px;line-height:20px`;
const LINK = `color:${LIGHT.accent}`;
const HIDDEN = `display:none;mso-hide:all;font-size:1px;line-height:1px;color:${LIGHT.page}`;

/** Renders plain text: each name on its own line, its text indented below. */
export function renderText({ title, subtitle, rows, actions = [], notes }: Omit<Content, 'language' | 'preview'>) {
  const parts = rows.map(({ name, heading, text, links = [] }) => {
    const body = [text, ...links.map(noteText)].join('\n');
    const head = [heading, name].filter(Boolean).join(' · ');
    return head === '' ? body : `${head}\n${body.replace(/^/gm, '  ')}`;
  });
  const footer = notes.length > 0 && `-- \n${notes.map(noteText).join('\n')}`;
  const head = [title, subtitle].filter(Boolean).join('\n');
  return [head, ...parts, actions.map(noteText).join('\n'), footer].filter(Boolean).join('\n\n');
}

const noteText = (note: string | Link): string => (typeof note === 'string' ? note : `${note.text}: ${note.url}`);

/**
 * Renders a self-contained HTML document with a light and a dark color scheme. Word, which renders mails in Outlook,
 * wants tables with padding in their cells and every style inline.
 */
export const renderHtml = (content: Content): string => renderDocument(<MailDocument {...content} />);

/** Returns the size of a row in HTML, in bytes. */
export const rowBytes = (row: Row): number => Buffer.byteLength(render(<RowView {...row} />));

/** Returns the rows from the beginning that fit into `maxBytes` of HTML. */
export function fittingRows(rows: readonly Row[], maxBytes: number): readonly Row[] {
  let remaining = maxBytes;
  const end = rows.findIndex((row) => {
    remaining -= rowBytes(row);
    return remaining < 0;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

const TABLE = { role: 'presentation', cellpadding: '0', cellspacing: '0', border: 0 } as const;

/** The look of a form in mails to visitors. `logo` is a URL. */
type Brand = Readonly<{ name: string | null; logo: string | null; color: string | null }>;

/** A stripe in the color of the form, and its logo, which has the name for clients that show no images. */
function BrandRows({ name, logo, color }: Brand) {
  const stripe = color ?? LIGHT.accent;
  return (
    <>
      <tr>
        <td height="6" bgcolor={stripe} style={`font-size:0;line-height:0;background-color:${stripe}`} />
      </tr>
      {(logo !== null || name !== null) && (
        <tr>
          <td class="t" align="left" style={`padding:24px 24px 0;${TEXT};font-weight:bold`}>
            {logo === null ? name : <img src={logo} alt={name ?? ''} height="48" style="border:0" />}
          </td>
        </tr>
      )}
    </>
  );
}

function MailDocument({ language, title, subtitle, preview, rows, actions = [], notes, brand }: Content) {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {title && <title>{title}</title>}
        <style>{raw(STYLE)}</style>
        <style>{raw(DARK_STYLE)}</style>
      </head>
      <body class="p" bgcolor={LIGHT.page} style={`margin:0;background-color:${LIGHT.page}`}>
        {preview && <div style={HIDDEN}>{preview}</div>}
        <table {...TABLE} width="100%" class="p" bgcolor={LIGHT.page} style={`background-color:${LIGHT.page}`}>
          <tr>
            <td class="o" align="center" style="padding:24px 12px">
              {raw('<!--[if mso]><table role="presentation" width="600"><tr><td><![endif]-->')}
              <table
                {...TABLE}
                width="100%"
                class="s"
                bgcolor={LIGHT.card}
                style={`max-width:600px;background-color:${LIGHT.card}`}
              >
                {brand && <BrandRows {...brand} />}
                {title && <Title text={title} subtitle={subtitle} />}
                {rows.map((row) => (
                  <RowView {...row} />
                ))}
                {actions.length > 0 && <Actions actions={actions} />}
                <Notes notes={notes} />
              </table>
              {raw('<!--[if mso]></td></tr></table><![endif]-->')}
            </td>
          </tr>
        </table>
      </body>
    </html>
  );
}

function Title({ text, subtitle }: Readonly<{ text: string; subtitle: string | undefined }>) {
  return (
    <tr>
      <td align="left" style="padding:24px 24px 0">
        <h1
          dir="auto"
          class="t"
          style={`margin:0;${FONT};font-size:20px;line-height:28px;color:${LIGHT.ink};word-break:break-word`}
        >
          {text}
        </h1>
        {subtitle && (
          <div class="m" style={`${FONT};${SMALL}`}>
            {subtitle}
          </div>
        )}
      </td>
    </tr>
  );
}

function RowView({ name, heading, text, isLinked = false, links = [] }: Row) {
  return (
    <tr>
      <td class="t" align="left" style={`padding:16px 24px 0;${TEXT}`}>
        {heading && (
          <div dir="auto" style="font-weight:bold">
            {heading}
          </div>
        )}
        {name && (
          <div dir="auto" class="m" style={SMALL}>
            {name}
          </div>
        )}
        <div dir="auto">
          <BrokenLines text={text} isLinked={isLinked} />
        </div>
        {links.length > 0 && (
          <div class="m" style={SMALL}>
            {links.map((link, index) => (
              <>
                {index > 0 && ' · '}
                <TextLink {...link} />
              </>
            ))}
          </div>
        )}
      </td>
    </tr>
  );
}

/** A button, whose cell has the color and the padding, and links below it: in one line they would wrap on phones. */
function Actions({ actions: [main, ...rest] }: Readonly<{ actions: readonly Link[] }>) {
  if (!main) return null;
  return (
    <tr>
      <td align="left" style={`padding:24px 24px 0;${BUTTON_FONT}`}>
        <table {...TABLE}>
          <tr>
            <td class="b" bgcolor={LIGHT.accent} style={`padding:11px 20px;background-color:${LIGHT.accent}`}>
              <a class="c" href={main.url} style={`${BUTTON_FONT};color:${LIGHT.on};text-decoration:none`}>
                {main.text}
              </a>
            </td>
          </tr>
        </table>
        {rest.length > 0 && (
          <table {...TABLE}>
            <tr>
              {rest.map((link) => (
                <td style={`padding:16px 20px 0 0;${BUTTON_FONT}`}>
                  <TextLink {...link} />
                </td>
              ))}
            </tr>
          </table>
        )}
      </td>
    </tr>
  );
}

function Notes({ notes }: Pick<Content, 'notes'>) {
  return (
    <tr>
      <td class="m" align="left" style={`padding:24px;${FONT};${SMALL};word-break:break-word`}>
        {notes.map((note) => (
          <div>{typeof note === 'string' ? note : <TextLink {...note} />}</div>
        ))}
      </td>
    </tr>
  );
}

function TextLink({ text, url }: Link) {
  return (
    <a class="a" href={url} style={LINK}>
      {text}
    </a>
  );
}

/** Inserts `br` elements, since some mail clients ignore `white-space: pre-wrap`, and keeps indentation. */
export function BrokenLines({ text, isLinked = false }: Readonly<{ text: string; isLinked?: boolean }>) {
  const lines = text.replace(/^ +/gm, (spaces) => '\u00a0'.repeat(spaces.length)).split('\n');
  return (
    <>
      {lines.map((line, index) => (
        <>
          {index > 0 && <br />}
          {isLinked ? <LinkedText text={line} /> : line}
        </>
      ))}
    </>
  );
}

/** URLs and addresses; lengths are bounded so that matching takes linear time. */
const LINKABLE =
  /https?:\/\/[^\s<>"'`]{1,500}[^\s<>"'`.,:;!?)\]}]|(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,4}[a-z]{2,24}\b/giu;

function LinkedText({ text }: Readonly<{ text: string }>) {
  const parts: Array<string | Link> = [];
  let from = 0;
  for (const { 0: match, index } of text.matchAll(LINKABLE)) {
    const isUrl = /^https?:/i.test(match);
    if (isUrl && !URL.canParse(match)) continue;
    parts.push(text.slice(from, index), { text: match, url: isUrl ? match : `mailto:${match}` });
    from = index + match.length;
  }
  parts.push(text.slice(from));
  return <>{parts.map((part) => (typeof part === 'string' ? part : <TextLink {...part} />))}</>;
}

const UNKNOWN_LANGUAGE = '';

/** Renders the HTML of a mail to visitors: a text on a sheet with the logo and the color of the form. */
export function renderBrandedHtml(text: string, brand: Brand): string {
  const rows = [{ name: null, text, isLinked: true }];
  return renderDocument(<MailDocument language={UNKNOWN_LANGUAGE} title={null} rows={rows} notes={[]} brand={brand} />);
}
