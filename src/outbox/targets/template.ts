import { Type } from '@sinclair/typebox';
import { truncatePayload } from '../../domain/submissions/truncate-payload.ts';
import { formatTime } from '../../lib/clock.ts';
import { formatNumber } from '../../lib/i18n.ts';
import { toSingleLine } from '../../lib/one-line.ts';
import { oneOf } from '../../lib/schema.ts';
import { getContent, indent, plainText, shorten, toLines } from './content.ts';
import { messageKind, refuseSetting } from './kind.ts';
import { MORE, SHOWN_CHARACTERS, type TargetEvent } from './target.ts';

/** Content type and escaping by format. */
const FORMATS = {
  json: { type: 'application/json', encode: (text: string) => JSON.stringify(text).slice(1, -1) },
  form: { type: 'application/x-www-form-urlencoded', encode: encodeURIComponent },
  text: { type: 'text/plain; charset=utf-8', encode: (text: string) => text },
} as const;

export type TemplateFormat = keyof typeof FORMATS;

const MAX_TEMPLATE_LENGTH = 16_384;
const MAX_PLACEHOLDERS = 100;
/** Bytes of a body at most. A value that does not fit is cut, and those after it are empty. */
const MAX_BODY_BYTES = 256 * 1024;
const MAX_VALUE_LENGTH = SHOWN_CHARACTERS.value - MORE;
/** A field name or built-in name, with an optional maximum length: `{{message|500}}`. */
const PLACEHOLDER = /\{\{([^{}]+?)(?:\|\s*([1-9]\d{0,4})\s*)?\}\}/g;

/** Any endpoint that takes JSON, a form or text, by a template of the owner. */
export const template = messageKind({
  name: { en: 'Template', de: 'Vorlage' },
  icon: {
    path: 'M9 4.5C6 4.5 7.5 9 7 10.5S4.5 12 4.5 12s2 0 2.5 1.5-1 6 2 6m6-15c3 0 1.5 4.5 2 6s2.5 1.5 2.5 1.5-2 0-2.5 1.5 1 6-2 6',
    hue: 'yellow',
  },
  hint: {
    en: 'Posts a text of yours with the values of the submission.',
    de: 'Sendet einen eigenen Text mit den Werten der Einsendung.',
  },
  urlHint: { en: 'Address that the text is posted to.', de: 'Adresse, an die der Text gesendet wird.' },
  takes: ['url', 'events', 'headers'],
  options: {
    template: {
      schema: Type.String({ description: 'Body of a template webhook, with {{field}} for values.' }),
      isLong: true,
      initial: '{"text": "{{message}}"}',
      label: { en: 'Template', de: 'Vorlage' },
      hint: {
        en: '{{field}} is replaced by the value of that field.',
        de: '{{feld}} wird durch den Wert dieses Feldes ersetzt.',
      },
    },
    templateFormat: {
      schema: oneOf(Object.keys(FORMATS) as TemplateFormat[], {
        default: 'json',
        description: 'Format of the template.',
      }),
      label: { en: 'Format', de: 'Format' },
      values: {
        json: { en: 'JSON', de: 'JSON' },
        form: { en: 'Form (URL-encoded)', de: 'Formular (URL-kodiert)' },
        text: { en: 'Plain text', de: 'Einfacher Text' },
      },
    },
  },
  parse({ href: url }, { template: text = '', templateFormat: format = 'json' }) {
    if (!text.trim() || text.length > MAX_TEMPLATE_LENGTH) {
      throw refuseSetting('template', {
        api: `A template has 1 to ${MAX_TEMPLATE_LENGTH} characters, such as {"text": "{{message}}"}.`,
        en: `Enter a template of 1 to ${formatNumber('en', MAX_TEMPLATE_LENGTH)} characters, such as {"text": "{{message}}"}.`,
        de: `Geben Sie eine Vorlage mit 1 bis ${formatNumber('de', MAX_TEMPLATE_LENGTH)} Zeichen ein, zum Beispiel {"text": "{{message}}"}.`,
      });
    }
    if ((text.match(PLACEHOLDER)?.length ?? 0) > MAX_PLACEHOLDERS) {
      throw refuseSetting('form', {
        api: `A template has at most ${MAX_PLACEHOLDERS} placeholders. Remove some.`,
        en: `A template has at most ${MAX_PLACEHOLDERS} placeholders. Remove some.`,
        de: `Eine Vorlage hat höchstens ${MAX_PLACEHOLDERS} Platzhalter. Entfernen Sie einige.`,
      });
    }
    if (format === 'json' && !isSafeJson(text)) {
      throw refuseSetting('template', {
        api: 'The template is not JSON with placeholders in quotes, such as {"text": "{{message}}"}.',
        en: 'Enter JSON with placeholders in quotes, such as {"text": "{{message}}"}.',
        de: 'Geben Sie JSON mit Platzhaltern in Anführungszeichen ein, zum Beispiel {"text": "{{message}}"}.',
      });
    }
    return { url, template: text, format };
  },
  format({ url, template: text, format }, event) {
    const { type, encode } = FORMATS[format];
    const value = getValues(event);
    const encoded = new Map<string, string>();
    const encodeValue = (placeholder: string, name: string, maxLength: string | undefined) =>
      encoded.getOrInsertComputed(placeholder, () =>
        encode(shorten(value(name.trim()), maxLength === undefined ? MAX_VALUE_LENGTH : Number(maxLength))),
      );
    let left = MAX_BODY_BYTES - Buffer.byteLength(text.replace(PLACEHOLDER, ''));
    const body = text.replace(PLACEHOLDER, (placeholder: string, name: string, maxLength?: string) => {
      const whole = encodeValue(placeholder, name, maxLength);
      const fitting = Buffer.byteLength(whole) <= left ? whole : encode(cut(value(name.trim()), encode, left));
      left -= Buffer.byteLength(fitting);
      return fitting;
    });
    return { url, headers: { 'Content-Type': type }, body };
  },
});

/** Returns the beginning of a value, marked as cut, whose encoding has at most `bytes`; empty if there is no room. */
function cut(value: string, encode: (text: string) => string, bytes: number): string {
  for (let length = Math.min(value.length, bytes); length > MORE; length = Math.floor(length / 2)) {
    const text = shorten(value, length);
    if (Buffer.byteLength(encode(text)) <= bytes) return text;
  }
  return '';
}

/** Tells whether placeholders are in strings only: an escaped quotation mark is not valid anywhere else in JSON. */
function isSafeJson(text: string): boolean {
  try {
    JSON.parse(text.replace(PLACEHOLDER, '\\"'));
    return true;
  } catch {
    return false;
  }
}

/** Returns a lookup by name: built-in names, which have a dot, then fields; empty text for others. */
function getValues(event: TargetEvent): (name: string) => string {
  const { form, submission, url } = event;
  const { value, payload } = SHOWN_CHARACTERS;
  const fields = new Map(truncatePayload(submission?.data ?? [], value, payload));
  const limits = { rows: 1_000, label: 400, value, total: 50_000, overhead: 3, makeInert: indent };
  // Composed once: it takes milliseconds.
  let text: string | undefined;
  const builtIn = new Map<string, () => string>([
    ['event.type', () => event.type],
    ['form.id', () => form.id],
    ['form.name', () => toSingleLine(form.name, 200)],
    ['submission.id', () => submission?.id ?? ''],
    ['submission.created_at', () => (submission ? formatTime(submission.createdAt) : '')],
    ['submission.is_spam', () => String(submission?.isSpam ?? false)],
    ['submission.maybe_spam', () => String(submission?.isMaybeSpam ?? false)],
    ['submission.url', () => url ?? ''],
    ['submission.text', () => (text ??= toLines(getContent(event, limits)))],
  ]);
  return (name) => builtIn.get(name)?.() ?? plainText(fields.get(name) ?? '');
}
