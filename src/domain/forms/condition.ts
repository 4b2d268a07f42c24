import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { normalize } from '../../lib/normalize.ts';
import { closed } from '../../lib/schema.ts';
import { invalidInput } from '../errors.ts';
import { parseJson } from '../json-text.ts';
import { parseAddress } from '../mail/email-address.ts';
import { asText, type Payload, type PayloadValue } from '../submissions/submission.ts';

const Field = { field: Type.String({ minLength: 1, maxLength: 256 }) };
const Text = Type.String({ maxLength: 200 });

export const Condition = Type.Union([
  closed({ ...Field, is: Text }),
  closed({ ...Field, is_not: Text }),
  closed({ ...Field, contains: Text }),
  closed({ ...Field, is_one_of: Type.Array(Text, { minItems: 1, maxItems: 50 }) }),
]);

/** A test of one field. Case, surrounding spaces and Unicode composition are ignored. A missing field is empty. */
export type Condition = Static<typeof Condition>;

/** Conditions that must all be met; none means always. */
export type When = readonly Condition[];

/** Conditions of mail recipients by address. A recipient without any gets every submission. */
export type RecipientConditions = Readonly<Record<string, When>>;

export const MAX_CONDITIONS = 10;

/** Kinds of tests, by the property that holds what the field is compared with. */
export const CONDITION_TESTS = ['is', 'is_not', 'contains', 'is_one_of'] as const;
export type ConditionTest = (typeof CONDITION_TESTS)[number];

/** Returns the test of a condition and the texts that the field is compared with: one, or several for `is_one_of`. */
export function getTest(condition: Condition): Readonly<{ test: ConditionTest; values: readonly string[] }> {
  if ('is' in condition) return { test: 'is', values: [condition.is] };
  if ('is_not' in condition) return { test: 'is_not', values: [condition.is_not] };
  if ('contains' in condition) return { test: 'contains', values: [condition.contains] };
  return { test: 'is_one_of', values: condition.is_one_of };
}

const EXAMPLE = '[{"field": "topic", "is": "sales"}]';

/** Parses conditions from JSON text. Throws `invalid_input` with an example. */
export function parseWhen(text: string): When {
  const refuse = () =>
    invalidInput(`The conditions are not valid JSON. Write them like ${EXAMPLE}.`, ['invalid_condition']);
  return validateWhen(parseJson(text, refuse));
}

/** Validates conditions: a list, or a single one. Throws `invalid_input` with an example. */
export function validateWhen(value: unknown): When {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_CONDITIONS) {
    const message = `There are more than ${MAX_CONDITIONS} conditions. Remove some.`;
    throw invalidInput(message, ['too_many_conditions', MAX_CONDITIONS]);
  }
  return list.map((item) => {
    if (Value.Check(Condition, item)) return item;
    throw invalidInput(
      `Each condition needs a field and one of is, is_not, contains (texts of at most 200 characters) or is_one_of (a list), like ${EXAMPLE}.`,
      ['invalid_condition'],
    );
  });
}

/** Characters of a field that conditions look at: their own texts have at most 200. */
const MAX_COMPARED = 4_096;
/** Folded texts of conditions to keep; beyond it, all are forgotten. */
const MAX_FOLDED = 10_000;

const folded = new Map<string, string>();

/** Looks up the folded values of a payload's fields, each of which is folded once. */
export class FoldedFields {
  readonly #texts = new Map<string, readonly string[]>();

  constructor(private readonly payload: Payload) {}

  /** Returns the values of a field; one empty text if it is missing. */
  get(field: string): readonly string[] {
    return this.#texts.getOrInsertComputed(field, () => {
      const value = this.payload.find(([name]) => name === field)?.[1] ?? '';
      const values: readonly PayloadValue[] = Array.isArray(value) ? value : [value];
      let left = MAX_COMPARED;
      const texts: string[] = [];
      for (const item of values) {
        // Otherwise the values that are left out would count as empty.
        if (left === 0) break;
        const text = asText(item).trim().slice(0, left);
        left -= text.length;
        texts.push(fold(text));
      }
      return texts.length === 0 ? [''] : texts;
    });
  }
}

/** Returns whether a submission meets all conditions. If a field has several values, one that matches suffices. */
export function meetsAll(when: When, fields: FoldedFields): boolean {
  return when.every((condition) => meets(condition, fields.get(condition.field)));
}

function meets(condition: Condition, texts: readonly string[]): boolean {
  const { test, values } = getTest(condition);
  const wanted = values.map(foldOnce);
  if (test === 'contains') return texts.some((text) => wanted.some((part) => text.includes(part)));
  return texts.some((text) => wanted.includes(text)) !== (test === 'is_not');
}

const fold = (text: string): string => normalize(text, 'NFC').trim().toLowerCase();

function foldOnce(text: string): string {
  if (folded.size > MAX_FOLDED) folded.clear();
  return folded.getOrInsertComputed(text, fold);
}

const RECIPIENTS_EXAMPLE = `{"ada@example.com": ${EXAMPLE}}`;

/** Parses the conditions of recipients from JSON text. Throws `invalid_input` with an example. */
export function parseRecipientConditions(text: string, recipients: readonly string[]): RecipientConditions {
  const refuse = () => invalidInput(`The conditions of recipients must be JSON such as ${RECIPIENTS_EXAMPLE}.`);
  const value = parseJson(text, refuse);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw refuse();
  return recipientConditions(Object.entries(value), recipients);
}

/** Collects the conditions of recipients by address. Throws `invalid_input` for an address that is no recipient. */
export function recipientConditions(
  entries: ReadonlyArray<readonly [address: string, when: unknown]>,
  recipients: readonly string[],
): RecipientConditions {
  const conditions = entries.map(([address, when]) => {
    const recipient = findRecipient(address, recipients);
    if (recipient !== undefined) return [recipient, validateWhen(when)] as const;
    throw invalidInput(
      `${JSON.stringify(address)} has conditions but is no recipient of the form. Add it to the recipients first.`,
      ['not_a_recipient', address],
    );
  });
  return Object.fromEntries(conditions.filter(([, when]) => when.length > 0));
}

/** Returns the conditions that these recipients have already. */
export function keptConditions(conditions: RecipientConditions, recipients: readonly string[]): RecipientConditions {
  const entries = Object.entries(conditions).filter(([address]) => findRecipient(address, recipients) !== undefined);
  return recipientConditions(entries, recipients);
}

/** Returns the recipient with this address, in any case and notation. */
export function findRecipient(address: string, recipients: readonly string[]): string | undefined {
  const target = (parseAddress(address.trim()) ?? address).toLowerCase();
  return recipients.find((recipient) => recipient.toLowerCase() === target);
}
