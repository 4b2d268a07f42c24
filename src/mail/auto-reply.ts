import type { Form } from '../domain/form.ts';
import type { Payload, PayloadValue } from '../domain/submission.ts';
import { toSingleLine } from '../lib/one-line.ts';
import type { Message } from './mailer.ts';
import { asHtml } from './page.ts';
import { asSubject } from './subject.ts';

const MAX_VALUE = 500;

/**
 * Answers the visitor in the owner's words; `payload` is as it may be shown. Placeholders of no field leave nothing. A
 * subject of which nothing is left is the form's name, or where nothing of that can be shown, what it is about.
 */
export function autoReply({ name, autoReplySubject, autoReplyText }: Form, payload: Payload) {
  const values = new Map(payload);
  // What is filled in is not looked at again: a visitor cannot ask for a field by writing its placeholder.
  const fill = (template: string) =>
    template.replace(/\{\{([^{}]{1,300})\}\}/g, (_, wanted: string) =>
      toSingleLine(textOf(values.get(wanted.trim()) ?? ''), MAX_VALUE),
    );
  const text = fill(autoReplyText ?? '');
  return {
    replyTo: null,
    subject: asSubject(fill(autoReplySubject ?? '')) || asSubject(name) || 'Your message',
    text,
    html: asHtml({ title: null, rows: [{ name: null, text }], notes: [] }),
    autoSubmitted: 'auto-replied',
    attachments: [],
  } as const satisfies Partial<Message>;
}

function textOf(value: PayloadValue): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
}
