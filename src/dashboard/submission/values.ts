import type { Form } from '../../domain/form.ts';
import type { Payload, PayloadValue } from '../../domain/submission.ts';
import { type Html, html } from '../../lib/html.ts';
import { plainText } from '../ui/payload-text.ts';
import type { Viewer } from '../viewer.ts';

/** Of a longer value the beginning is shown, and the whole on a page of its own. */
const LONGEST = 2_000;
/** Text of so many bytes is on a page, so that it stays below 50 KB compressed whatever was sent. */
const PAGE_BYTES = 24_000;
/** What the markup of a field weighs compressed. */
const FIELD_BYTES = 16;
/** What is nested deeper than this is shown as JSON: each level is moved in on the page. */
const DEEPEST = 5;
/** So is what has more parts than a page can be made of quickly. */
const MOST_PARTS = 2_000;

/** `first` is the first field shown, `addressOf` leads to the whole of a value, `addressFrom` to the page from a field on. */
type Ways = Readonly<{
  first: number;
  addressOf: (index: number) => string;
  addressFrom: (index: number) => string;
}>;

/** What was filled in, under the labels of the form; so many fields as fit on a page. */
export function valuesView(
  viewer: Viewer,
  form: Form,
  payload: Payload,
  { first, addressOf, addressFrom }: Ways,
): Html {
  const { submission: words } = viewer.texts;
  const labels = new Map(form.fields.map(({ name, label }) => [name, label]));
  const rows: Html[] = [];
  let bytes = 0;
  let index = first;
  for (const [name, value] of payload.slice(first)) {
    if (rows.length > 0 && bytes > PAGE_BYTES) break;
    const text = plainText(value);
    const isShort = text.length <= LONGEST;
    const label = labels.get(name) || name || words.nameless;
    bytes += Buffer.byteLength(label) + Buffer.byteLength(text.slice(0, LONGEST)) + FIELD_BYTES;
    rows.push(
      html`<dt><bdi>${label}</bdi></dt><dd>${isShort ? valueView(viewer, value) : html`<bdi>${beginningOf(text)}…</bdi> <a href="${addressOf(index)}">${words.showAll}</a>`}</dd>`,
    );
    index++;
  }
  if (payload.length === 0) return html`<p class="soft">${viewer.texts.inbox.nobody}</p>`;
  const left = payload.length - index;
  return html`<dl class="facts">${rows}</dl>
${first > 0 && html`<p><a href="${addressFrom(0)}">${words.firstFields}</a></p>`}
${left > 0 && html`<p><a href="${addressFrom(index)}">${words.moreFields(viewer.number(left))}</a></p>`}`;
}

/** A value in whole. */
export function valueView(viewer: Viewer, value: PayloadValue, depth = 0): Html {
  const { submission: words, common } = viewer.texts;
  if (value === null || value === '') return html`<span class="soft">${words.nothing}</span>`;
  if (typeof value === 'boolean') return html`${value ? common.yes : common.no}`;
  if (typeof value !== 'object') return html`<bdi>${value}</bdi>`;
  const entries: ReadonlyArray<readonly [string, PayloadValue]> = Object.entries(value);
  if (entries.length === 0) return html`<span class="soft">${words.nothing}</span>`;
  const isTooMuch = depth >= DEEPEST || (depth === 0 && partsOf(value) > MOST_PARTS);
  if (isTooMuch) return html`<code>${JSON.stringify(value, null, 1)}</code>`;
  const inner = entries.map(([name, item]) => {
    const view = valueView(viewer, item, depth + 1);
    return Array.isArray(value) ? html`<li>${view}</li>` : html`<dt><bdi>${name}</bdi></dt><dd>${view}</dd>`;
  });
  return Array.isArray(value) ? html`<ul class="nested">${inner}</ul>` : html`<dl class="nested">${inner}</dl>`;
}

function partsOf(value: PayloadValue): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values<PayloadValue>(value).reduce<number>((sum, inner) => sum + partsOf(inner), 1);
}

/** Without half a character at the end. */
function beginningOf(text: string): string {
  return text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '');
}
