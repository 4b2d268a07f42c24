import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Micros } from '../lib/clock.ts';
import { randomText } from '../lib/ids.ts';
import { AppError } from './errors.ts';

export const FormField = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256 }),
    label: Type.String({ maxLength: 256 }),
    type: Type.String({ minLength: 1, maxLength: 32, pattern: '^[a-z][a-z0-9_-]*$' }),
    required: Type.Boolean(),
  },
  { additionalProperties: false },
);

/** One field as the owner configured it: shown by the API and used to label what arrives. */
export type FormField = Static<typeof FormField>;

/** What takes submissions. `shortId` may stand for `id` in the public endpoint; `redirectUrl` is http or https. */
export type Form = Readonly<{
  id: string;
  shortId: string;
  workspaceId: string;
  name: string;
  isActive: boolean;
  redirectUrl: string | null;
  fields: readonly FormField[];
  createdAt: Micros;
}>;

/** What of a form can be changed; a missing property stays as it is. */
export type FormChanges = Partial<Pick<Form, 'name' | 'isActive' | 'redirectUrl' | 'fields'>>;

/** Eight characters from an alphabet without 0, 1, I, L, O and their small letters: 8.5e11 ids. */
export function newShortId(): string {
  return randomText(8, '23456789abcdefghjkmnpqrstuvwxyz');
}

/**
 * An absolute http or https address, as `URL` writes it, at most 2,000 characters. Throws `invalid_input` otherwise.
 */
export function parseRedirectUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.href.length > 2_000) {
    throw new AppError(
      'invalid_input',
      'redirect URL is not usable; it takes an absolute http or https address such as https://example.com/thanks.',
    );
  }
  return url.href;
}

const EXAMPLE = '[{"name":"email","label":"E-mail","type":"email","required":true}]';

/**
 * The field configuration as JSON text: an array of `{name, label?, type?, required?}` in display order. A missing
 * label is the name, a missing type `text`, a missing required `false`. Throws `invalid_input`, naming the field at
 * fault.
 */
export function parseFields(text: string): readonly FormField[] {
  const refuse = (what: string) => new AppError('invalid_input', `fields ${what}; it takes JSON such as ${EXAMPLE}.`);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw refuse('is not JSON');
  }
  if (!Array.isArray(list)) throw refuse('is not a JSON array');
  const fields = list.map((item: unknown, index) => {
    const field =
      item && typeof item === 'object' && 'name' in item
        ? { label: item.name, type: 'text', required: false, ...item }
        : item;
    if (Value.Check(FormField, field)) return field;
    const error = Value.Errors(FormField, field).First();
    throw refuse(`has an entry ${index + 1} that does not fit (${error?.path || 'the whole'}: ${error?.message})`);
  });
  if (new Set(fields.map(({ name }) => name)).size < fields.length) throw refuse('has the same name twice');
  return fields;
}
