import { type ErrorCode, STATUS_OF } from '../../domain/errors.ts';
import { DENY_ALL_CSP } from '../../http/base-headers.ts';

type Header = Readonly<{ description: string; required?: boolean; schema: Readonly<Record<string, unknown>> }>;

export type ParameterObject = Readonly<{
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Readonly<Record<string, unknown>>;
}>;

export type ResponseObject = Readonly<{
  description: string;
  headers?: Readonly<Record<string, Header>>;
  content?: Readonly<Record<string, Readonly<{ schema: unknown; example?: unknown }>>>;
}>;

/** An operation as OpenAPI describes it. */
export type OperationObject = Readonly<{
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  /** Empty if the operation needs no API key. */
  security: ReadonlyArray<Readonly<Record<string, readonly string[]>>>;
  parameters?: readonly ParameterObject[];
  requestBody?: unknown;
  responses: Readonly<Record<string, ResponseObject>>;
}>;

const text = { type: 'string' };

/** Returns a header that a request may have. */
export function requestHeader(name: string, description: string, schema: Header['schema'] = text): ParameterObject {
  return { name, in: 'header', required: false, description, schema };
}

/** Returns a header that a response may have. */
export const optional = (description: string, schema: Header['schema'] = text): Header => ({ description, schema });

/** Returns a header that each such response has. */
export function required(description: string, schema: Header['schema'] = text): Header {
  return { description, required: true, schema };
}

const NO_STORE: Header = required('Keeps caches from storing submitted data.', { const: 'no-store' });

export const RATE_HEADERS: Record<string, Header> = {
  'Cache-Control': NO_STORE,
  'RateLimit-Policy': optional('The limit and its window in seconds. Absent if there is no limit.'),
  RateLimit: optional('Remaining requests, and seconds until the limit resets. Absent if there is no limit.'),
};

export const RETRY_AFTER: Header = optional('Seconds to wait before retrying.', { type: 'integer', minimum: 1 });

export const REQUEST_ID: Header = required('The ID of the request in the server log.');

/** Meaning and example message of each error of the management API. */
const MEANINGS: Partial<Record<ErrorCode, readonly [meaning: string, example: string]>> = {
  invalid_input: ['A parameter or the body is invalid.', 'limit must be an integer from 1 to 100.'],
  invalid_key: [
    'The API key is missing, unknown, revoked or expired.',
    'The key is missing, unknown, revoked or expired.',
  ],
  plan_without_api: ["The team's plan does not include API access.", 'The plan "free" of this team has no API access.'],
  read_only_key: ['The key has the scope `read`.', 'This key is read-only. Create a key with the scope read_write.'],
  not_found: ['The resource does not exist or belongs to another team.', 'There is no such form in this team.'],
  conflict: ['The change conflicts with existing resources.', 'This workspace has forms. Move or delete them first.'],
  precondition_failed: [
    'The settings have changed since the `ETag` of `If-Match`.',
    'The resource has changed since. Read it again and repeat the change.',
  ],
  body_too_large: ['The body is larger than 64 KiB.', 'The body is larger than 64 KiB.'],
  unsupported_content_type: [
    'The `Content-Type` is not `application/json`.',
    'The Content-Type must be application/json. Send a JSON body.',
  ],
  rate_limited: [
    "The key's rate limit is exceeded.",
    'Too many requests: this key has a limit of 120 reads per 60 seconds.',
  ],
  internal_error: ['An unexpected error occurred.', 'Something went wrong on the server. Request id: 1f0c2d3e-7.'],
  invalid_idempotency_key: [
    'The Idempotency-Key is invalid.',
    'Idempotency-Key must be 1 to 255 printable ASCII characters.',
  ],
  idempotency_key_in_use: [
    'The first request with this Idempotency-Key is still running, or left no response.',
    'A request with this Idempotency-Key is still being processed.',
  ],
  idempotency_key_reused: [
    'The Idempotency-Key was used with a different request.',
    'This Idempotency-Key was already used with a different request. Use a new key for each request.',
  ],
  file_damaged: ['The stored file is missing or damaged.', 'The stored file is damaged and cannot be read.'],
  server_busy: [
    'The server receives too many request bodies at once.',
    'The server is receiving too many requests at once. Try again in a few seconds.',
  ],
  storage_unavailable: [
    'The database is not available.',
    'The database is not available right now, and nothing was changed. Please try again in a minute.',
  ],
};

/** Groups error codes by status, since the document has one response per status. */
export function byStatus(
  codes: readonly ErrorCode[],
  response: (status: number, codes: readonly ErrorCode[]) => ResponseObject,
): Record<string, ResponseObject> {
  const statuses = [...new Set(codes.map((code) => STATUS_OF[code]))].sort();
  const ofStatus = (status: number) => codes.filter((code) => STATUS_OF[code] === status);
  return Object.fromEntries(statuses.map((status) => [String(status), response(status, ofStatus(status))]));
}

/** Returns the reference to a schema of the document. */
export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

export function jsonResponse(description: string, schema: unknown, example: unknown): ResponseObject {
  return { description, content: { 'application/json': { schema, example } } };
}

/** Returns the response of the management API for the error codes of one status. */
export function managedRefusal(status: number, codes: readonly ErrorCode[]): ResponseObject {
  const meanings = codes.map((code) => MEANINGS[code] ?? [code, code]);
  const example = { success: false, error: meanings[0]?.[1], statusCode: status };
  return {
    ...jsonResponse(meanings.map(([meaning]) => meaning).join(' '), refTo('Refusal'), example),
    headers: {
      'X-Request-Id': REQUEST_ID,
      'Cache-Control': NO_STORE,
      ...(status === 401 ? { 'WWW-Authenticate': required('Bearer', { const: 'Bearer' }) } : RATE_HEADERS),
      ...((status === 429 || status === 503) && { 'Retry-After': { ...RETRY_AFTER, required: true } }),
      ...((status === 500 || codes.includes('idempotency_key_in_use')) && { 'Retry-After': RETRY_AFTER }),
    },
  };
}

export const TAG: Header = required('The ETag of the response, for `If-None-Match`.', {
  type: 'string',
  pattern: '^"[\\w-]+"$',
});

export const IF_NONE_MATCH = requestHeader(
  'If-None-Match',
  'The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body.',
);

/** The header of changes that must not overwrite others. */
export const IF_MATCH = requestHeader(
  'If-Match',
  'The `ETag` of an earlier response. If the resource has changed since, the response is 412.',
);

export const IDEMPOTENCY_KEY = requestHeader(
  'Idempotency-Key',
  'A unique text of 1 to 255 printable ASCII characters, such as a UUID. Repeating the request with the same key within ' +
    '24 hours returns the response of the first one and changes nothing.',
);

export const REPLAYED: Header = optional(
  'Present if the response is that of an earlier request with the same Idempotency-Key.',
  { const: 'true' },
);

export const FILE_HEADERS: Record<string, Header> = {
  'Content-Disposition': required('The file name (RFC 6266).', { type: 'string', pattern: '^attachment; ' }),
  'X-Content-Type-Options': required('Keeps browsers from guessing the content type.', { const: 'nosniff' }),
  'Content-Security-Policy': required('Keeps browsers from running code in the file.', {
    const: `${DENY_ALL_CSP}; sandbox`,
  }),
};
