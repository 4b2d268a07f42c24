import type { FormField } from './field-type.ts';
import { FIELD_TYPES } from './field-types.ts';

/** Limits of pasted HTML. Longer texts are refused, further fields are left out. */
export const HTML_LIMITS = { kib: 256, fields: 200, options: 200 } as const;

const IGNORED = ['submit', 'button', 'reset', 'image', 'password'];

/** A label, legend or option whose text is still being read. */
type Text = { text: string };
type Choice = Readonly<{ value: string | null; label: Text }>;
type Draft = FormField & { id: string; legend: Text | undefined; own: Text; aria: string; choices: Choice[] };

const MAX_OPEN = 500;
const MAX_TEXT = 2_048;

/** Returns the type of field for that of an input; the first in the list where several have one. */
function typeForInput(type: string): string {
  if (['radio', 'checkbox', 'hidden'].includes(type)) return type;
  const wanted = type === 'range' ? 'number' : type;
  return FIELD_TYPES.find(({ html }) => html.control === 'input' && html.type === wanted)?.name ?? 'text';
}

/**
 * Reads the fields of the first form in `markup`, or of the markup if it has no form. Nothing of it runs. Broken markup is
 * read as far as possible; passwords, buttons and names with a leading `_` are left out.
 */
export function readHtmlFields(markup: string): readonly FormField[] {
  const drafts = new Map<string, Draft>();
  const labels = new Map<string, Text>();
  const open: Array<{ kind: string; text: Text }> = [];
  let select: Draft | undefined;
  let forms = 0;
  const isFirst = () => forms < 2;
  const latest = (kind: string) => open.findLast((item) => item.kind === kind)?.text;

  const add = (element: HTMLRewriterTypes.Element, type: string): Draft | undefined => {
    const read = (name: string, limit = 256) =>
      clean(element.getAttribute(name) ?? '')
        .slice(0, limit)
        .trim();
    const name = read('name');
    const known = drafts.get(name);
    const label = latest('label') ?? { text: '' };
    const choice = { value: element.getAttribute('value'), label };
    const id = read('id');
    if (id !== '' && label.text === '' && !labels.has(id)) labels.set(id, label);
    if (known || name === '' || name.startsWith('_') || drafts.size === HTML_LIMITS.fields || !isFirst()) {
      if (known && known.type === type) known.choices.push({ ...choice, label: labels.get(id) ?? label });
      return undefined;
    }
    const maxLength = Number(element.getAttribute('maxlength'));
    const placeholder = read('placeholder', 200);
    const draft: Draft = {
      ...{ name, label: '', type, required: element.hasAttribute('required') },
      ...(placeholder !== '' &&
        ['text', 'textarea', 'email', 'phone', 'url', 'number'].includes(type) && { placeholder }),
      ...(maxLength >= 1 && maxLength <= 262_144 && Number.isInteger(maxLength) && { max_length: maxLength }),
      ...{ id, legend: latest('legend'), own: label, aria: read('aria-label') },
      choices: [{ ...choice, label: labels.get(id) ?? label }],
    };
    drafts.set(name, draft);
    return draft;
  };

  const track = (kind: string, element: HTMLRewriterTypes.Element, text: Text = { text: '' }) => {
    const item = { kind, text };
    if (open.length < MAX_OPEN) open.push(item);
    element.onEndTag(() => {
      if (open.includes(item)) open.splice(open.indexOf(item));
    });
    return text;
  };

  new HTMLRewriter()
    .on('form', {
      element: (element) => {
        forms += 1;
        if (forms > 1) return;
        drafts.clear();
        element.onEndTag(() => {
          forms += 1;
        });
      },
    })
    .on('fieldset', { element: (element) => void track('legend', element) })
    .on('legend', { element: (element) => void track('text', element, latest('legend')) })
    .on('label', {
      element: (element) => {
        const id = clean(element.getAttribute('for') ?? '');
        track('label', element, labels.get(id));
        if (id !== '' && isFirst()) labels.set(id, latest('label') ?? { text: '' });
      },
    })
    .on('script, style, textarea', { element: (element) => void track('text', element) })
    .on('input', {
      element: (element) => {
        const type = (element.getAttribute('type') ?? 'text').toLowerCase();
        if (!IGNORED.includes(type)) add(element, typeForInput(type));
      },
    })
    .on('textarea', { element: (element) => void add(element, 'textarea') })
    .on('select', {
      element: (element) => {
        select = add(element, element.hasAttribute('multiple') ? 'checkboxes' : 'select');
        if (select) select.choices = [];
        track('text', element);
      },
    })
    .on('option', {
      element: (element) => {
        const label = track('text', element);
        select?.choices.push({ value: element.getAttribute('value'), label });
      },
    })
    .onDocument({
      text: ({ text }) => {
        const item = open.findLast(({ kind }) => kind !== 'legend')?.text;
        if (item && item.text.length < MAX_TEXT) item.text += text;
      },
    })
    .transform(markup);
  return [...drafts.values()].map((draft) => finish(draft, labels));
}

function finish({ id, legend, own, aria, choices, ...field }: Draft, labels: ReadonlyMap<string, Text>): FormField {
  const isGroup = field.type === 'radio' || (field.type === 'checkbox' && choices.length > 1);
  const texts = isGroup ? [legend] : [labels.get(id), own, { text: aria }, legend];
  const label = texts.map((text) => clean(text?.text ?? '')).find((text) => text) ?? field.name;
  const options = choices
    .map(({ value, label }) => clean(value ?? label.text))
    .filter((option, index, all) => option !== '' && all.indexOf(option) === index)
    .slice(0, HTML_LIMITS.options);
  if (!isGroup && field.type !== 'select' && field.type !== 'checkboxes') return { ...field, label };
  if (options.length === 0) return { ...field, label, type: 'text' };
  return { ...field, label, type: field.type === 'checkbox' ? 'checkboxes' : field.type, options };
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', hellip: '…' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', eacute: 'é' },
};

/** Decodes character references, and joins lines and spaces. Drops a star or colon at the end, as labels have. */
function clean(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));/gi, (all, decimal, hex, name) => {
      if (name) return ENTITIES[name] ?? all;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0x10ffff ? '' : String.fromCodePoint(code);
    })
    .replace(/[\p{Cc}\p{Zs}\s]+/gu, ' ')
    .replace(/(?:\s*[*:])+\s*$/, '')
    .trim()
    .slice(0, 256)
    .trim();
}
