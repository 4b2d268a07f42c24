import type { FormField } from './field-type.ts';
import { getFieldType, takesFiles } from './field-types.ts';
import { matchesPattern } from './pattern.ts';

/** Returns a plausible value for a field. */
export function getSample(field: FormField): string {
  const { name, max_length, pattern } = field;
  const usual = getFieldType(field).sample?.(field) ?? (name.includes('name') ? 'Ada Lovelace' : 'Hello');
  const short = usual.slice(0, max_length);
  return pattern === undefined || matchesPattern(pattern, [short]) || !matchesPattern(pattern, ['5']) ? short : '5';
}

/** Returns a plausible submission without files. */
export function samplePayload(fields: readonly FormField[]): ReadonlyArray<readonly [name: string, sample: string]> {
  return fields.filter((field) => !takesFiles(field)).map((field) => [field.name, getSample(field)]);
}
