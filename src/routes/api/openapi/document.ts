import type { TSchema } from '@sinclair/typebox';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { Operation, Parameter } from './operation.ts';
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
  { name: 'Public', description: 'Open to every page on the web: no key.' },
  { name: 'Forms', description: 'The forms of the team that the key belongs to.' },
  { name: 'Submissions', description: 'What forms took in, decrypted and masked.' },
  { name: 'Workspaces', description: 'What forms are grouped in.' },
  { name: 'Usage', description: 'This month against the plan.' },
];

const DESCRIPTION = `
A form backend you host yourself. Forms post to the public endpoint; the management API reads and manages what they sent.

**Keys.** Every request to the management API carries \`Authorization: Bearer fs_live_…\`. A key reaches one team's data,
on a plan with API access; one with the scope \`read\` is refused by DELETE and PATCH.

**Rates.** Unless configured otherwise 120 reads and 30 writes in any 60 seconds for each key, and 600 posts for each
client address.

**Order of checks.** 401 key, 403 plan, 403 scope, 429 rate, 400 input, 404 resource. An unknown path answers 404, a wrong
method 405 with \`Allow\`, both in the envelope of the management API.

**Times** are RFC 3339 in UTC. **Ids** are opaque strings.
`.trim();

/**
 * The OpenAPI 3.1 document of these routes, made from their schemas and their `detail`; a route without is left out.
 */
export function openApiDocument(routes: readonly Route[], baseUrl: string | null): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const { detail, params, query, body } = (route.hooks ?? {}) as RouteSchemas;
    if (!detail?.operationId) continue;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const names = Array.from(route.path.matchAll(/:(\w+)/g), ([, name = '']) => name);
    const parameters = [
      ...names.map((name) => parameter('path', name, params?.properties?.[name] ?? { type: 'string' }, true)),
      ...Object.entries<TSchema>(query?.properties ?? {}).map(([name, schema]) =>
        parameter('query', name, schema, false),
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
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key that begins with `fs_live_`.' } },
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
 * A schema as it is shown. `publishedAs` says the same of a value that a program thinks of in another type than the
 * query carries it in; `error` is for the validation alone.
 */
function published(schema: TSchema | object): Record<string, unknown> & { description?: string } {
  const { error: _, publishedAs, ...rest } = schema as Record<string, unknown>;
  const properties = rest.properties as Record<string, object> | undefined;
  return {
    ...(publishedAs ?? rest),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, published(value)])),
    }),
  };
}
