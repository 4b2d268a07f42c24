import type { Form, FormField } from '../../../domain/form.ts';
import { matchesPattern } from '../../../domain/pattern.ts';

/** What a page says in a language: to fill in, to press, and to read. */
export type SnippetWords = Readonly<{ send: string; leaveEmpty: string; sending: string; failed: string }>;

type Connected = Pick<Form, 'fields' | 'allowedFileTypes' | 'challenge' | 'challengeVerifyUrl'>;

/** The code that sends to a form, ready to paste. `challengeScript` is what the widget of its challenge needs. */
export type Snippets = Readonly<{
  html: string;
  fetch: string;
  react: string;
  astro: string;
  curl: string;
  challengeScript: string | null;
}>;

/** Where a form posts to; `id` is its id or its short id, `instance` an origin. */
export function submitAddress(instance: string, id: string): string {
  return `${instance}/v1/forms/${id}/submissions`;
}

/** The README's examples, with the address and the fields of a form. */
export function snippetsOf(form: Connected, id: string, instance: string, words: SnippetWords): Snippets {
  const action = submitAddress(instance, id);
  const widget = widgetOf(form, instance, id);
  const enctype = form.fields.some(({ type }) => type === 'file') ? ' enctype="multipart/form-data"' : '';
  const parts = { form, action, widget, enctype, words };
  return {
    html: htmlSnippet(parts, instance),
    fetch: fetchSnippet(parts),
    react: reactSnippet(parts),
    astro: astroSnippet(parts, instance, id),
    curl: curlSnippet(parts),
    challengeScript: widget?.script ?? null,
  };
}

type Parts = Readonly<{ form: Connected; action: string; widget: Widget | null; enctype: string; words: SnippetWords }>;

function htmlSnippet({ form, action, widget, enctype, words }: Parts, instance: string): string {
  return lines(
    `<form action="${action}" method="post"${enctype} data-formstead>`,
    ...form.fields.map((field) => `  ${labelled(field, form)}`),
    `  <p hidden><label>${words.leaveEmpty} <input name="_gotcha" autocomplete="off"></label></p>`,
    widget && `  ${widget.element}`,
    `  <button>${words.send}</button>`,
    '</form>',
    widget?.script,
    `<script src="${instance}/formstead.js" defer></script>`,
  );
}

function fetchSnippet({ form, action, widget, enctype, words }: Parts): string {
  return lines(
    `<form id="contact" action="${action}" method="post"${enctype}>`,
    ...form.fields.map((field) => `  ${labelled(field, form)}`),
    widget && `  ${widget.element}`,
    `  <button>${words.send}</button>`,
    '  <p id="status" role="status"></p>',
    '</form>',
    widget?.script,
    `<script type="module">
  const form = document.querySelector('#contact');
  const status = document.querySelector('#status');
  let key = null;
  let sending = false;

  form.addEventListener('input', () => {
    key = null;
  });

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (sending) return;
    sending = true;
    key ??= crypto.randomUUID();
    status.textContent = ${quoted(words.sending)};
    try {
      const response = await fetch(form.getAttribute('action'), {
        method: 'POST',
        headers: { Accept: 'application/json', 'Idempotency-Key': key },
        body: new FormData(form),
      });
      const answer = await response.json();
      const texts = (answer.errors ?? []).map((error) => \`\${error.field}: \${error.message}\`);
      status.textContent = [answer.message, ...texts].join(' ');
      if (answer.success) form.reset();
      if (response.status < 500 && response.status !== 409) key = null;
    } catch {
      status.textContent = ${quoted(words.failed)};
    }
    sending = false;
  });
</script>`,
  );
}

function reactSnippet({ form, action, widget, words }: Parts): string {
  return lines(
    `import { useRef, useState } from 'react';

const ACTION = ${quoted(action)};

export function ContactForm() {
  const [answer, setAnswer] = useState(null);
  const [sending, setSending] = useState(false);
  const key = useRef(null);

  async function send(event) {
    event.preventDefault();
    if (sending) return;
    const form = event.currentTarget;
    key.current ??= crypto.randomUUID();
    setSending(true);
    try {
      const response = await fetch(ACTION, {
        method: 'POST',
        headers: { Accept: 'application/json', 'Idempotency-Key': key.current },
        body: new FormData(form),
      });
      const given = await response.json();
      setAnswer(given);
      if (given.success) form.reset();
      if (response.status < 500 && response.status !== 409) key.current = null;
    } catch {
      setAnswer({ message: ${quoted(words.failed)} });
    }
    setSending(false);
  }

  const errorOf = (name) => answer?.errors?.find(({ field }) => field === name)?.message;

  return (
    <form action={ACTION} method="post" onSubmit={send} onInput={() => (key.current = null)} aria-busy={sending}>`,
    ...form.fields.flatMap((field, index) => reactControl(field, index, form)),
    widget && `      ${widget.jsx}`,
    `      <button aria-disabled={sending}>${inBraces(words.send)}</button>
      <p role="status">{sending ? ${quoted(words.sending)} : answer?.message}</p>
    </form>
  );
}`,
  );
}

function reactControl(field: FormField, index: number, form: Connected): string[] {
  const id = /^[A-Za-z][\w-]*$/.test(field.name) ? field.name : `field-${index + 1}`;
  const error = `errorOf(${quoted(field.name)})`;
  const tag = field.type === 'textarea' ? 'textarea' : 'input';
  return [
    `      <label htmlFor="${id}">${inBraces(labelOf(field))}</label>`,
    `      <${tag}`,
    `        ${[`id="${id}"`, ...attributesOf(field, form, REACT_NAMES)].join(' ')}`,
    `        aria-invalid={Boolean(${error})} aria-describedby="${id}-error"`,
    '      />',
    `      <p id="${id}-error">{${error}}</p>`,
  ];
}

function astroSnippet({ form, widget, enctype, words }: Parts, instance: string, id: string): string {
  return lines(
    '---',
    `const { formId = '${id}', instance = ${quoted(instance)} } = Astro.props;`,
    '---',
    `<form action={\`\${instance}/v1/forms/\${formId}/submissions\`} method="post"${enctype} data-formstead>`,
    ...form.fields.map((field) => `  ${braced(labelled(field, form))}`),
    `  <p hidden><label>${inBraces(words.leaveEmpty)} <input name="_gotcha" autocomplete="off"></label></p>`,
    widget && `  ${widget.element}`,
    `  <button>${inBraces(words.send)}</button>`,
    '</form>',
    widget?.script.replace('<script', '<script is:inline'),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Astro's.
    '<script is:inline src={`${instance}/formstead.js`} defer></script>',
  );
}

function curlSnippet({ form, action, enctype }: Parts): string {
  const text = enctype === '' ? '--data-urlencode' : '--form-string';
  const options = form.fields.map((field) => {
    if (field.type === 'file') return `-F ${inShell(`${field.name}=@document.pdf`)}`;
    const name = enctype === '' ? encodeURIComponent(field.name.toWellFormed()) : field.name;
    return `${text} ${inShell(`${name}=${sampleOf(field)}`)}`;
  });
  return [`curl ${action}`, ...options].join(' \\\n  ');
}

/** What somebody might fill in. */
export function sampleOf({ name, type, max_length, pattern }: FormField): string {
  const usual = SAMPLES[type] ?? (name.includes('name') ? 'Ada Lovelace' : 'Hello');
  const short = usual.slice(0, max_length);
  return pattern === undefined || matchesPattern(pattern, [short]) || !matchesPattern(pattern, ['5']) ? short : '5';
}

const SAMPLES: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  tel: '+44 20 7946 0018',
  url: 'https://example.com',
  number: '2',
  date: '2026-12-10',
  checkbox: 'yes',
};

/** `jsx` differs from `element` where React does. */
type Widget = Readonly<{ element: string; jsx: string; script: string }>;

function widgetOf({ challenge, challengeVerifyUrl }: Connected, instance: string, id: string): Widget | null {
  const hosted = (className: string, script: string): Widget => ({
    element: `<div class="${className}" data-sitekey="YOUR_SITE_KEY"></div>`,
    jsx: `<div className="${className}" data-sitekey="YOUR_SITE_KEY" />`,
    script: `<script src="${script}" async defer></script>`,
  });
  const component = (element: string, script: string): Widget => ({
    element,
    jsx: element,
    script: `<script src="${script}" type="module"></script>`,
  });
  switch (challenge) {
    case null:
      return null;
    case 'altcha': {
      const address = `${instance}/v1/forms/${id}/challenge`;
      return component(
        `<altcha-widget auto="onsubmit" challenge="${address}"></altcha-widget>`,
        `${instance}/altcha.js`,
      );
    }
    case 'turnstile':
      return hosted('cf-turnstile', 'https://challenges.cloudflare.com/turnstile/v0/api.js');
    case 'hcaptcha':
      return hosted('h-captcha', 'https://js.hcaptcha.com/1/api.js');
    case 'recaptcha':
      return hosted('g-recaptcha', 'https://www.google.com/recaptcha/api.js');
    case 'cap': {
      const endpoint = attribute((challengeVerifyUrl ?? '').replace(/siteverify\/?$/, ''));
      return component(
        `<cap-widget data-cap-api-endpoint=${endpoint}></cap-widget>`,
        'https://cdn.jsdelivr.net/npm/cap-widget',
      );
    }
    case 'custom':
      return {
        element: '<input type="hidden" name="captcha-response">',
        jsx: '<input type="hidden" name="captcha-response" />',
        script: '<!-- The script of your service -->',
      };
  }
}

const INPUT_TYPES = ['email', 'tel', 'url', 'number', 'date', 'checkbox', 'file'];

const HTML_NAMES = { autocomplete: 'autocomplete', maxlength: 'maxlength' };
const REACT_NAMES = { autocomplete: 'autoComplete', maxlength: 'maxLength' };

/** A control in its label, as HTML. */
function labelled(field: FormField, form: Connected): string {
  const attributes = attributesOf(field, form, HTML_NAMES).join(' ');
  const label = Bun.escapeHTML(labelOf(field));
  if (field.type === 'checkbox') return `<p><label><input ${attributes}> ${label}</label></p>`;
  if (field.type === 'textarea') return `<p><label>${label} <textarea ${attributes}></textarea></label></p>`;
  return `<p><label>${label} <input ${attributes}></label></p>`;
}

function attributesOf(
  { name, type, required, max_length, pattern }: FormField,
  { allowedFileTypes }: Connected,
  names: typeof HTML_NAMES,
): string[] {
  const known = AUTOCOMPLETE[type] ?? (name === 'name' ? 'name' : null);
  const isFile = type === 'file';
  const attributes = [
    INPUT_TYPES.includes(type) && `type="${type}"`,
    `name=${attribute(name)}`,
    type === 'checkbox' && 'value="yes"',
    known && `${names.autocomplete}="${known}"`,
    isFile && 'multiple',
    isFile && allowedFileTypes.length > 0 && `accept=${attribute(allowedFileTypes.join(','))}`,
    max_length !== undefined && `${names.maxlength}="${max_length}"`,
    pattern !== undefined && `pattern=${attribute(pattern)}`,
    required && 'required',
  ];
  return attributes.filter((text) => typeof text === 'string');
}

const AUTOCOMPLETE: Readonly<Record<string, string>> = { email: 'email', tel: 'tel', url: 'url' };

function labelOf({ name, label }: FormField): string {
  return label || name;
}

function attribute(value: string): string {
  return `"${Bun.escapeHTML(value)}"`;
}

/** A text of JavaScript, which may also stand in a script of HTML. */
function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('<', '\\u003c')}'`;
}

/** A text of JSX or Astro, to which braces mean something. */
function inBraces(text: string): string {
  return braced(Bun.escapeHTML(text));
}

function braced(markup: string): string {
  return markup.replaceAll('{', '&#123;').replaceAll('}', '&#125;');
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function lines(...parts: ReadonlyArray<string | null | undefined>): string {
  return parts.filter((part) => typeof part === 'string').join('\n');
}
