import type { TSchema } from '@sinclair/typebox';
import packageJson from '../../../../package.json' with { type: 'json' };
import { type Operation, type Parameter, withMethod } from './operation.ts';
import { SCHEMAS } from './schemas.ts';

type Route = Readonly<{ method: string; path: string; hooks?: unknown }>;
type RouteSchemas = Readonly<{
  detail?: Operation;
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
}>;

export type OpenApiDocument = Readonly<{
  openapi: string;
  info: Readonly<Record<string, unknown>>;
  servers: ReadonlyArray<Readonly<{ url: string }>>;
  tags: ReadonlyArray<Readonly<{ name: string; description: string }>>;
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<Record<string, unknown>>;
}>;

const TAGS = [
  { name: 'Public', description: 'Endpoints for web pages. They need no API key.' },
  { name: 'Forms', description: 'A form collects submissions. Each form belongs to a workspace of a team.' },
  {
    name: 'Submissions',
    description: 'A submission holds the fields and files a visitor sent, decrypted, with sensitive numbers masked.',
  },
  { name: 'Workspaces', description: 'A workspace groups the forms of a team.' },
  {
    name: 'Webhooks',
    description: 'A webhook, chat or sheet gets each new submission of a form. A form has at most ten.',
  },
  { name: 'API keys', description: 'The API key of the request.' },
  { name: 'Usage', description: "The team's submissions this month, compared to its plan." },
];

const DESCRIPTION = `
A self-hosted form backend. Forms post to the public endpoint, and the management API reads and manages submissions.

**Authentication.** Send \`Authorization: Bearer fs_live_…\` with every request to the management API. An API key gives access
to the data of one team, whose plan must include API access. A key with the scope \`read\` can only send GET.

**Rate limits.** The defaults are 120 reads and 30 writes per 60 seconds for each key, and 600 posts per 60 seconds for each
client address.

**Errors.** Checks run in this order: 401 key, 403 plan, 403 scope, 429 rate limit, 400 input, 404 resource. An unknown path
returns 404 and an unsupported method 405 with \`Allow\`, both in the envelope of the management API.

**Repeating requests.** Send a unique \`Idempotency-Key\` with a POST to be able to repeat it: within 24 hours, a request with
the same key returns the first response, with \`Idempotent-Replayed: true\`. A different request with this key returns 422, and
409 while the first is running. A refused request can be repeated with its key. Responses to GET carry a strong \`ETag\`; with
it in \`If-None-Match\`, an unchanged response is 304. It counts as a read.

**Formats.** Times are RFC 3339 in UTC with microseconds. IDs are opaque strings.
`.trim();

/** Returns the OpenAPI 3.1 document, built from the routes' schemas and `detail`. Omits routes without `detail`. */
export function openApiDocument(routes: readonly Route[], baseUrl: string | null): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const { detail: declared, params, query, body } = (route.hooks ?? {}) as RouteSchemas;
    if (!declared?.operationId) continue;
    const detail = withMethod(route.method, declared);
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const names = Array.from(route.path.matchAll(/:(\w+)/g), ([, name = '']) => name);
    const parameters = [
      ...names.map((name) => parameter('path', name, params?.properties?.[name] ?? { type: 'string' }, true)),
      ...Object.entries<TSchema>(query?.properties ?? {}).map(([name, schema]) =>
        parameter('query', name, schema, query?.required?.includes(name) ?? false),
      ),
      ...(detail.parameters ?? []),
    ];
    const { requestBody = body && { required: true, content: { 'application/json': jsonBody(body) } } } = detail;
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: {
        ...detail,
        ...(parameters.length > 0 && { parameters }),
        ...(requestBody !== undefined && { requestBody }),
      },
    };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Formstead',
      version: packageJson.version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl ?? '/' }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key that begins with `fs_live_`.' },
      },
      schemas: SCHEMAS,
    },
  };
}

function jsonBody(schema: TSchema) {
  const { examples = [], ...rest } = published(schema) as { examples?: unknown[] };
  return { schema: rest, example: examples[0] };
}

function parameter(place: string, name: string, schema: TSchema | object, required: boolean): Parameter {
  const { description, ...rest } = published(schema);
  return { name, in: place, required, ...(description !== undefined && { description }), schema: rest };
}

/**
 * Returns a schema for the document. `publishedAs` replaces it where the query carries another type than clients use,
 * and `error`, which only concerns validation, is removed.
 */
function published(schema: TSchema | object): Record<string, unknown> & { description?: string } {
  const { error: _, publishedAs, ...rest } = schema as Record<string, unknown>;
  const { properties, items } = rest as { properties?: Record<string, object>; items?: object };
  return {
    ...(publishedAs ?? rest),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, published(value)])),
    }),
    ...(items && { items: published(items) }),
  };
}
