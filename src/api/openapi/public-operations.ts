import type { ErrorCode } from '../../domain/errors.ts';
import * as responses from './responses.ts';

const PAYLOAD = { email: 'ada@example.com', message: 'Hello', topics: ['engine', 'notes'] };

const READABLE_BY = responses.optional(
  '`*`, or the origin of the page if the form has allowed origins. Absent for other origins.',
);

const VARY = responses.optional(
  '`Origin` if the form has allowed origins; for HTML also `Accept` and `Accept-Language`.',
);

/** Headers of the page for the visitor. */
const PAGE_HEADERS = {
  'Content-Security-Policy': responses.optional('Forbids scripts and resources of other sites.'),
  'X-Content-Type-Options': responses.optional('Keeps browsers from guessing the content type.', { const: 'nosniff' }),
  'X-Robots-Tag': responses.optional('Keeps the page out of search engines. HTML only.', { const: 'noindex' }),
  'Referrer-Policy': responses.optional('Keeps browsers from sending the URL to other sites.', {
    enum: ['no-referrer', 'same-origin'],
  }),
  Vary: VARY,
};

const PAGE = { 'text/html': { schema: { type: 'string', description: "A page in the visitor's language." } } };

/** Meaning of each error of the public endpoints. */
const MEANINGS = {
  empty_submission:
    'No field has a value. Blanks, null, empty lists and empty objects are no values. `errors` names required fields.',
  unreadable_body: 'The body is malformed or incomplete.',
  too_many_fields: 'The body has too many fields.',
  name_too_long: 'A field name is too long.',
  value_too_long: 'A value is too long. `errors` names the field.',
  too_deep: 'The JSON is nested too deeply.',
  invalid_fields: 'Fields violate the rules of the form. `errors` names them.',
  invalid_idempotency_key: 'The `Idempotency-Key` is malformed.',
  origin_not_allowed: "The page's origin is not one of the form's allowed origins.",
  body_too_slow: 'The body was not received in time.',
  idempotency_key_in_use: 'A post with this `Idempotency-Key` is being processed. Retry after `Retry-After` seconds.',
  idempotency_key_reused: 'This `Idempotency-Key` was used for other content in the last 24 hours.',
  too_many_files: 'The post has too many files.',
  file_too_large: 'A file is too large. `errors` names its field.',
  file_type_not_allowed: 'The form does not accept this file type. `errors` names the field.',
  file_not_expected:
    'A file is in none of the file fields, or the form has no configured fields and accepts no files. `errors` names the field.',
  challenge_missing:
    'The form requires a challenge, or the post may be spam and the form asks for a proof of work, and the post has no ' +
    'token. `challenge_url` has the ALTCHA challenge to solve: send the solution in the field `altcha`.',
  challenge_failed: 'The challenge was not solved, has expired or was used before.',
  challenge_unavailable: 'The challenge service is not available. Nothing was stored.',
  no_challenge: 'The form does not use the `altcha` challenge.',
  form_paused: 'The form is paused.',
  form_not_open: 'The form is not open yet. The message says when it opens.',
  form_closed: 'The form has closed. The message says when.',
  form_full: 'The form has as many submissions as it may have.',
  email_required: 'The form asks visitors to confirm their address, and the field “email” has no valid one.',
  already_submitted: 'The form accepts one submission for each email address, and has one with this address.',
  storage_limit_reached: "The storage limit of the team's plan is reached.",
  form_not_found: 'The form does not exist.',
  body_too_large: 'The body is too large.',
  unsupported_content_type: 'The content type is not supported, or the body has a `Content-Encoding`.',
  rate_limited: 'The rate limit of the client address is exceeded.',
  submission_cap_reached:
    "The monthly limit of the team's plan is reached. `Retry-After` is the time until the next month.",
  internal_error: 'An unexpected error occurred. Nothing was stored.',
  server_busy: 'The server receives more request bodies at once than `BODY_MEMORY_BYTES` allows. Nothing was stored.',
  storage_unavailable: 'The storage is not available. Nothing was stored.',
} satisfies Partial<Record<ErrorCode, string>>;

/** Example messages, of the first error of each status. */
const EXAMPLES: Partial<Record<ErrorCode, string>> = {
  empty_submission: 'The form is empty. Fill in at least one field.',
  origin_not_allowed: 'This form does not accept submissions from this page.',
  body_too_slow: 'The request body took too long to arrive. Check the connection and try again.',
  idempotency_key_in_use: 'A submission with this Idempotency-Key is still being processed.',
  idempotency_key_reused:
    'This Idempotency-Key was already used with different content. Use a new key for each submission.',
  too_many_files: 'The submission has more than 10 files.',
  file_type_not_allowed:
    'The file in "cv" has a type or file name that this form does not accept. Allowed types: application/pdf.',
  challenge_unavailable: 'The spam check is unavailable and nothing was saved. Try again in a minute.',
  form_not_found: 'There is no form at this address.',
  rate_limited: 'Too many submissions from your address. Try again in 12 s.',
  server_busy: 'The server is receiving too many requests at once. Try again in a few seconds.',
  internal_error: 'Something went wrong on the server. Request id: 1f0c2d3e-7.',
};

/** An error code of the public endpoints. */
export type PublicCode = keyof typeof MEANINGS;

/** All error codes of a post. */
export const SUBMIT_CODES = (Object.keys(MEANINGS) as PublicCode[]).filter((code) => code !== 'no_challenge');

/** Returns the response for the error codes of one status of the public endpoints. */
function refused(status: number, codes: readonly ErrorCode[]): responses.ResponseObject {
  const known = codes as readonly PublicCode[];
  const [code = 'internal_error'] = codes;
  const example = { success: false, message: EXAMPLES[code], code };
  return {
    description: known.map((each) => `\`${each}\`: ${MEANINGS[each]}`).join(' '),
    headers: {
      'Access-Control-Allow-Origin': READABLE_BY,
      'Access-Control-Expose-Headers': responses.required('Headers that scripts may read.', {
        const: 'Retry-After, X-Request-Id',
      }),
      ...PAGE_HEADERS,
      'X-Request-Id': responses.REQUEST_ID,
      ...((status === 429 || status === 503) && { 'Retry-After': { ...responses.RETRY_AFTER, required: true } }),
      ...((status === 409 || status === 500) && { 'Retry-After': responses.RETRY_AFTER }),
    },
    content: {
      ...PAGE,
      'application/json': {
        schema: { allOf: [responses.refTo('PublicRefusal'), { properties: { code: { enum: codes } } }] },
        example,
      },
    },
  };
}

/** The operation of the public endpoint. */
const SUBMIT: responses.OperationObject = {
  operationId: 'submit',
  summary: 'Create a submission',
  description: `Creates a submission. A success response means that the submission is stored on disk. All encodings of the same
fields create the same payload.

**Responses.** If the form has a redirect URL, browsers are redirected to it, and clients that accept \`application/json\` but
neither \`text/html\` nor \`*/*\` get it in the body. Otherwise clients that prefer HTML get a page and all others get JSON.
Messages are in the language of Accept-Language: en, de, fr, es, pt, it, nl, pl, ja or zh.

**CORS.** Any page may post and read the response, without cookies. If the form has allowed origins, only pages of these may.

**Errors.** Checks run in this order: declared length, rate limit, form, pause, origin, zero bytes, content type, length,
syntax, honeypot, empty submission, idempotency key, field rules, challenge, monthly limit,
storage limit.

**Limits.** The defaults are 1 MiB of text (\`MAX_BODY_BYTES\`), 25 MiB with files (\`MAX_UPLOAD_BYTES\`), 10 files
(\`MAX_FILES\`) of 10 MiB each (\`MAX_FILE_BYTES\`), 30 seconds plus one per 32 KiB (\`BODY_SECONDS\`), and 600 posts per
60 seconds and address (\`POSTS_PER_MINUTE\`).`,
  tags: ['Public'],
  security: [],
  parameters: [
    responses.requestHeader(
      'Idempotency-Key',
      'A unique key for this submission, for example a UUID. Repeating a post with the same key and content within 24 hours ' +
        'returns success without creating another submission. Boundaries and challenge tokens may differ.',
      { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]*$' },
    ),
  ],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': { schema: responses.refTo('Payload'), example: PAYLOAD },
      'application/json': { schema: responses.refTo('Payload'), example: PAYLOAD },
      'multipart/form-data': {
        schema: { ...responses.refTo('Payload'), description: 'Fields and files with any names.' },
        example: PAYLOAD,
      },
      'text/plain': {
        schema: { type: 'string', description: 'JSON, as sent by `navigator.sendBeacon`.' },
        example: JSON.stringify(PAYLOAD),
      },
    },
  },
  responses: {
    '200': {
      description: 'The submission was accepted. Honeypot hits get the same response but are not stored.',
      content: {
        ...PAGE,
        'application/json': {
          schema: responses.refTo('Thanks'),
          example: { success: true, message: 'Thank you, your submission was received.' },
        },
      },
      headers: { 'Access-Control-Allow-Origin': READABLE_BY, ...PAGE_HEADERS },
    },
    '303': {
      description: 'The submission was accepted and the form has a redirect URL.',
      headers: {
        'Access-Control-Allow-Origin': READABLE_BY,
        Vary: VARY,
        Location: responses.required("The form's redirect URL.", { type: 'string', format: 'uri' }),
      },
    },
    ...responses.byStatus(SUBMIT_CODES, refused),
  },
};

const READABLE_AND_FRESH = {
  'Access-Control-Allow-Origin': READABLE_BY,
  Vary: VARY,
  'Cache-Control': responses.required('Each response can be used once and must not be cached.', { const: 'no-store' }),
};

const ALTCHA = {
  parameters: {
    algorithm: 'PBKDF2/SHA-256',
    cost: 5_000,
    data: { form: 'frm_01a1fd5b4a6f76be834e4aeb4b78f669' },
    expiresAt: 1_795_267_200,
    keyLength: 32,
    keyPrefix: '00',
    nonce: '5fd10af5eefb75db2636792a0594eb2a',
    salt: 'ad2aa1975831edcd37fc53b0867c4bfe',
  },
  signature: '2782a5c74899efbd2f9b4af0beb8f07c46e258a3754ddbda1f379159dee5e25f',
};

const CHALLENGE: responses.OperationObject = {
  operationId: 'newAltchaChallenge',
  summary: 'Create a challenge',
  description:
    'Creates a proof-of-work challenge for a form that uses the `altcha` challenge. The ALTCHA widget ' +
    '(version 3, served at `/altcha.js`) requests and solves it. A solution is valid for one hour and for one submission.',
  tags: ['Public'],
  security: [],
  responses: {
    '200': {
      ...responses.jsonResponse('The challenge.', responses.refTo('Challenge'), ALTCHA),
      headers: READABLE_AND_FRESH,
    },
    ...responses.byStatus(['form_not_found', 'no_challenge', 'internal_error', 'storage_unavailable'], refused),
  },
};

const STAMP: responses.OperationObject = {
  operationId: 'stamp',
  summary: 'Create a time stamp',
  description:
    'Returns the current time, signed for the form. Send it in the field `_stamp`: the time between page ' +
    'load and post is a spam signal. `/formstead.js` adds it automatically.',
  tags: ['Public'],
  security: [],
  responses: {
    '200': {
      ...responses.jsonResponse('The time stamp.', responses.refTo('Stamp'), {
        stamp: '1795263936.2782a5c74899efbd2f9b4af0beb8f07c',
      }),
      headers: READABLE_AND_FRESH,
    },
    ...responses.byStatus(['form_not_found', 'internal_error', 'storage_unavailable'], refused),
  },
};

/** The operations of the public endpoints, with their method and path. */
export const PUBLIC_OPERATIONS = [
  ['GET', '/v1/forms/:formId/challenge', CHALLENGE],
  ['GET', '/v1/forms/:formId/stamp', STAMP],
  ['POST', '/v1/forms/:formId/submissions', SUBMIT],
] as const;
