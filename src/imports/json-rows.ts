import { type AppError, invalidInput } from '../domain/errors.ts';
import type { PayloadValue } from '../domain/submissions/submission.ts';
import { parseExactly } from '../intake/decode/json-numbers.ts';
import { MAX_ROW_LENGTH, type RawRow } from './raw-row.ts';

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = Array.from('"\\{}[]', (character) =>
  character.charCodeAt(0),
);
/** Depth of the list of rows: the file itself, or a property as in `{"data":{"submissions":[…]}}`. */
const MAX_LIST_DEPTH = 3;

/** Reads the objects of the first lists in a JSON file, or those of JSON Lines, as rows, without holding the file in memory. Throws `invalid_input`. */
export async function* jsonRows(chunks: AsyncIterator<string>, isLines: boolean): AsyncGenerator<RawRow> {
  const splitter = new RowSplitter(isLines);
  let number = 0;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    for (const text of splitter.push(next.value)) {
      number += 1;
      yield { number, cells: Object.entries(parseRow(text, number)) };
    }
  }
  splitter.end();
}

function parseRow(text: string, number: number): Record<string, PayloadValue> {
  try {
    return parseExactly(text) as Record<string, PayloadValue>;
  } catch {
    throw invalidJson(`row ${number} is not valid JSON`);
  }
}

function invalidJson(fault: string): AppError {
  return invalidInput(`Could not read the JSON file: ${fault}. Export it again.`);
}

/** Finds the rows in the text of a JSON file, which arrives in chunks. */
class RowSplitter {
  /** True for each enclosing list, false for each enclosing object. */
  readonly #lists: boolean[] = [];
  #isString = false;
  #isEscaped = false;
  /** The depth of the current row; null between rows. */
  #rowDepth: number | null = null;
  #row = '';

  constructor(private readonly isLines: boolean) {}

  /** Returns the rows that end in this chunk. */
  push(chunk: string): string[] {
    const rows: string[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (this.#isString) this.#skip(code);
      else if (code === QUOTE) this.#isString = true;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (code === OPEN_BRACE && this.#startsRow()) [this.#rowDepth, start] = [this.#lists.length, at];
        this.#lists.push(code === OPEN_BRACKET);
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        if (this.#lists.pop() !== (code === CLOSE_BRACKET)) throw invalidJson('its brackets do not match');
        if (this.#rowDepth !== this.#lists.length) continue;
        rows.push(this.#row + chunk.slice(start, at + 1));
        [this.#rowDepth, this.#row] = [null, ''];
      }
    }
    if (this.#rowDepth !== null) this.#row += chunk.slice(start);
    if (this.#row.length > MAX_ROW_LENGTH) throw invalidJson('a row is longer than 16 MB');
    return rows;
  }

  end(): void {
    if (this.#lists.length > 0 || this.#isString) throw invalidJson('it ends early');
  }

  #skip(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isString = false;
  }

  /** Returns whether an object at this place is a line, or an item of a list that only objects enclose. */
  #startsRow(): boolean {
    const depth = this.#lists.length;
    if (this.isLines) return depth === 0;
    return this.#rowDepth === null && depth <= MAX_LIST_DEPTH && this.#lists.indexOf(true) === depth - 1 && depth > 0;
  }
}
