import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Condition } from '../domain/forms/condition.ts';
import { noun } from '../lib/schema.ts';

/** Values in examples. */
export const CREATED_AT = '2026-11-21T08:00:00.000123Z';
export const FORM_ID = 'frm_01a1fd5b4a6f76be834e4aeb4b78f669';
export const SUBMISSION_ID = 'sub_01a1fd5c9641704595cdd5dffe05afc5';
export const WEBHOOK_ID = 'whk_01a1fd5e7c3a7d1f9b2c4d6e8f0a1b3c';
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

/** A condition, which the OpenAPI document names. */
export const NamedCondition: typeof Condition = { ...Condition, $id: 'Condition' };

/** The response to a DELETE. */
export const Deleted = noun('Deleted', { id: Type.String(), deleted: Type.Literal(true) });

export const serializeDeleted = (id: string): Static<typeof Deleted> => ({ id, deleted: true });

/** Returns the schema of a page, newest first. */
export function pageSchema<Item extends TSchema>(item: Item, nouns: string, cursor: TSchema, end = 'on the last page') {
  return noun(`${item.$id}Page`, {
    items: Type.Array(item, { maxItems: 100, description: `${nouns}, newest first.` }),
    next_cursor: Type.Unsafe<string | null>(
      Type.Union([cursor, Type.Null()], {
        description: `The value of \`before\` for the next page. Null ${end}.`,
        example: cursor.examples?.[0] ?? cursor.example,
      }),
    ),
  });
}
