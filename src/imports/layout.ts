import { type AppError, invalidInput } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import { type PayloadValue, SUBMISSION_LIMITS } from '../domain/submissions/submission.ts';
import { isControlField } from '../intake/control-fields.ts';
import { isLongerThan } from '../intake/decode/entries.ts';
import type { RawRow } from './raw-row.ts';
import { isAboutVisitor, recognizeSource, type Source, type SourceName, sourceNamed } from './sources.ts';

/** The use of a column. `field` is the name of the field that takes its values. */
export type ColumnUse = Readonly<{ use: 'time' | 'id' | 'spam' | 'filter' | 'dropped' }> | Readonly<{ field: string }>;

/** Choices of the user; null to recognize the source and its columns. */
export type Columns = Readonly<{ source: SourceName | null; timeColumn: string | null; idColumn: string | null }>;

/** The columns of an export and their uses. */
export class Layout {
  readonly #uses = new Map<string, ColumnUse>();
  /** The columns outside the object with the fields; true if they are dropped. */
  readonly #outer = new Map<string, boolean>();

  /** `time` is the name of the time column. */
  private constructor(
    readonly source: Source,
    readonly time: string,
    private readonly id: string | undefined,
    private readonly fields: Form['fields'],
  ) {}

  /** Finds the layout of an export by its first rows. Throws `invalid_input` if a column is missing or unclear. */
  static of(rows: readonly RawRow[], { source: name, timeColumn, idColumn }: Columns, fields: Form['fields']): Layout {
    const columns = new Set(rows.flatMap(({ cells }) => cells.map(([column]) => column)));
    const source = name === null ? recognizeSource(columns) : sourceNamed(name);
    for (const column of [timeColumn, idColumn]) {
      if (column !== null && !columns.has(column)) throw missing(`There is no column "${column}"`, columns);
    }
    const id = idColumn ?? source.id.find((column) => columns.has(column));
    return new Layout(source, timeColumn ?? getTime(source, columns), id, fields);
  }

  /** The uses of all columns so far, in order. */
  get uses(): ReadonlyMap<string, ColumnUse> {
    const dropped = [...this.#outer].filter(([, isDropped]) => isDropped).map(([column]) => column);
    return new Map([...dropped.map((column) => [column, { use: 'dropped' }] as const), ...this.#uses]);
  }

  useOf(column: string): ColumnUse {
    return this.#uses.getOrInsertComputed(column, () => this.#chooseUse(column));
  }

  /**
   * Returns the cells of a row without the object around its fields. A field with the name of a column outside that
   * object gets a prefix, as in `data.id`.
   */
  cellsOf({ cells }: RawRow): RawRow['cells'] {
    const { fields } = this.source;
    const inner = cells.find(([column]) => column === fields)?.[1];
    if (!isObject(inner)) return cells;
    const kept = cells.filter(([column]) => column !== fields && !this.#isDroppedOuter(column));
    const getName = (column: string) =>
      this.#isMetadata(column) && kept.some(([name]) => name === column) ? `${fields}.${column}` : column;
    const values = [...Object.entries(inner), ...getFileNames(cells)];
    return [...kept, ...values.map(([column, value]) => [getName(column), value] as const)];
  }

  #isMetadata(column: string): boolean {
    const use = this.useOf(column);
    return 'use' in use && use.use !== 'dropped';
  }

  #isDroppedOuter(column: string): boolean {
    const { kept = [] } = this.source;
    const isDropped = () => !kept.includes(column) && 'field' in this.#chooseUse(column);
    return this.#outer.getOrInsertComputed(column, isDropped);
  }

  #chooseUse(column: string): ColumnUse {
    const { spam, only, dropped } = this.source;
    if (column === this.time) return { use: 'time' };
    if (column === this.id) return { use: 'id' };
    if (spam.includes(column)) return { use: 'spam' };
    if (column === only?.[0]) return { use: 'filter' };
    const field = this.#fieldOf(column);
    const isOwn = this.fields.some(({ name }) => name === field);
    const isDropped = dropped.includes(column) || isControlField(field) || (isAboutVisitor(column) && !isOwn);
    return isDropped ? { use: 'dropped' } : { field };
  }

  /** Returns the name of the form's field that has this name or label, or else the heading of the column. */
  #fieldOf(column: string): string {
    const named = this.fields.find(({ name }) => name === column);
    const labeled = this.fields.filter(({ label }) => label.toLowerCase() === column.toLowerCase());
    return named?.name ?? (labeled.length === 1 && labeled[0] ? labeled[0].name : shortName(column));
  }
}

/** Returns a name within the limit of field names. */
function shortName(column: string): string {
  const name = column.toWellFormed();
  if (!isLongerThan(SUBMISSION_LIMITS.nameBytes, name)) return name;
  let short = Array.from(name).slice(0, SUBMISSION_LIMITS.nameBytes);
  while (isLongerThan(SUBMISSION_LIMITS.nameBytes - 3, short.join(''))) short = short.slice(0, -1);
  return `${short.join('')}…`;
}

function getTime({ name, time }: Source, columns: ReadonlySet<string>): string {
  const found = time.flatMap((known) => [...columns].filter((column) => column.toLowerCase() === known.toLowerCase()));
  const [first] = found;
  if (first === undefined)
    throw missing('No column has the time of the submission. Pass it with --time-column', columns);
  if (name !== 'plain' || found.length === 1) return first;
  const names = found.map((column) => `"${column}"`).join(', ');
  throw invalidInput(`Several columns may have the time of the submission: ${names}. Pass one with --time-column.`);
}

function missing(fault: string, columns: ReadonlySet<string>): AppError {
  const names = Array.from(columns, (column) => `"${column}"`).slice(0, 50);
  return invalidInput(`${fault}. The columns are ${names.join(', ')}.`);
}

/** Returns the fields and names of the files in a line of Formstead's JSON Lines. */
function getFileNames(cells: RawRow['cells']): Array<readonly [field: string, name: string]> {
  const metadata = cells.find(([column]) => column === 'file_metadata')?.[1];
  const files = isObject(metadata) && Array.isArray(metadata.files) ? metadata.files.filter(isObject) : [];
  return files.map(({ field, name }) => [String(field), String(name)] as const);
}

function isObject(value: PayloadValue | undefined): value is { readonly [name: string]: PayloadValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
