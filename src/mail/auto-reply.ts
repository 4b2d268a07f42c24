import type { Form } from '../domain/forms/form.ts';
import { asText, type Payload, type PayloadValue } from '../domain/submissions/submission.ts';
import { toSingleLine } from '../lib/one-line.ts';
import { yourMessage } from './i18n/visitor.ts';
import { renderBrandedHtml } from './layout.tsx';
import type { Message } from './mailer.ts';
import { toSenderName, toSubject } from './subject.ts';
import { maskedBeginning } from './value-text.ts';

/** Short, and without links: a stranger could otherwise send their text to others through a form. */
const MAX_VALUE_LENGTH = 100;
const LINK = /(?:[a-z][a-z\d+.-]*:\/\/|www\.|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}\/)\S*/giu;

/**
 * Composes the auto-reply to the visitor from the owner's templates and the payload. Placeholders of unknown fields
 * become empty. An empty subject is replaced by the form's name, or by "Your message" in the visitor's `language` if the name has no printable character.
 * `logo` is its URL. Without `replyTo` there is no Reply-To: recipients' addresses are not given to visitors.
 */
export function autoReplyMail(
  form: Form,
  payload: Payload,
  logo: string | null = null,
  language: string | null = null,
) {
  const { name, publicName, senderName, replyTo, autoReplySubject, autoReplyText } = form;
  const values = new Map(payload);
  // Inserted values are not expanded again, so a visitor can't read another field by writing its placeholder.
  const fill = (template: string) =>
    template.replace(/\{\{([^{}]{1,300})\}\}/g, (_, field: string) =>
      fieldLine(field.trim(), values.get(field.trim()) ?? ''),
    );
  const text = fill(autoReplyText ?? '');
  return {
    replyTo,
    senderName: toSenderName(senderName ?? publicName ?? name),
    subject: toSubject(fill(autoReplySubject ?? '')) || toSubject(publicName ?? name) || yourMessage(language),
    text,
    html: renderBrandedHtml(text, { name: publicName, logo, color: form.accentColor }),
    autoSubmitted: 'auto-replied',
    attachments: [],
  } as const satisfies Partial<Message>;
}

/** Returns the masked beginning of a value on one line, without links. */
function fieldLine(name: string, value: PayloadValue): string {
  const text = fieldText(maskedBeginning(name, value, MAX_VALUE_LENGTH));
  // One line first, because that drops characters that could hide a link.
  return toSingleLine(toSingleLine(text, 2 * MAX_VALUE_LENGTH).replace(LINK, '…'), MAX_VALUE_LENGTH);
}

function fieldText(value: PayloadValue): string {
  if (Array.isArray(value)) return value.map(fieldText).join(', ');
  return asText(value);
}
