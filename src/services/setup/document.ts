import type { TSchema } from '@sinclair/typebox';
import { Value, type ValueError } from '@sinclair/typebox/value';
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { AppError, type Fault, InvalidFileError } from '../../domain/errors.ts';
import { SetupFile } from './setup-file.ts';

/** Keys and indexes from the root of the file to a value. */
export type Path = ReadonlyArray<string | number>;

/** An entry of the file with its place. */
export type Located<Entry> = Readonly<{ entry: Entry; path: Path }>;

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FAULTS = 20;
const TWICE = 'This property is given twice. Remove one.';
const HAS_NUL = 'This contains the character U+0000. Remove it.';
/** Aliases that a file may expand to, which bounds anchor bombs. */
const MAX_ALIASES = 1_000;

// The parser would compare each key with all others.
const OPTIONS = { version: '1.2', schema: 'core', merge: false, stringKeys: true, uniqueKeys: false } as const;

/** A file that matches the schema. */
export class SetupDocument {
  readonly value: SetupFile;
  readonly #document: Document;
  readonly #lines: LineCounter;

  /** Parses a file. Throws `InvalidFileError` with the places of all faults. */
  constructor(
    private readonly file: string,
    bytes: Uint8Array,
  ) {
    const text = decode(file, bytes);
    this.#lines = new LineCounter();
    this.#document = parseDocument(text, { ...OPTIONS, lineCounter: this.#lines, prettyErrors: false });
    const faults = [...this.#document.errors, ...this.#document.warnings];
    // After a stack overflow the parser reports faults that are none.
    const overflow = faults.find(({ message }) => message.includes('call stack'));
    const reported = overflow ? [overflow] : faults;
    if (reported.length > 0)
      throw this.#refuse(reported.map(({ pos, message }) => this.#fault(pos[0], reword(message))));
    this.#requireStorable();
    const value = this.#toJs();
    if (!Value.Check(SetupFile, value)) {
      throw this.#refuse(getFaults(value).map(({ path, message }) => this.#fault(this.#offset(path), message)));
    }
    this.value = value;
  }

  /** Returns an error about the value at `path`. */
  error(path: Path, message: string): InvalidFileError {
    return this.#refuse([this.#fault(this.#offset(path), message)]);
  }

  /** Runs `work` and adds the place of `path` to its refusals. */
  async at<T>(path: Path, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || error instanceof InvalidFileError) throw error;
      throw this.error(path, error.message);
    }
  }

  #refuse(faults: readonly Fault[]): InvalidFileError {
    return new InvalidFileError(this.file, faults.slice(0, MAX_FAULTS));
  }

  #fault(offset: number, message: string): Fault {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), message };
  }

  /** Refuses repeated keys, and the escape of a character that not every database can store. */
  #requireStorable(): void {
    const faults: Fault[] = [];
    visit(this.#document, {
      Map: (_, { items }) => {
        const keys = new Set<unknown>();
        for (const { key } of items) {
          const name = isScalar(key) ? key.value : key;
          if (keys.has(name)) faults.push(this.#fault(isScalar(key) ? (key.range?.[0] ?? 0) : 0, TWICE));
          keys.add(name);
        }
      },
      Scalar: (_, { value, range }) => {
        if (typeof value === 'string' && value.includes('\0')) faults.push(this.#fault(range?.[0] ?? 0, HAS_NUL));
      },
    });
    if (faults.length > 0) throw this.#refuse(faults);
  }

  #toJs(): unknown {
    try {
      return this.#document.toJS({ maxAliasCount: MAX_ALIASES });
    } catch (error) {
      if (!(error instanceof ReferenceError) && !(error instanceof RangeError)) throw error;
      const isUnresolved = error.message.startsWith('Unresolved alias');
      let offset = 0;
      visit(this.#document, {
        Alias: (_, alias) => {
          offset = alias.range?.[0] ?? 0;
          return isUnresolved && alias.resolve(this.#document) ? undefined : visit.BREAK;
        },
      });
      const message = isUnresolved
        ? 'This alias has no anchor before it. Write the value here.'
        : 'The aliases of this file expand to too many values. Write the values out.';
      throw this.#refuse([this.#fault(offset, message)]);
    }
  }

  /** Returns the offset of the value at `path`, or of the last part of it that exists; of an unknown key the key. */
  #offset(path: Path): number {
    let node: unknown = this.#document.contents;
    let offset = getStart(node);
    for (const [index, part] of path.entries()) {
      const parent: unknown = isAlias(node) ? node.resolve(this.#document) : node;
      const isLast = index === path.length - 1;
      if (isSeq(parent)) node = parent.items[Number(part)];
      else if (isMap<{ value: string; range?: [number, number, number] }>(parent)) {
        const pair = parent.items.find(({ key }) => key.value === String(part));
        if (isLast && pair?.key.range) return pair.key.range[0];
        node = pair?.value;
      } else return offset;
      if (!node) return offset;
      offset = getStart(node);
    }
    return offset;
  }
}

const getStart = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0;

/** Decodes UTF-8. Throws `InvalidFileError` for a file that is too large, no UTF-8 or has control characters. */
function decode(file: string, bytes: Uint8Array): string {
  const refuse = (before: string, message: string) => {
    const lines = before.split('\n');
    const column = (lines.at(-1)?.length ?? 0) + 1;
    return new InvalidFileError(file, [{ line: lines.length, column, message }]);
  };
  const text = Buffer.from(bytes.subarray(0, MAX_FILE_BYTES)).toString();
  if (bytes.length > MAX_FILE_BYTES) {
    throw refuse(text, 'The file has more than 1 MiB up to here. Split it by workspaces.');
  }
  const copy = Buffer.from(text);
  const wrong = copy.findIndex((byte, index) => byte !== bytes[index]);
  if (wrong !== -1) throw refuse(copy.subarray(0, wrong).toString(), 'This is not UTF-8. Save the file as UTF-8 text.');
  const control = /(?![\t\n\r])\p{Cc}/u.exec(text);
  if (!control) return text;
  throw refuse(
    text.slice(0, control.index),
    'This is a control character. Remove it, or write it as an escape such as "\\x07".',
  );
}

/** Rewords messages of the parser that give no remedy. */
function reword(message: string): string {
  if (message.includes('call stack')) return 'The file is nested too deeply. Remove levels.';
  if (message.includes('multiple documents')) return 'The file has several documents. Remove the line "---".';
  if (message.includes('keys must be strings')) return 'The name of a property must be text.';
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Returns the faults of a value by the schema, one for each place. */
function getFaults(value: unknown): Array<Readonly<{ path: Path; message: string }>> {
  const faults = new Map<string, Readonly<{ path: Path; message: string }>>();
  for (const error of Iterator.from(Value.Errors(SetupFile, value)).flatMap(getDetails)) {
    const path = error.path
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (!faults.has(error.path)) faults.set(error.path, { path, message: describe(error, path) });
    if (faults.size === MAX_FAULTS) break;
  }
  return [...faults.values()];
}

/** Returns the faults inside a group of properties that may also be null, instead of one for the whole group. */
function getDetails(error: ValueError): ValueError[] {
  const branches: readonly TSchema[] = error.schema.anyOf ?? [];
  const group = branches.findIndex(({ type }) => type === 'object');
  const isOnly = branches.every(({ type }, index) => index === group || type === 'null');
  if (group === -1 || !isOnly || error.value === null || typeof error.value !== 'object') return [error];
  return [...(error.errors[group] ?? [])];
}

function describe({ schema, value, message }: ValueError, path: Path): string {
  const name = path.length === 0 ? 'The file' : `"${path.at(-1)}"`;
  if (message === 'Unexpected property') return `There is no property ${name} here. Remove or correct it.`;
  if (message === 'Expected required property') return `The property ${name} is missing. Add it.`;
  if (message === 'Expected array elements to be unique') return `${name} has a value twice. Remove one.`;
  const expected = expectation(schema);
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (expected === null || (type === schema.type && !schema.pattern)) return `${name} is wrong: ${message}.`;
  const isUnquoted = expected.includes('text') && ['number', 'boolean'].includes(typeof value);
  const hint = isUnquoted ? ' Put it in quotes.' : '';
  return `${name} must be ${expected}, not ${describeValue(value)}.${hint}`;
}

/** Describes the values that a schema accepts; null if its type has no name for people. */
function expectation({ type, enum: values, pattern, anyOf, properties }: TSchema): string | null {
  if (anyOf) return [...new Set(anyOf.map(expectation))].join(' or ');
  if (values) return values.join(', ');
  if (properties?.field) return 'a condition such as {field: topic, is: sales}';
  if (pattern?.includes('keep|env')) return 'env:NAME, file:PATH or keep';
  if (pattern?.includes('keep|file')) return 'file:PATH or keep';
  if (pattern === '^[^,]*$') return 'text without commas';
  return EXPECTATIONS[type] ?? null;
}

const EXPECTATIONS: Readonly<Record<string, string>> = {
  string: 'text',
  null: 'null',
  boolean: 'true or false',
  integer: 'a whole number',
  array: 'a list',
  object: 'a group of properties',
};

/** Describes a wrong value without quoting it, because it may be a secret. */
function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'this text';
  return typeof value === 'object' ? 'a group of properties' : `a ${typeof value}`;
}
