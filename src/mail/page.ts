import { Html, html } from '../lib/html.ts';

/** Where to read more. */
export type Link = Readonly<{ text: string; url: string }>;

/** One row of a mail: a name, if it needs one, and what stands under it. */
export type Row = Readonly<{ name: string | null; text: string; link?: Link }>;

/** What a mail shows, in plain text and in HTML alike. */
export type Content = Readonly<{ title: string | null; rows: readonly Row[]; notes: ReadonlyArray<string | Link> }>;

const STYLE = `
body { margin: 0; padding: 0; background: #f4f4f5; color: #18181b; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif; }
.sheet { max-width: 600px; margin: 24px auto; padding: 24px; background: #ffffff; border-radius: 8px; }
h1 { margin: 0; font-size: 20px; line-height: 1.3; overflow-wrap: anywhere; }
dl { margin: 0; }
dt { margin: 16px 0 0; color: #52525b; font-size: 14px; overflow-wrap: anywhere; }
dd { margin: 2px 0 0; white-space: pre-wrap; word-break: break-word; overflow-wrap: anywhere; }
a { color: #1d4ed8; }
.notes { margin-top: 24px; padding-top: 16px; border-top: 1px solid #d4d4d8; color: #52525b; font-size: 14px; overflow-wrap: anywhere; }
@media (max-width: 640px) { .sheet { margin: 0; padding: 16px; border-radius: 0; } }
`;

/** Apart from the rest, which programs keep that drop a whole style sheet for a rule they do not know. */
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

/** As plain text: the names on lines of their own, what stands under them set in. */
export function asText({ title, rows, notes }: Content): string {
  const parts = rows.map(({ name, text, link }) => {
    const under = link ? `${text}\n${noteText(link)}` : text;
    return name === null ? under : `${name}\n${under.replace(/^/gm, '  ')}`;
  });
  const foot = notes.length > 0 && `-- \n${notes.map(noteText).join('\n')}`;
  return [title, ...parts, foot].filter(Boolean).join('\n\n');
}

function noteText(note: string | Link): string {
  return typeof note === 'string' ? note : `${note.text}: ${note.url}`;
}

/** As HTML that needs nothing from anywhere, for light and dark. */
export function asHtml({ title, rows, notes }: Content): string {
  return html`<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
${title && html`<title>${title}</title>`}
<style>${new Html(STYLE)}</style>
<style>${new Html(DARK)}</style>
</head>
<body>
<div class="sheet">
${title && html`<h1 dir="auto">${title}</h1>`}
<dl>${rows.map(
    ({ name, text, link }) =>
      html`${name && html`<dt dir="auto">${name}</dt>`}<dd dir="auto">${linesOf(text)}${link && html`<br>${noteHtml(link)}`}</dd>`,
  )}</dl>
${notes.length > 0 && html`<div class="notes">${notes.map((note) => html`<div>${noteHtml(note)}</div>`)}</div>`}
</div>
</body>
</html>`.toString();
}

function noteHtml(note: string | Link): Html | string {
  return typeof note === 'string' ? note : html`<a href="${note.url}">${note.text}</a>`;
}

/** Not every mail program knows `pre-wrap`, and all know `br`. */
function linesOf(text: string): Html[] {
  return text.split('\n').map((line, index) => html`${index > 0 && new Html('<br>')}${line}`);
}
