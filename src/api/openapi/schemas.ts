import { Type } from '@sinclair/typebox';
import { ALTCHA_PARAMETERS } from '../../domain/forms/challenge.ts';
import { SUBMISSION_LIMITS } from '../../domain/submissions/submission.ts';
import { closed } from '../../lib/schema.ts';

const Refusal = closed({
  success: Type.Literal(false),
  error: Type.String({ description: 'A human-readable message with the cause and the remedy.' }),
  statusCode: Type.Integer({ minimum: 400, maximum: 599 }),
});

const Thanks = closed({
  success: Type.Literal(true),
  message: Type.String(),
  confirmation_required: Type.Optional(
    Type.Literal(true, { description: 'Present if the visitor has to open the link in a mail first.' }),
  ),
  redirect_url: Type.Optional(
    Type.String({
      format: 'uri',
      description: 'The redirect URL of the form. Present only if the client accepts only JSON.',
    }),
  ),
});

const PublicRefusal = closed({
  success: Type.Literal(false),
  message: Type.String({ description: 'A message for the visitor.' }),
  code: Type.String({ description: 'A stable error code.' }),
  errors: Type.Optional(
    Type.Array(closed({ field: Type.String(), message: Type.String() }), {
      description: 'The invalid fields, if the error concerns fields.',
    }),
  ),
  challenge_url: Type.Optional(
    Type.String({
      description: 'The path of the ALTCHA challenge to solve first. Present only if the post may be spam.',
    }),
  ),
});

/** A challenge in the format of the ALTCHA widget; the signature covers all parameters. */
const Challenge = closed({ parameters: closed(ALTCHA_PARAMETERS), signature: Type.String() });

const Stamp = closed({ stamp: Type.String() });

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

/** The schemas of the public endpoints, and of the errors of the management API. */
export const SCHEMAS = { Refusal, Payload, Thanks, PublicRefusal, Challenge, Stamp };
