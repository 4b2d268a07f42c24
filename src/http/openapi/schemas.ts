import { type TSchema, Type } from '@sinclair/typebox';
import { FormField } from '../../domain/form.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission.ts';

/** The shapes of what is sent back, by the name under which the document lists them. */

const Time = Type.String({
  format: 'date-time',
  description: 'RFC 3339 in UTC, with microseconds.',
  examples: ['2026-11-21T08:00:00.000123Z'],
});

const closed = { additionalProperties: false };

const Form = Type.Object(
  {
    id: Type.String({ examples: ['frm_01a1fd5b4a6f76be834e4aeb4b78f669'] }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    short_id: Type.String({
      pattern: '^[2-9a-hjkmnp-z]{8}$',
      description: 'May stand for the id in the public endpoint.',
    }),
    created_at: Time,
  },
  closed,
);

const FormDetail = Type.Object(
  {
    ...Form.properties,
    is_active: Type.Boolean({ description: 'false: the form is paused and takes no submissions.' }),
    fields: Type.Array(FormField, { description: 'As the owner configured them, in display order.' }),
  },
  closed,
);

const ChangedForm = Type.Object({ id: Type.String(), name: Type.String(), is_active: Type.Boolean() }, closed);

const File = Type.Object(
  {
    id: Type.String(),
    field: Type.String(),
    name: Type.String(),
    content_type: Type.String(),
    size: Type.Integer({ minimum: 0 }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  closed,
);

const Submission = Type.Object(
  {
    id: Type.String({ examples: ['sub_01a1fd5c9641704595cdd5dffe05afc5'] }),
    created_at: Time,
    is_spam: Type.Boolean({ description: 'Flagged submissions count towards usage like any other.' }),
    data: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description:
        'What was sent, decrypted, with card and social security numbers masked. null if the stored record is damaged.',
    }),
    file_metadata: Type.Union([Type.Object({ files: Type.Array(File) }, closed), Type.Null()], {
      description: 'null when no files were uploaded.',
    }),
  },
  closed,
);

const SubmissionPage = Type.Object(
  {
    items: Type.Array(Type.Ref('#/components/schemas/Submission'), { maxItems: 100, description: 'Newest first.' }),
    next_cursor: Type.Union([Time, Type.Null()], { description: 'Pass it as `before`; null at the end.' }),
  },
  closed,
);

const DeletedSubmission = Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, closed);

const Workspace = Type.Object({ id: Type.String(), name: Type.String(), created_at: Time }, closed);

const Count = Type.Integer({ minimum: 0 });

const Usage = Type.Object(
  {
    period_start: Time,
    period_end: Time,
    submissions_used: Type.Integer({
      minimum: 0,
      description: 'Spam-flagged ones included; deleting gives none back.',
    }),
    submissions_limit: Type.Union([Count, Type.Null()], { description: 'null on unlimited plans.' }),
    remaining: Type.Union([Count, Type.Null()], { description: 'null on unlimited plans.' }),
  },
  closed,
);

const Refusal = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String({ description: 'For the person: what is wrong and how to mend it.' }),
    statusCode: Type.Integer({ minimum: 400, maximum: 599 }),
  },
  closed,
);

const Thanks = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    redirect_url: Type.Optional(
      Type.String({
        format: 'uri',
        description: 'Only where the form has a redirect URL and the client asked for JSON alone.',
      }),
    ),
  },
  closed,
);

const PublicRefusal = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String({ description: 'For the person who filled in the form.' }),
    code: Type.String({ description: 'A stable word for scripts.' }),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }, closed), {
        description: 'Where single fields are at fault.',
      }),
    ),
  },
  closed,
);

/** As ALTCHA's widget takes it; the signature covers all parameters. */
const Challenge = Type.Object(
  {
    parameters: Type.Object(
      {
        algorithm: Type.String(),
        cost: Type.Integer({ description: 'Rounds of the algorithm for each try.' }),
        data: Type.Object({ form: Type.String() }, closed),
        expiresAt: Type.Integer({ description: 'In seconds since 1970.' }),
        keyLength: Type.Integer(),
        keyPrefix: Type.String({ description: 'What the derived key of a solution begins with.' }),
        nonce: Type.String(),
        salt: Type.String(),
      },
      closed,
    ),
    signature: Type.String(),
  },
  closed,
);

const Stamp = Type.Object({ stamp: Type.String() }, closed);

/** What a form may send, as JSON and, field by field, in the other encodings. */
const Payload = Type.Object(
  {
    email: Type.Optional(Type.Unknown({ description: 'Becomes the reply-to address of notifications.' })),
    _replyto: Type.Optional(Type.Unknown({ description: 'The reply-to address where `email` is absent.' })),
    _subject: Type.Optional(Type.Unknown({ description: 'The subject of notifications.' })),
    _stamp: Type.Optional(Type.Unknown({ description: 'A signed time; not kept.' })),
    'captcha-response': Type.Optional(
      Type.Unknown({ description: "The token of the form's challenge, also under the widgets' own names; not kept." }),
    ),
    _honey: Type.Optional(
      Type.Unknown({ description: 'Honeypot: if filled in, nothing is kept, and the answer is the same.' }),
    ),
    _gotcha: Type.Optional(Type.Unknown({ description: 'Honeypot, like `_honey`.' })),
  },
  {
    additionalProperties: true,
    maxProperties: SUBMISSION_LIMITS.fields,
    description:
      `At most ${SUBMISSION_LIMITS.fields} fields; a name of at most ${SUBMISSION_LIMITS.nameBytes} bytes, a value of at most ` +
      `${SUBMISSION_LIMITS.valueBytes / 1024} KiB; JSON nested at most ${SUBMISSION_LIMITS.jsonDepth} deep. Repeated names become an array; ` +
      'a name that ends in `[]` loses the ending and is always an array. Of a name repeated within nested JSON the last ' +
      'counts, and a number that a double cannot hold is kept as its text.',
  },
);

export const SCHEMAS = {
  Form,
  FormDetail,
  ChangedForm,
  Submission,
  SubmissionPage,
  DeletedSubmission,
  Workspace,
  Usage,
  Refusal,
  Payload,
  Thanks,
  PublicRefusal,
  Challenge,
  Stamp,
} satisfies Record<string, TSchema>;

export type SchemaName = keyof typeof SCHEMAS;

export function refTo(name: SchemaName) {
  return { $ref: `#/components/schemas/${name}` };
}
