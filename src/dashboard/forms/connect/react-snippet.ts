import type { FormField } from '../../../domain/form.ts';
import { attributesOf, choicesOf, controlOf, labelOf, optionsOf, REACT_NAMES } from './controls.ts';
import { braced, inBraces, lines, quoted } from './escape.ts';
import type { SnippetOptions } from './snippet-types.ts';

/** Returns a React component without dependencies. */
export function reactSnippet(options: SnippetOptions): string {
  const { form, action, widget, t } = options;
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
      setAnswer({ message: ${quoted(t.failed)} });
    }
    setSending(false);
  }

  const errorOf = (name) => answer?.errors?.find(({ field }) => field === name)?.message;

  return (
    <form action={ACTION} method="post" onSubmit={send} onInput={() => (key.current = null)} aria-busy={sending}>`,
    ...form.fields.flatMap((field, index) => reactControl(field, index, options)),
    widget && `      ${widget.jsx}`,
    `      <button aria-disabled={sending}>${inBraces(t.send)}</button>
      <p role="status">{sending ? ${quoted(t.sending)} : answer?.message}</p>
    </form>
  );
}`,
  );
}

function reactControl(field: FormField, index: number, { form, t }: SnippetOptions): string[] {
  const id = /^[A-Za-z][\w-]*$/.test(field.name) ? field.name : `field-${index + 1}`;
  const error = `errorOf(${quoted(field.name)})`;
  const control = controlOf(field);
  const label = inBraces(labelOf(field));
  const attributes = attributesOf(field, form, REACT_NAMES).join(' ');
  const message = `<p id="${id}-error">{${error}}</p>`;
  const rules = [`  id="${id}" ${attributes}`, `  aria-invalid={Boolean(${error})} aria-describedby="${id}-error"`];
  const indented = (lines: readonly string[]) => lines.map((line) => `      ${line}`);
  switch (control) {
    case 'hidden':
      return indented([`<input ${attributes} value="" />`]);
    case 'group':
      return indented([
        `<fieldset aria-describedby="${id}-error">`,
        `  <legend>${label}</legend>`,
        ...choicesOf(field, ' />').map((choice) => `  ${braced(choice)}`),
        `  ${message}`,
        '</fieldset>',
      ]);
    case 'select': {
      const options = optionsOf(field, t).map((option) => `  ${braced(option)}`);
      return indented([
        `<label htmlFor="${id}">${label}</label>`,
        '<select',
        ...rules,
        '>',
        ...options,
        '</select>',
        message,
      ]);
    }
    default: {
      const tag = control === 'textarea' ? 'textarea' : 'input';
      return indented([`<label htmlFor="${id}">${label}</label>`, `<${tag}`, ...rules, '/>', message]);
    }
  }
}
