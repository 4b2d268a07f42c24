import { join } from 'node:path';
import { WEBHOOK_SETTING_NAMES, WebhookSettings } from '../src/domain/webhook-settings.ts';
import { snakeCase } from '../src/lib/snake-case.ts';
import type { OpenApiDocument } from '../src/routes/api/openapi/document.ts';
import { startInstance } from '../test/support/instance.ts';

/**
 * Generates `src/client/api-types.ts` from the OpenAPI document: an interface for each schema of the management API, and
 * for each method an interface of its operations by path. Also generates the settings of webhooks for `formstead/testing`.
 */

const ROOT = join(import.meta.dir, '..');
export const API_TYPES = join(ROOT, 'src/client/api-types.ts');
export const TESTING_TYPES = join(ROOT, 'src/testing/index.d.ts');

const HEADER = '// Generated from the OpenAPI document by `bun run api-types`. Do not edit.\n';
const REF = '#/components/schemas/';

/** A schema of the document. Only these keywords affect a type. */
type Schema = Readonly<{
  type?: string;
  description?: string;
  $ref?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  patternProperties?: Readonly<Record<string, Schema>>;
}>;
type Media = Readonly<Record<string, Readonly<{ schema: Schema }>>>;
type Operation = OpenApiDocument['paths'][string][string];

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Returns the module of types for the operations that need an API key, and for the schemas they use. */
export async function apiTypes({ paths, components }: OpenApiDocument): Promise<string> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.length > 0)
      .map(([method, operation]) => ({ method, path, ...describe(operation) })),
  );
  const groups = Object.entries(Object.groupBy(operations, ({ method, data }) => (data ? method : 'download')));
  const interfaces = groups.map(([method, members = []]) => {
    const name = `${method.slice(0, 1).toUpperCase()}${method.slice(1)}Operations`;
    const lines = members.map(({ summary, path, members }) => `${comment(summary)}'${path}': { ${members} };`);
    return `/** Operations for \`${method}\` of the client, by path. */\nexport interface ${name} {\n${lines.join('\n')}\n}\n`;
  });
  const schemas = components.schemas as Record<string, Schema>;
  const used = referencesIn(
    operations.map(({ data, body }) => [data, body]),
    schemas,
  );
  const nouns = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => `${comment(schema.description)}export interface ${name} ${typeOf(schema)}\n`);
  return await formatted([HEADER, ...nouns, ...interfaces].join('\n'));
}

const WEBHOOK_MARKERS = /(?<= \/\/ Generated from `WebhookSettings` by `bun run api-types`\.\n)[\s\S]*?(?=\n\})/;

/** Returns the types of `formstead/testing` with the settings of webhooks. Throws if the source has no marker. */
export async function testingTypes(source: string): Promise<string> {
  if (!WEBHOOK_MARKERS.test(source)) throw new Error(`${TESTING_TYPES} needs the marker of the settings of webhooks.`);
  const special: Readonly<Record<string, string>> = { when: 'readonly Condition[]', headers: 'Record<string, string>' };
  const members = WEBHOOK_SETTING_NAMES.map((name) => {
    const type = special[name] ?? typeOf(WebhookSettings.properties[name] as Schema);
    return `${snakeCase(name)}?: ${type.replace(/^Array</, 'ReadonlyArray<')};`;
  });
  return await formatted(source.replace(WEBHOOK_MARKERS, members.join('\n')));
}

function describe({ summary, parameters = [], requestBody, responses }: Operation) {
  const success = responses['200'] ?? responses['201'];
  const schema = (success?.content as Media | undefined)?.['application/json']?.schema;
  const data = schema?.properties?.data;
  const body = (requestBody as { content: Media } | undefined)?.content['application/json']?.schema;
  const group = (place: string) => {
    const found = parameters.filter((parameter) => parameter.in === place);
    if (found.length === 0) return [];
    const isOptional = found.every(({ required }) => !required);
    const members = found.map(({ name, required, schema, description }) =>
      property(name, { ...schema, ...(description && { description }) }, required),
    );
    return [`${place}${isOptional ? '?' : ''}: {\n${members.join('\n')}\n}`];
  };
  const members = [
    ...group('path'),
    ...group('query'),
    ...(body ? [`body: ${typeOf(body)}`] : []),
    ...(data ? [`data: ${typeOf(data)}`] : []),
  ];
  return { summary, data, body, members: members.join('; ') };
}

/** Returns the names of the schemas that a value refers to, directly and through other schemas. */
function referencesIn(value: unknown, schemas: Readonly<Record<string, Schema>>, found = new Set<string>()) {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    referencesIn(schemas[name], schemas, found);
  }
  return found;
}

/** Returns the type of a schema. Throws for a schema whose type is not supported. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(REF.length);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.type === 'array') return `Array<${typeOf(schema.items ?? {})}>`;
  if (schema.type === 'object') return objectType(schema);
  if (schema.type !== undefined && PRIMITIVES[schema.type]) return PRIMITIVES[schema.type] as string;
  if (Object.keys(schema).every((keyword) => keyword === 'description')) return 'unknown';
  throw new Error(`Could not derive a type from ${JSON.stringify(schema)}.`);
}

function objectType({ properties, required = [], patternProperties }: Schema): string {
  const [pattern] = Object.values(patternProperties ?? {});
  if (pattern) return `Record<string, ${typeOf(pattern)}>`;
  const members = Object.entries(properties ?? {}).map(([name, schema]) =>
    property(name, schema, required.includes(name)),
  );
  return `{\n${members.join('\n')}\n}`;
}

function property(name: string, schema: Schema, required: boolean): string {
  return `${comment(schema.description)}'${name}'${required ? '' : '?'}: ${typeOf(schema)};`;
}

function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`;
}

async function formatted(source: string): Promise<string> {
  const biome = Bun.spawn(
    [process.execPath, '--bun', 'node_modules/@biomejs/biome/bin/biome', 'format', `--stdin-file-path=${API_TYPES}`],
    { cwd: ROOT, stdin: new Blob([source]), stdout: 'pipe', stderr: 'pipe' },
  );
  const [stdout, stderr, code] = await Promise.all([biome.stdout.text(), biome.stderr.text(), biome.exited]);
  if (code !== 0) throw new Error(`Could not format the types:\n${stderr}`);
  return stdout;
}

if (import.meta.main) {
  const instance = await startInstance();
  const document = (await (await fetch(`${instance.url}/openapi.json`)).json()) as OpenApiDocument;
  await instance.stop();
  await Bun.write(API_TYPES, await apiTypes(document));
  await Bun.write(TESTING_TYPES, await testingTypes(await Bun.file(TESTING_TYPES).text()));
}
