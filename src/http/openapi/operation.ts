import type { DocumentDecoration } from 'elysia';
import { type ErrorCode, STATUS_OF } from '../../domain/errors.ts';
import { refTo, type SchemaName } from './schemas.ts';

type Header = Readonly<{ description: string; required?: boolean; schema: Readonly<Record<string, unknown>> }>;

export type Parameter = Readonly<{
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Readonly<Record<string, unknown>>;
}>;

export type Answer = Readonly<{
  description: string;
  headers?: Readonly<Record<string, Header>>;
  content?: Readonly<Record<string, Readonly<{ schema: unknown; example?: unknown }>>>;
}>;

/** One operation of the document, as it stands in a route's `detail`. */
export type Operation = Readonly<{
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  security: ReadonlyArray<Readonly<Record<string, readonly string[]>>>;
  /** Besides those that the route has schemas for. */
  parameters?: readonly Parameter[];
  requestBody?: unknown;
  responses: Readonly<Record<string, Answer>>;
}>;

const text = { type: 'string' };

const NO_STORE: Header = {
  description: 'What people sent is not to be kept by caches.',
  required: true,
  schema: { const: 'no-store' },
};

const RATE_HEADERS: Record<string, Header> = {
  'Cache-Control': NO_STORE,
  'RateLimit-Policy': {
    description: 'The limit and its window in seconds; absent where the rate is off.',
    schema: text,
  },
  RateLimit: { description: 'What is left, and seconds until more is; absent where the rate is off.', schema: text },
};

export const RETRY_AFTER: Header = {
  description: 'Seconds until it may work.',
  schema: { type: 'integer', minimum: 1 },
};

export const REQUEST_ID: Header = { description: 'The name of this request in the log.', required: true, schema: text };

/** What each refusal of the management API means, and an example of its message. */
const MEANINGS: Partial<Record<ErrorCode, readonly [meaning: string, example: string]>> = {
  invalid_input: ['Something in the request does not fit.', 'limit takes a whole number from 1 to 100.'],
  invalid_key: ['The key is missing, unknown, revoked or expired.', 'The key is missing, unknown, revoked or expired.'],
  plan_without_api: ["The team's plan has no API access.", 'The plan "free" of this team has no API access.'],
  read_only_key: ['The key may only read.', 'This key may only read. Create one with the scope read_write.'],
  not_found: ['There is none, or it is another team’s.', 'There is no such form in this team.'],
  body_too_large: ['The body is larger than 64 KiB.', 'The body is larger than 64 KiB.'],
  rate_limited: ['Too many requests with this key in 60 seconds.', 'More than 120 reads in 60 seconds with this key.'],
  internal_error: ['Something failed here.', 'Something went wrong here. It is noted under the number 1f0c2d3e-7.'],
  file_damaged: ['The stored file is missing or damaged.', 'The stored file is damaged and cannot be read.'],
  storage_unavailable: [
    'The database does not answer.',
    'The database is not available right now, and nothing was changed. Please try again in a minute.',
  ],
};

type Managed = Readonly<{
  operationId: string;
  summary: string;
  description: string;
  tag: string;
  writes?: boolean;
  /** What stands in the envelope; absent where `answer` is given instead. */
  data?: Readonly<{ schema: unknown; example: unknown }>;
  answer?: Answer;
  refusals?: readonly ErrorCode[];
}>;

/**
 * An operation of the management API: its success, in the envelope unless it is an `answer` of its own, and every refusal
 * that the key guard can give.
 */
export function managed({ tag, writes = false, data, answer, refusals = [], ...rest }: Managed): DocumentDecoration {
  const codes: ErrorCode[] = [
    ...refusals,
    'invalid_key',
    'plan_without_api',
    ...(writes ? (['read_only_key'] as const) : []),
    'rate_limited',
    'internal_error',
    'storage_unavailable',
  ];
  const success = answer ?? enveloped(data);
  const responses = {
    '200': { ...success, headers: { ...RATE_HEADERS, ...success.headers } },
    ...byStatus(codes, managedRefusal),
  };
  return decoration({ ...rest, tags: [tag], security: [{ key: [] }], responses });
}

function enveloped(data: Managed['data']): Answer {
  const schema = {
    type: 'object',
    properties: { success: { const: true }, data: data?.schema },
    required: ['success', 'data'],
    additionalProperties: false,
  };
  const example = { success: true, data: data?.example };
  return { description: 'Done.', content: { 'application/json': { schema, example } } };
}

/** Gathers codes by their status, since the document has one answer for each. */
export function byStatus(
  codes: readonly ErrorCode[],
  answer: (status: number, codes: readonly ErrorCode[]) => Answer,
): Record<string, Answer> {
  const statuses = [...new Set(codes.map((code) => STATUS_OF[code]))].sort();
  const ofStatus = (status: number) => codes.filter((code) => STATUS_OF[code] === status);
  return Object.fromEntries(statuses.map((status) => [String(status), answer(status, ofStatus(status))]));
}

export function decoration(operation: Operation): DocumentDecoration {
  // The framework's type is that of OpenAPI 3.0; what it carries here is 3.1.
  return operation as unknown as DocumentDecoration;
}

export function jsonAnswer(description: string, schema: SchemaName, example: unknown): Answer {
  return { description, content: { 'application/json': { schema: refTo(schema), example } } };
}

function managedRefusal(status: number, codes: readonly ErrorCode[]): Answer {
  const meanings = codes.map((code) => MEANINGS[code] ?? [code, code]);
  const error = meanings[0]?.[1];
  return {
    ...jsonAnswer(meanings.map(([meaning]) => meaning).join(' '), 'Refusal', {
      success: false,
      error,
      statusCode: status,
    }),
    headers: {
      'X-Request-Id': REQUEST_ID,
      'Cache-Control': NO_STORE,
      ...(status === 401
        ? { 'WWW-Authenticate': { description: 'Bearer', required: true, schema: { const: 'Bearer' } } }
        : RATE_HEADERS),
      ...(status === 429 && { 'Retry-After': { ...RETRY_AFTER, required: true } }),
      ...(status === 500 && { 'Retry-After': RETRY_AFTER }),
    },
  };
}
