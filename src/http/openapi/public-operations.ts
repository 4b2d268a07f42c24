import type { ErrorCode } from '../../domain/errors.ts';
import { type Answer, byStatus, decoration, REQUEST_ID, RETRY_AFTER } from './operation.ts';
import { refTo } from './schemas.ts';

const PAYLOAD = { email: 'ada@example.com', message: 'Hello', topics: ['engine', 'notes'] };

export const READABLE_BY = {
  description: "`*`, or the page's origin where the form has allowed origins and it is one of them; else absent.",
  schema: { type: 'string' },
};

export const VARY = {
  description: 'Origin where the form has allowed origins; on the page also what chose its type and language.',
  schema: { type: 'string' },
};

/** What a browser gets that shows the answer itself, in the visitor's language. */
const PAGE_HEADERS = {
  'Content-Security-Policy': { description: 'No script, nothing loaded.', schema: { type: 'string' } },
  'X-Content-Type-Options': { description: 'It is what it says.', schema: { const: 'nosniff' } },
  'X-Robots-Tag': { description: 'On the page.', schema: { const: 'noindex' } },
  'Referrer-Policy': { description: 'The address is passed on to nobody.', schema: { const: 'no-referrer' } },
  Vary: VARY,
};

const PAGE = { 'text/html': { schema: { type: 'string', description: 'A page for the visitor.' } } };

/** What each refusal of the public endpoint means, and an example of its message. */
const MEANINGS = {
  empty_submission: ['Nothing was sent.', 'The form is empty. Fill in at least one field.'],
  unreadable_body: ['The body is broken, cut off or not UTF-8 JSON.', 'The body is not valid JSON.'],
  too_many_fields: ['Too many fields.', 'The form has more than 1000 fields.'],
  name_too_long: ["A field's name is too long.", 'A field name is longer than 256 bytes.'],
  value_too_long: ['A value is too long; `errors` names it.', 'The field "message" is longer than 256 KiB.'],
  too_deep: ['The JSON is nested too deep.', 'The JSON is nested deeper than 32 levels.'],
  invalid_fields: [
    "Fields do not fit the form's rules; `errors` names them.",
    'Some entries are missing or need to be corrected.',
  ],
  invalid_idempotency_key: [
    'The Idempotency-Key is no such key.',
    'Idempotency-Key must be 1 to 255 printable ASCII characters.',
  ],
  origin_not_allowed: [
    "The page is not of the form's allowed origins.",
    'This form takes no submissions from this page.',
  ],
  body_too_slow: [
    'The body did not arrive in time.',
    'The request body took too long to arrive. Check the connection and try again.',
  ],
  idempotency_key_in_use: [
    'A post under this Idempotency-Key is being kept at this moment; Retry-After says when to ask again.',
    'A submission with this Idempotency-Key is still being processed.',
  ],
  idempotency_key_reused: [
    'Another content came under this Idempotency-Key within 24 hours.',
    'This Idempotency-Key was already used with different content. Use a new key for each submission.',
  ],
  too_many_files: ['Too many files.', 'The submission has more than 10 files.'],
  file_too_large: [
    'A file is too large; `errors` names its field.',
    'The file in "cv" is larger than the limit of 10 MiB.',
  ],
  file_type_not_allowed: [
    'A file is not of a type that the form takes; `errors` names its field.',
    'The file in "cv" has a type or file name that this form does not accept. Allowed types: application/pdf.',
  ],
  challenge_missing: [
    'The form has a challenge, and no token came.',
    'The spam check is missing. Complete it and submit again.',
  ],
  challenge_failed: [
    'The challenge was not solved, has expired or was used before.',
    'The spam check failed or has expired. Complete it again.',
  ],
  challenge_unavailable: [
    'Whether the challenge was solved cannot be told just now; nothing was kept.',
    'The spam check is unavailable and nothing was saved. Try again in a minute.',
  ],
  no_challenge: ['The form has no challenge of this instance.', 'This form has no challenge to solve here.'],
  form_paused: ['The form is paused.', 'This form is paused and does not accept submissions.'],
  form_not_found: ['There is no such form.', 'There is no form at this address.'],
  body_too_large: ['The body is too large.', 'The submission is larger than the limit of 1 MiB.'],
  unsupported_content_type: [
    'Another content type, or any Content-Encoding.',
    'This content type is not supported. Send application/x-www-form-urlencoded, multipart/form-data or application/json, without Content-Encoding.',
  ],
  rate_limited: ['Too many posts from this client.', 'Too many submissions from your address. Try again in 12 s.'],
  submission_cap_reached: [
    "The team's plan takes no more this month; Retry-After is the time until it ends.",
    'This form has reached its submission limit for this month.',
  ],
  internal_error: [
    'Something failed here; nothing was kept.',
    'Something went wrong here. It is noted under the number 1f0c2d3e-7.',
  ],
  storage_unavailable: [
    'The disk does not take it; nothing was kept.',
    'The storage does not answer just now, and nothing was changed. Please try again in a minute.',
  ],
} satisfies Partial<Record<ErrorCode, readonly [meaning: string, example: string]>>;

type PublicCode = keyof typeof MEANINGS;

/** Every reason for which a post is refused. */
export const SUBMIT_CODES = (Object.keys(MEANINGS) as PublicCode[]).filter((code) => code !== 'no_challenge');

/** The refusals of a public address that have one status. */
export function refused(status: number, codes: readonly ErrorCode[]): Answer {
  const known = codes as readonly PublicCode[];
  const example = { success: false, message: MEANINGS[known[0] ?? 'internal_error'][1], code: known[0] };
  return {
    description: known.map((code) => `\`${code}\`: ${MEANINGS[code][0]}`).join(' '),
    headers: {
      'Access-Control-Allow-Origin': READABLE_BY,
      'Access-Control-Expose-Headers': {
        description: 'What a script may read besides.',
        required: true,
        schema: { const: 'Retry-After, X-Request-Id' },
      },
      ...PAGE_HEADERS,
      'X-Request-Id': REQUEST_ID,
      ...(status === 429 && { 'Retry-After': { ...RETRY_AFTER, required: true } }),
      ...((status === 409 || status === 500) && { 'Retry-After': RETRY_AFTER }),
    },
    content: {
      ...PAGE,
      'application/json': {
        schema: { allOf: [refTo('PublicRefusal'), { properties: { code: { enum: codes } } }] },
        example,
      },
    },
  };
}

/** Everything the public endpoint answers, as the OpenAPI document has it. */
export const submitOperation = decoration({
  operationId: 'submit',
  summary: 'Submit a form',
  description: `Says yes only to what is on the disk. The same form gives the same payload in every encoding.

A browser is sent on to the form's redirect URL, where it has one; a client that accepts \`application/json\` but neither
\`text/html\` nor \`*/*\` finds it in the body instead. Without one, a browser that shows the answer itself gets a small page in the visitor's
language (en, de, fr, es, pt, it, nl, pl, ja, zh); every other client gets JSON. Any page may post and read the answer,
without cookies, unless the form has allowed origins: then only pages of these may; a preflight is answered.

Checks come in this order: declared length, rate, form, pause, origin, zero bytes, content type, length, readability,
honeypot, emptiness, replay, the fields' rules, challenge, cap. Text for people is in the visitor's language, by Accept-Language.

Unless configured otherwise a body has at most 1 MiB of text (MAX_BODY_BYTES) and with files 25 MiB (MAX_UPLOAD_BYTES),
10 files (MAX_FILES) of 10 MiB each (MAX_FILE_BYTES); it gets 30 seconds (BODY_SECONDS) and one more for each 32 KiB;
and an address may post 600 times in 60 seconds (POSTS_PER_MINUTE).`,
  tags: ['Public'],
  security: [],
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Any text of your own, new for each post. If the same post comes again under it within 24 hours, the answer is that of a ' +
        'success and nothing more is kept: what was sent counts, not boundaries or challenge tokens.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]*$' },
    },
  ],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': { schema: refTo('Payload'), example: PAYLOAD },
      'application/json': { schema: refTo('Payload'), example: PAYLOAD },
      'multipart/form-data': {
        schema: { ...refTo('Payload'), description: 'Fields, and files under any name.' },
        example: PAYLOAD,
      },
      'text/plain': {
        schema: { type: 'string', description: 'JSON, as navigator.sendBeacon sends it.' },
        example: JSON.stringify(PAYLOAD),
      },
    },
  },
  responses: {
    '200': {
      description: 'Kept, or dropped by a honeypot: the answer does not tell.',
      content: {
        ...PAGE,
        'application/json': {
          schema: refTo('Thanks'),
          example: { success: true, message: 'Thank you, your submission was received.' },
        },
      },
      headers: { 'Access-Control-Allow-Origin': READABLE_BY, ...PAGE_HEADERS },
    },
    '303': {
      description: 'The same, where the form has a redirect URL.',
      headers: {
        'Access-Control-Allow-Origin': READABLE_BY,
        Vary: VARY,
        Location: {
          description: "The form's redirect URL.",
          required: true,
          schema: { type: 'string', format: 'uri' },
        },
      },
    },
    ...byStatus(SUBMIT_CODES, refused),
  },
});
