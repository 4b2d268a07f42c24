import { join } from 'node:path';
import { API } from '../src/api/index.ts';
import { type OpenApiDocument, openApiDocument } from '../src/api/openapi/document.ts';
import { WEBHOOK_SETTING_NAMES, WebhookSettings } from '../src/delivery/targets/index.ts';
import { CHALLENGE_KINDS } from '../src/domain/forms/challenge.ts';
import { FORM_SETTINGS, SETTING_NAMES } from '../src/domain/forms/form-settings.ts';
import { snakeCase } from '../src/lib/snake-case.ts';

/**
 * Generates the settings of forms, challenges and webhooks in the types of `formstead/testing`, and from the OpenAPI document
 * `src/client/api-types.ts`, which is not committed: a type for each schema of the management API and each long request
 * body, and for each method an interface of its operations by path.
 */

const ROOT = join(import.meta.dir, '..');
const API_TYPES = join(ROOT, 'src/client/api-types.ts');
export const TESTING_TYPES = join(ROOT, 'src/testing/index.d.ts');

const HEADER = '// Generated from the OpenAPI document by `bun run generate api-types`. Do not edit.\n';
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
  additionalProperties?: Schema | boolean;
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

/** Properties of a request body that an operation has inline; longer ones have a name. */
const MAX_INLINE = 5;

/** Writes the module of types for the operations that need an API key, and for the schemas they use. */
export async function writeApiTypes(): Promise<void> {
  const document = openApiDocument(API, null);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.length > 0)
      .map(([method, operation]) => ({ method, path, ...describe(operation) })),
  );
  const inPath = new Map(operations.flatMap(({ inPath }) => inPath.map((parameter) => [parameter.name, parameter])));
  const pathParameters = [...inPath.values()].map(parameterType).join('\n');
  const groups = Object.entries(Object.groupBy(operations, ({ method, data }) => (data ? method : 'download')));
  const interfaces = groups.map(([method, members = []]) => {
    const name = `${capitalize(method)}Operations`;
    const lines = members.map(({ summary, path, members }) => `${comment(summary)}'${path}': { ${members} };`);
    return `/** Operations for \`${method}\` of the client, by path. */\nexport interface ${name} {\n${lines.join('\n')}\n}\n`;
  });
  const schemas = document.components.schemas as Record<string, Schema>;
  const used = referencesIn(
    operations.map(({ data, body }) => [data, body]),
    schemas,
  );
  const bodies = operations.flatMap(({ bodyName, body }) => (bodyName && body ? [[bodyName, body] as const] : []));
  const named = [...Object.entries(schemas).filter(([name]) => used.has(name)), ...bodies];
  const nouns = named.map(([name, schema]) => `${comment(schema.description)}export ${declare(name, schema, named)}\n`);
  const paths = `/** Parameters in the paths of operations. */\nexport interface PathParameters {\n${pathParameters}\n}\n`;
  await Bun.write(API_TYPES, [HEADER, ...nouns, paths, ...interfaces].join('\n'));
}

const FORM_MARKERS =
  /(?<= \/\/ Generated from `FORM_SETTINGS` by `bun run generate api-types`\.\n)[\s\S]*?(?= \/\/ End of the generated settings\.)/;
const WEBHOOK_MARKERS =
  /(?<= \/\/ Generated from `WebhookSettings` by `bun run generate api-types`\.\n)[\s\S]*?(?=\n\})/;

const CHALLENGE_MARKERS = /(?<=interface ChallengeSettings \{\n {2}kind: )[^;]*/;

/** Returns the types of `formstead/testing` with the settings of forms, challenges and webhooks. Throws if the source has no markers. */
export async function testingTypes(source: string): Promise<string> {
  if (![FORM_MARKERS, WEBHOOK_MARKERS, CHALLENGE_MARKERS].every((markers) => markers.test(source))) {
    throw new Error(`${TESTING_TYPES} needs the markers around the settings.`);
  }
  const ofForm = SETTING_NAMES.map((name) => `${snakeCase(name)}?: ${typeOf(FORM_SETTINGS[name].schema as Schema)};\n`);
  const special: Readonly<Record<string, string>> = { when: 'readonly Condition[]', headers: 'Record<string, string>' };
  const ofWebhook = WEBHOOK_SETTING_NAMES.map((name) => {
    const type = special[name] ?? typeOf(WebhookSettings.properties[name] as Schema);
    return `${snakeCase(name)}?: ${type.replace(/^Array</, 'ReadonlyArray<')};`;
  });
  const text = source
    .replace(FORM_MARKERS, ofForm.join('').replaceAll('Array<string>', 'readonly string[]'))
    .replace(WEBHOOK_MARKERS, ofWebhook.join('\n'))
    .replace(CHALLENGE_MARKERS, union(CHALLENGE_KINDS));
  return await formatted(text);
}

function describe({ operationId, summary, parameters = [], requestBody, responses }: Operation) {
  const success = responses['200'] ?? responses['201'];
  const schema = (success?.content as Media | undefined)?.['application/json']?.schema;
  const data = schema?.properties?.data;
  const body = (requestBody as { content: Media } | undefined)?.content['application/json']?.schema;
  const isLong = Object.keys(body?.properties ?? {}).length > MAX_INLINE;
  const bodyName = isLong ? `${capitalize(operationId)}Body` : null;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const isOptional = inQuery.every(({ required }) => !required);
  const members = [
    ...(inPath.length > 0 ? [`path: Pick<PathParameters, ${union(inPath.map(({ name }) => name))}>`] : []),
    ...(inQuery.length > 0 ? [`query${isOptional ? '?' : ''}: {\n${inQuery.map(parameterType).join('\n')}\n}`] : []),
    ...(body ? [`body: ${bodyName ?? typeOf(body)}`] : []),
    ...(data ? [`data: ${typeOf(data)}`] : []),
  ];
  return { summary, data, body, bodyName, inPath, members: members.join('; ') };
}

function parameterType({ name, required, schema, description }: NonNullable<Operation['parameters']>[number]): string {
  return property(name, { ...schema, ...(description && { description }) }, required);
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

/**
 * Returns the declaration of a type. It extends the type whose properties, at least three, the schema repeats, and changes
 * extend a partial noun, of which they may have other types for some properties.
 */
function declare(name: string, schema: Schema, named: ReadonlyArray<readonly [string, Schema]>): string {
  if (!schema.properties) return `type ${name} = ${typeOf(schema)};`;
  const own = propertiesOf(schema);
  for (const [base, other] of named.filter(([base]) => base !== name)) {
    const inherited = propertiesOf(other);
    const isRepeated = inherited.length < own.length && inherited.every((text) => own.includes(text));
    if (inherited.length >= 3 && isRepeated) return extend(name, base, own, inherited);
    if (!other.required?.length) continue;
    const optional = propertiesOf({ ...other, required: [] });
    const others = Object.keys(other.properties ?? {}).filter((_, index) => !own.includes(optional[index] ?? ''));
    if (optional.length - others.length < 3 || others.length >= optional.length / 2) continue;
    const kept = others.length > 0 ? `Omit<${base}, ${union(others)}>` : base;
    return extend(name, `Partial<${kept}>`, own, optional);
  }
  return `interface ${name} {\n${own.join('\n')}\n}`;
}

function extend(name: string, base: string, own: readonly string[], inherited: readonly string[]): string {
  return `interface ${name} extends ${base} {\n${own.filter((text) => !inherited.includes(text)).join('\n')}\n}`;
}

/** Returns the type of a schema. Throws for a schema whose type is not supported. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(REF.length);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.type === 'array') return `Array<${typeOf(schema.items ?? {})}>`;
  if (schema.type === 'object') return objectType(schema);
  if (schema.type !== undefined && PRIMITIVES[schema.type]) return PRIMITIVES[schema.type] as string;
  if (Object.keys(schema).every((keyword) => keyword === 'description')) return 'unknown';
  throw new Error(`Could not derive a type from ${JSON.stringify(schema)}.`);
}

function objectType({ properties, required = [], additionalProperties: values }: Schema): string {
  if (typeof values === 'object') return `Record<string, ${typeOf(values)}>`;
  const texts = propertiesOf({ properties: properties ?? {}, required });
  const isShort = texts.length < 3 && !texts.join().includes('\n');
  return isShort ? `{ ${texts.join(' ')} }` : `{\n${texts.join('\n')}\n}`;
}

function propertiesOf({ properties, required = [] }: Schema): readonly string[] {
  return Object.entries(properties ?? {}).map(([name, schema]) => property(name, schema, required.includes(name)));
}

function property(name: string, schema: Schema, required: boolean): string {
  const key = /^\w+$/.test(name) ? name : `'${name}'`;
  return `${comment(schema.description)}${key}${required ? '' : '?'}: ${typeOf(schema)};`;
}

function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`;
}

function union(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

async function formatted(source: string): Promise<string> {
  const biome = Bun.spawn(
    [
      process.execPath,
      '--bun',
      'node_modules/@biomejs/biome/bin/biome',
      'format',
      `--stdin-file-path=${TESTING_TYPES}`,
    ],
    { cwd: ROOT, stdin: new Blob([source]), stdout: 'pipe', stderr: 'pipe' },
  );
  const [stdout, stderr, code] = await Promise.all([biome.stdout.text(), biome.stderr.text(), biome.exited]);
  if (code !== 0) throw new Error(`Could not format the types:\n${stderr}`);
  return stdout;
}

if (import.meta.main) {
  await writeApiTypes();
  if (!Bun.argv.includes('client'))
    await Bun.write(TESTING_TYPES, await testingTypes(await Bun.file(TESTING_TYPES).text()));
}
