import type { FormField } from '../../../domain/form.ts';
import { attributesOf, labelOf, REACT_NAMES } from './controls.ts';
import { inBraces, lines, quoted } from './escape.ts';
import type { ConnectedForm, SnippetOptions } from './snippet-types.ts';

/** Returns a React component without dependencies. */
export function reactSnippet({ form, action, widget, t }: SnippetOptions): string {
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
    ...form.fields.flatMap((field, index) => reactControl(field, index, form)),
    widget && `      ${widget.jsx}`,
    `      <button aria-disabled={sending}>${inBraces(t.send)}</button>
      <p role="status">{sending ? ${quoted(t.sending)} : answer?.message}</p>
    </form>
  );
}`,
  );
}

function reactControl(field: FormField, index: number, form: ConnectedForm): string[] {
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
