import { getFieldType } from '../domain/fields/field-types.ts';
import type { Form } from '../domain/forms/form.ts';
import { replyAddress } from '../domain/mail/mail.ts';
import type { Payload } from '../domain/submissions/submission.ts';
import { toSingleLine } from '../lib/one-line.ts';
import { hasMasked } from './value-text.ts';

/** The visitor of a submission and the first words of the message; null where there are none. */
export type Headline = Readonly<{ name: string | null; address: string | null; words: string | null }>;

const MAX_NAME_LENGTH = 40;
const MAX_WORDS_LENGTH = 140;
/** Characters that are read of a text. */
const MAX_READ = 1_000;
/** Shorter texts are a message only in a field named like one. */
const MIN_MESSAGE_LENGTH = 20;

const NAMES = ['name', 'fullname', 'yourname', 'ihrname', 'vorundnachname'];
const FIRST_NAMES = ['firstname', 'vorname'];
const LAST_NAMES = ['lastname', 'surname', 'nachname'];
const MESSAGES = ['message', 'yourmessage', 'comment', 'comments', 'question', 'nachricht', 'ihrenachricht', 'frage'];
/** Names that other services have for a long text. */
const LONG_TYPES = ['long_text', 'long-text', 'longtext'];

/** A text of one line, and its normalized names: that of the field and its label. */
type Text = Readonly<{ names: readonly string[]; isMessage: boolean; text: string }>;

/**
 * Summarizes a submission for subject, sender and preview of its mail. Leaves out texts with anything masked, because a
 * lock screen shows them.
 */
export function getHeadline(form: Pick<Form, 'fields'>, payload: Payload): Headline {
  const texts = getTexts(form, payload);
  const address = replyAddress(payload);
  const named = (names: readonly string[]) => texts.find((entry) => entry.names.some((name) => names.includes(name)));
  const person = [named(NAMES)];
  const names = person[0] ? person : [named(FIRST_NAMES), named(LAST_NAMES)];
  const name = names.flatMap((entry) => entry?.text ?? []).join(' ');
  const message =
    texts.find(({ isMessage }) => isMessage) ??
    named(MESSAGES) ??
    texts.find((entry) => !names.includes(entry) && isLong(entry.text));
  return {
    name: toSingleLine(name, MAX_NAME_LENGTH) || null,
    address: address !== null && hasMasked('email', address) ? null : address,
    words: message ? toSingleLine(message.text, MAX_WORDS_LENGTH) : null,
  };
}

function getTexts({ fields }: Pick<Form, 'fields'>, payload: Payload): readonly Text[] {
  const configured = new Map(fields.map((field) => [field.name, field]));
  return payload.flatMap(([name, value]) => {
    if (typeof value !== 'string' || name.startsWith('_')) return [];
    const text = toSingleLine(value.slice(0, MAX_READ).replace(/\s+/g, ' '), MAX_READ);
    if (text === '' || hasMasked(name, value)) return [];
    const field = configured.get(name);
    const isMessage = getFieldType(field).html.control === 'textarea' || LONG_TYPES.includes(field?.type ?? '');
    return [{ names: [normalized(name), normalized(field?.label ?? '')], isMessage, text }];
  });
}

const normalized = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Reports whether a text reads like a message: some words, in scripts without spaces some characters. */
function isLong(text: string): boolean {
  return (text.length >= MIN_MESSAGE_LENGTH && /\S\s\S/.test(text)) || /[\u2e80-\ud7ff]{10}/.test(text);
}
