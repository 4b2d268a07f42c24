/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';

export type Link = Readonly<{ text: string; url: string }>;

/** A labeled text of a mail, with an optional link; `name` is null for text without a label. */
export type Row = Readonly<{ name: string | null; text: string; link?: Link }>;

/** The content of a mail, rendered as plain text and as HTML. `language` is empty if it is unknown. */
export type Content = Readonly<{
  language: string;
  title: string | null;
  rows: readonly Row[];
  notes: ReadonlyArray<string | Link>;
}>;

const STYLE = `
body { margin: 0; padding: 0; background: #f4f4f5; color: #18181b; }
body { font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif; }
.sheet { max-width: 600px; margin: 24px auto; padding: 24px; background: #ffffff; border-radius: 8px; }
h1 { margin: 0; font-size: 20px; line-height: 1.3; overflow-wrap: anywhere; }
dl { margin: 0; }
dt { margin: 16px 0 0; color: #52525b; font-size: 14px; overflow-wrap: anywhere; }
dd { margin: 2px 0 0; white-space: pre-wrap; word-break: break-word; overflow-wrap: anywhere; }
a { color: #1d4ed8; }
.notes { margin-top: 24px; padding-top: 16px; border-top: 1px solid #d4d4d8; }
.notes { color: #52525b; font-size: 14px; overflow-wrap: anywhere; }
@media (max-width: 640px) { .sheet { margin: 0; padding: 16px; border-radius: 0; } }
`;

/** A style sheet of its own: some clients drop a whole style sheet for one unknown rule. */
const DARK = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  body { background: #18181b; color: #f4f4f5; }
  .sheet { background: #27272a; }
  a { color: #93c5fd; }
  dt, .notes { color: #a1a1aa; }
  .notes { border-color: #52525b; }
}
`;

/** Renders plain text: each name on its own line, its text indented below. */
export function renderText({ title, rows, notes }: Omit<Content, 'language'>): string {
  const parts = rows.map(({ name, text, link }) => {
    const body = link ? `${text}\n${noteText(link)}` : text;
    return name === null ? body : `${name}\n${body.replace(/^/gm, '  ')}`;
  });
  const footer = notes.length > 0 && `-- \n${notes.map(noteText).join('\n')}`;
  return [title, ...parts, footer].filter(Boolean).join('\n\n');
}

function noteText(note: string | Link): string {
  return typeof note === 'string' ? note : `${note.text}: ${note.url}`;
}

/** Renders a self-contained HTML document with a light and a dark color scheme. */
export function renderHtml(content: Content): string {
  return `<!doctype html>\n${<MailDocument {...content} />}`;
}

function MailDocument({ language, title, rows, notes }: Content) {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {title && <title>{title}</title>}
        <style>{raw(STYLE)}</style>
        <style>{raw(DARK)}</style>
      </head>
      <body>
        <div class="sheet">
          {title && <h1 dir="auto">{title}</h1>}
          <dl>
            {rows.map((row) => (
              <LabeledText {...row} />
            ))}
          </dl>
          {notes.length > 0 && (
            <div class="notes">
              {notes.map((note) => (
                <div>{noteMarkup(note)}</div>
              ))}
            </div>
          )}
        </div>
      </body>
    </html>
  );
}

function LabeledText({ name, text, link }: Row) {
  return (
    <>
      {name && <dt dir="auto">{name}</dt>}
      <dd dir="auto">
        <BrokenLines text={text} />
        {link && (
          <>
            <br />
            {noteMarkup(link)}
          </>
        )}
      </dd>
    </>
  );
}

function noteMarkup(note: string | Link) {
  return typeof note === 'string' ? note : <a href={note.url}>{note.text}</a>;
}

/** Inserts `br` elements, since some mail clients ignore `white-space: pre-wrap`. */
export function BrokenLines({ text }: Readonly<{ text: string }>) {
  const lines = text.split('\n');
  return (
    <>
      {lines.map((line, index) => (
        <>
          {index > 0 && <br />}
          {line}
        </>
      ))}
    </>
  );
}
