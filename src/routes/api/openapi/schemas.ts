import { type TSchema, Type } from '@sinclair/typebox';
import { CHALLENGE_KINDS } from '../../../domain/challenge.ts';
import { Condition } from '../../../domain/condition.ts';
import { FormField } from '../../../domain/form.ts';
import { SETTING_NAMES, settingNamed, snakeCase } from '../../../domain/form-settings.ts';
import { oneOf } from '../../../domain/setting-kinds.ts';
import { SUBMISSION_LIMITS } from '../../../domain/submission.ts';
import { WEBHOOK_SCHEMAS } from './webhook-schemas.ts';

const Time = Type.String({
  format: 'date-time',
  description: 'A time in RFC 3339 format, in UTC with microseconds.',
  examples: ['2026-11-21T08:00:00.000123Z'],
});

const closed = { additionalProperties: false };

const Form = Type.Object(
  {
    id: Type.String({ examples: ['frm_01a1fd5b4a6f76be834e4aeb4b78f669'] }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    short_id: Type.String({
      pattern: '^[2-9a-hjkmnp-z]{8}$',
      description: 'A short ID that the public endpoints also accept.',
    }),
    created_at: Time,
  },
  closed,
);

const FormDetail = Type.Object(
  {
    ...Form.properties,
    is_active: Type.Boolean({ description: 'True if the form accepts submissions, false while it is paused.' }),
    fields: Type.Array(FormField, { description: 'The configured fields in display order.' }),
  },
  closed,
);

const FormSettings = Type.Object(
  {
    ...Object.fromEntries(SETTING_NAMES.map((name) => [snakeCase(name), settingNamed(name).schema])),
    notify_when: Type.Record(Type.String(), Type.Array(Condition), {
      description: 'Conditions of recipients by address.',
    }),
    challenge: Type.Union([oneOf(CHALLENGE_KINDS, ''), Type.Null()], {
      description: 'Challenge that visitors must solve; null for none.',
    }),
    challenge_verify_url: Type.Union([Type.String(), Type.Null()], { description: 'URL that verifies solutions.' }),
    challenge_secret: Type.Union([Type.Literal(true), Type.Null()], {
      description: 'True if the secret key of the challenge is set.',
    }),
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
    is_spam: Type.Boolean({
      description: 'True if the submission is flagged as spam. Flagged submissions count toward usage.',
    }),
    maybe_spam: Type.Optional(
      Type.Literal(true, {
        description:
          'Present if the spam filter was not sure and nobody has marked the submission. `is_spam` is false.',
      }),
    ),
    data: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description:
        'The submitted fields, decrypted, with card and social security numbers masked. Null if the record is damaged.',
    }),
    file_metadata: Type.Union([Type.Object({ files: Type.Array(File) }, closed), Type.Null()], {
      description: 'The uploaded files. Null if there are none.',
    }),
  },
  closed,
);

const SubmissionPage = Type.Object(
  {
    items: Type.Array(Type.Ref('#/components/schemas/Submission'), {
      maxItems: 100,
      description: 'Submissions, newest first.',
    }),
    next_cursor: Type.Union([Time, Type.Null()], {
      description: 'The value of `before` for the next page. Null on the last page.',
    }),
  },
  closed,
);

const TeamSubmission = Type.Object(
  {
    ...Submission.properties,
    form_id: Type.String(),
    is_read: Type.Boolean({ description: 'True if the submission is marked as read in the dashboard.' }),
  },
  closed,
);

const TeamSubmissionPage = Type.Object(
  {
    items: Type.Array(Type.Ref('#/components/schemas/TeamSubmission'), {
      maxItems: 100,
      description: 'Submissions, newest first.',
    }),
    next_cursor: Type.Union([Time, Type.Null()], {
      description: 'The value of `before` for the next page. Null at the end.',
    }),
  },
  closed,
);

const ChangedSubmission = Type.Object({ id: Type.String(), is_spam: Type.Boolean(), is_read: Type.Boolean() }, closed);

const DeletedSubmissions = Type.Object({ ids: Type.Array(Type.String()), deleted: Type.Literal(true) }, closed);

const DeletedSubmission = Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, closed);

const Workspace = Type.Object({ id: Type.String(), name: Type.String(), created_at: Time }, closed);

const Deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, closed);

const Key = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    scope: Type.Union([Type.Literal('read'), Type.Literal('read_write')]),
    expires_at: Type.Union([Time, Type.Null()], { description: 'Null if the key does not expire.' }),
    team: Type.Object({ id: Type.String(), name: Type.String() }, closed),
    plan: Type.String({ description: "The name of the team's plan." }),
    form_ids: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The forms that the key is limited to. Null for all forms of the team.',
    }),
  },
  closed,
);

const Count = Type.Integer({ minimum: 0 });

const Usage = Type.Object(
  {
    period_start: Time,
    period_end: Time,
    submissions_used: Type.Integer({
      minimum: 0,
      description: 'Accepted submissions, including spam and deleted ones.',
    }),
    submissions_limit: Type.Union([Count, Type.Null()], { description: 'The monthly limit. Null if unlimited.' }),
    remaining: Type.Union([Count, Type.Null()], { description: 'Remaining submissions. Null if unlimited.' }),
  },
  closed,
);

const Refusal = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String({ description: 'A human-readable message with the cause and the remedy.' }),
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
        description: 'The redirect URL of the form. Present only if the client accepts only JSON.',
      }),
    ),
  },
  closed,
);

const PublicRefusal = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String({ description: 'A message for the visitor.' }),
    code: Type.String({ description: 'A stable error code.' }),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }, closed), {
        description: 'The invalid fields, if the error concerns fields.',
      }),
    ),
    challenge_url: Type.Optional(
      Type.String({
        description: 'The path of the ALTCHA challenge to solve first. Present only if the post may be spam.',
      }),
    ),
  },
  closed,
);

/** A challenge in the format of the ALTCHA widget; the signature covers all parameters. */
const Challenge = Type.Object(
  {
    parameters: Type.Object(
      {
        algorithm: Type.String(),
        cost: Type.Integer({ description: 'Iterations of the algorithm per attempt.' }),
        data: Type.Object({ form: Type.String() }, closed),
        expiresAt: Type.Integer({ description: 'Expiration time in seconds since 1970.' }),
        keyLength: Type.Integer(),
        keyPrefix: Type.String({ description: 'The prefix of the derived key of a solution.' }),
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

/** A submission's fields, in JSON and in the other encodings. */
const Payload = Type.Object(
  {
    email: Type.Optional(
      Type.Unknown({ description: 'Email address of the visitor, used as reply-to address of notifications.' }),
    ),
    _replyto: Type.Optional(Type.Unknown({ description: 'Reply-to address of notifications if `email` is absent.' })),
    _subject: Type.Optional(Type.Unknown({ description: 'Subject of notifications. Stored.' })),
    _stamp: Type.Optional(Type.Unknown({ description: 'A time stamp. Not stored.' })),
    'captcha-response': Type.Optional(
      Type.Unknown({
        description: "Token of the form's challenge. The field names of the widgets work too. Not stored.",
      }),
    ),
    _honey: Type.Optional(
      Type.Unknown({
        description:
          'Honeypot. If it is filled in, the submission is dropped with a success response. Blanks, `0` and `false` do not count.',
      }),
    ),
    _gotcha: Type.Optional(Type.Unknown({ description: 'Honeypot, same as `_honey`.' })),
  },
  {
    additionalProperties: true,
    maxProperties: SUBMISSION_LIMITS.fields,
    description:
      `At most ${SUBMISSION_LIMITS.fields} fields with names of at most ${SUBMISSION_LIMITS.nameBytes} bytes and values of at most ` +
      `${SUBMISSION_LIMITS.valueBytes / 1024} KiB; JSON is nested at most ${SUBMISSION_LIMITS.jsonDepth} levels deep. Repeated names become an ` +
      'array; a name that ends in `[]` is always an array, without the suffix. In nested JSON the last of repeated names ' +
      'is used, and a number outside the range of a double is stored as text.',
  },
);

export const SCHEMAS = {
  Form,
  FormDetail,
  FormSettings,
  ChangedForm,
  Submission,
  SubmissionPage,
  TeamSubmission,
  TeamSubmissionPage,
  ChangedSubmission,
  DeletedSubmission,
  DeletedSubmissions,
  Deleted,
  Workspace,
  Key,
  Usage,
  Refusal,
  Payload,
  Thanks,
  PublicRefusal,
  Challenge,
  Stamp,
  ...WEBHOOK_SCHEMAS,
} satisfies Record<string, TSchema>;

export type SchemaName = keyof typeof SCHEMAS;

export function refTo(name: SchemaName) {
  return { $ref: `#/components/schemas/${name}` };
}
