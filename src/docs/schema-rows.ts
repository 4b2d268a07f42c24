type Json = Readonly<Record<string, unknown>>;

/** A property of a JSON schema, with its path such as `items[].id`. */
export type SchemaRow = Readonly<{ path: string; type: string; isRequired: boolean; description: string }>;

/** Deeper properties are left out. */
const MAX_DEPTH = 6;

/** Lists all properties of a schema, those of nested objects and lists included, with references resolved. */
export function schemaRows(schema: unknown, schemas: Json): readonly SchemaRow[] {
  return getProperties(schema, schemas, '', 0);
}

function getProperties(schema: unknown, schemas: Json, prefix: string, depth: number): SchemaRow[] {
  const found = resolve(schema, schemas);
  if (depth > MAX_DEPTH) return [];
  const shapes = getVariants(found).map((shape) => getProperties(shape, schemas, prefix, depth));
  if (shapes.length > 0) return mergeShapes(shapes);
  const required = Array.isArray(found.required) ? found.required : [];
  return Object.entries((found.properties ?? {}) as Json).flatMap(([name, value]) => {
    const path = prefix + name;
    const property = resolve(value, schemas);
    const type = typeText(property, schemas);
    const description = String((value as Json).description ?? property.description ?? '');
    const row = { path, type, isRequired: required.includes(name), description };
    return [row, ...getChildren(property, schemas, path, depth)];
  });
}

/** Returns the properties of all shapes. One is required if each shape requires it. */
function mergeShapes(shapes: ReadonlyArray<readonly SchemaRow[]>): SchemaRow[] {
  const rows = new Map(shapes.flat().map((row) => [row.path, row]));
  const isInAll = (path: string) => shapes.every((shape) => shape.some((row) => row.path === path));
  return Array.from(rows.values(), (row) => ({ ...row, isRequired: row.isRequired && isInAll(row.path) }));
}

function getChildren(property: Json, schemas: Json, path: string, depth: number): SchemaRow[] {
  const variant = getVariants(property).find((one) => resolve(one, schemas).type !== 'null') ?? property;
  const found = resolve(variant, schemas);
  if (found.items !== undefined) return getProperties(found.items, schemas, `${path}[].`, depth + 1);
  return getProperties(found, schemas, `${path}.`, depth + 1);
}

/** Returns the schema that a reference names, or the schema itself. */
function resolve(schema: unknown, schemas: Json): Json {
  const found = (schema ?? {}) as Json;
  const { $ref } = found;
  if (typeof $ref !== 'string') return found;
  return resolve(schemas[$ref.slice($ref.lastIndexOf('/') + 1)], schemas);
}

function getVariants({ anyOf, oneOf }: Json): readonly unknown[] {
  const variants = anyOf ?? oneOf;
  return Array.isArray(variants) ? variants : [];
}

/** Describes the type and the limits of a schema in a few words, such as `string (date-time) or null`. */
export function typeText(schema: Json, schemas: Json): string {
  const found = resolve(schema, schemas);
  const variants = getVariants(found);
  if (variants.length > 0) {
    return [...new Set(variants.map((variant) => typeText(variant as Json, schemas)))].join(' or ');
  }
  if ('const' in found) return JSON.stringify(found.const);
  if (Array.isArray(found.enum)) return found.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (found.type === 'array') return `array of ${typeText((found.items ?? {}) as Json, schemas)}`;
  const limits = getLimits(found);
  return `${String(found.type ?? 'any')}${limits === '' ? '' : ` (${limits})`}`;
}

function getLimits(schema: Json): string {
  const { format, minimum, maximum, minLength, maxLength, default: preset } = schema;
  const limits = [
    format,
    rangeText(minimum, maximum, ''),
    rangeText(minLength, maxLength, ' characters'),
    preset !== undefined && `default ${JSON.stringify(preset)}`,
  ];
  return limits.filter((limit) => typeof limit === 'string' && limit !== '').join(', ');
}

function rangeText(least: unknown, most: unknown, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (most !== undefined) return `at most ${most}${unit}`;
  return least === undefined ? '' : `at least ${least}${unit}`;
}
