import { readFileSync } from 'node:fs';
import type { TSchema } from '@sinclair/typebox';
import packageJson from '../../../package.json' with { type: 'json' };
import type { ErrorCode } from '../../domain/errors.ts';
import { getExample } from '../../lib/schema.ts';
import type { Operation, OperationGroup } from '../operation.ts';
import description from './description.md' with { type: 'file' };
import { PUBLIC_OPERATIONS } from './public-operations.ts';
import * as responses from './responses.ts';
import { SCHEMAS } from './schemas.ts';

export type OpenApiDocument = Readonly<{
  openapi: string;
  info: Readonly<Record<string, unknown>>;
  servers: ReadonlyArray<Readonly<{ url: string }>>;
  tags: ReadonlyArray<Readonly<{ name: string; description: string }>>;
  paths: Readonly<Record<string, Readonly<Record<string, responses.OperationObject>>>>;
  components: Readonly<Record<string, unknown>>;
}>;

const PUBLIC_TAG = { name: 'Public', description: 'Endpoints for web pages. They need no API key.' };

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  formId: 'The ID or short ID of the form.',
  workspaceId: 'The ID of the workspace.',
  webhookId: 'The ID of the webhook.',
  submissionId: 'The ID of the submission.',
  fileId: 'The ID of the file, as listed in `file_metadata`.',
};

/** Returns the OpenAPI 3.1 document of the public endpoints and of these operations. */
export function openApiDocument(groups: readonly OperationGroup[], baseUrl: string | null): OpenApiDocument {
  const schemas = new Map<string, unknown>();
  const described = groups.flatMap(({ name, operations }) =>
    operations.map((operation) => [operation.method, operation.path, describe(operation, name, schemas)] as const),
  );
  const paths: Record<string, Record<string, responses.OperationObject>> = {};
  for (const [method, path, operation] of [...PUBLIC_OPERATIONS, ...described]) {
    const parameters = [...pathParameters(path), ...(operation.parameters ?? [])];
    const template = path.replace(/:(\w+)/g, '{$1}');
    paths[template] = {
      ...paths[template],
      [method.toLowerCase()]: { ...operation, ...(parameters.length > 0 && { parameters }) },
    };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Formstead',
      version: packageJson.version,
      description: readFileSync(description, 'utf8').trim(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl ?? '/' }],
    tags: [PUBLIC_TAG, ...groups.map(({ name, description }) => ({ name, description }))],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key that begins with `fs_live_`.' },
      },
      schemas: { ...Object.fromEntries(schemas), ...SCHEMAS },
    },
  };
}

export function describeParameters(operation: Operation): readonly responses.ParameterObject[] {
  return [...pathParameters(operation.path), ...queryParameters(operation)];
}

/** Describes an operation of the management API without its path. Adds the schemas with a name that it uses to `schemas`. */
function describe(operation: Operation, tag: string, schemas: Map<string, unknown>): responses.OperationObject {
  const { method, id, summary, description, body, creates } = operation;
  const success = describeSuccess(operation, schemas);
  const etag = method === 'GET' && success.headers?.ETag;
  const parameters = [
    ...queryParameters(operation),
    ...(etag ? [responses.IF_NONE_MATCH] : []),
    ...(method === 'POST' ? [responses.IDEMPOTENCY_KEY] : []),
    ...(operation.ifMatch ? [responses.IF_MATCH] : []),
  ];
  const content = body && { 'application/json': { schema: publish(body, schemas), example: getExample(body) } };
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    security: [{ key: [] }],
    responses: {
      [creates ? '201' : '200']: success,
      ...(etag && { '304': { description: 'The response has not changed.', headers: success.headers ?? {} } }),
      ...responses.byStatus(listErrors(operation), responses.managedRefusal),
    },
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: true, content } }),
  };
}

function describeSuccess(operation: Operation, schemas: Map<string, unknown>): responses.ResponseObject {
  const { method, output, example, ifMatch } = operation;
  if (!isSchema(output)) return { ...output, headers: { ...responses.RATE_HEADERS, ...responses.FILE_HEADERS } };
  const schema = {
    type: 'object',
    properties: { success: { const: true }, data: publish(output, schemas) },
    required: ['success', 'data'],
    additionalProperties: false,
  };
  const data = getExample(output);
  return {
    ...responses.jsonResponse('Success.', schema, {
      success: true,
      data: example ? Object.assign({}, data, example) : data,
    }),
    headers: {
      ...responses.RATE_HEADERS,
      ...((method === 'GET' || ifMatch) && { ETag: responses.TAG }),
      ...(method === 'POST' && { 'Idempotent-Replayed': responses.REPLAYED }),
    },
  };
}

/** Returns all errors of an operation, also those of its key, path, query and body. */
function listErrors({ method, path, query, body, errors = [] }: Operation): readonly ErrorCode[] {
  const when = (applies: unknown, ...codes: ErrorCode[]) => (applies ? codes : []);
  return [
    ...when(query || body, 'invalid_input'),
    ...when(path.includes(':'), 'not_found'),
    ...errors,
    ...when(body, 'body_too_large', 'server_busy'),
    ...when(method === 'PATCH', 'unsupported_content_type'),
    'invalid_key',
    'plan_without_api',
    ...when(method !== 'GET', 'read_only_key'),
    'rate_limited',
    'internal_error',
    'storage_unavailable',
    ...when(method === 'POST', 'invalid_idempotency_key', 'idempotency_key_in_use', 'idempotency_key_reused'),
  ];
}

const isSchema = (output: Operation['output']): output is TSchema => !('content' in output);

function pathParameters(path: string): responses.ParameterObject[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => {
    return { name, in: 'path', required: true, description: PATH_PARAMETERS[name] ?? name, schema: { type: 'string' } };
  });
}

function queryParameters({ query }: Operation): responses.ParameterObject[] {
  return Object.entries(query?.properties ?? {}).map(([name, declared]) => {
    const { description = '', ...schema } = publish(declared);
    return { name, in: 'query', required: query?.required?.includes(name) ?? false, description, schema };
  });
}

type Published = Readonly<Record<string, unknown>> & { description?: string };

/**
 * Returns a schema for the document. One with a name becomes a reference, and is added to `schemas`. `publishedAs`
 * replaces a schema, and what only concerns validation and examples is removed.
 */
function publish(schema: TSchema, schemas = new Map<string, unknown>()): Published {
  const { $id, error: _, example: _example, publishedAs, ...rest } = schema;
  if (publishedAs) return publish(publishedAs, schemas);
  // Generators of clients know no patterns of names. All names match those of records.
  const { patternProperties = {}, ...keywords } = rest as TSchema;
  const { properties, items, anyOf } = rest as Readonly<{
    properties?: Record<string, TSchema>;
    items?: TSchema;
    anyOf?: readonly TSchema[];
  }>;
  const [values] = Object.values<TSchema>(patternProperties);
  const named = Object.entries(properties ?? {}).map(([name, property]) => [name, publish(property, schemas)]);
  const published = {
    ...keywords,
    ...(values && { additionalProperties: publish(values, schemas) }),
    ...(properties && { properties: Object.fromEntries(named) }),
    ...(items && { items: publish(items, schemas) }),
    ...(anyOf && { anyOf: anyOf.map((option) => publish(option, schemas)) }),
  };
  if ($id === undefined) return published;
  schemas.set($id, published);
  return responses.refTo($id);
}
