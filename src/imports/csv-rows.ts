import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { type AppError, invalidInput } from '../domain/errors.ts';
import { MAX_ROW_LENGTH, type RawRow } from './raw-row.ts';

const DELIMITERS = [',', ';', '\t'];
/** Characters in which the header must end. */
const HEADER_LENGTH = 128 * 1024;

/** Reads the rows of a CSV file by its header. Empty lines are left out, but counted. Throws `invalid_input`. */
export async function* csvRows(chunks: AsyncIterator<string>): AsyncGenerator<RawRow> {
  let start = '';
  while (start.length < HEADER_LENGTH) {
    const { value, done } = await chunks.next();
    if (done) break;
    start += value;
  }
  const format = { delimiter: getDelimiter(start), record_delimiter: ['\r\n', '\n', '\r'] };
  const parser = parse({ ...format, relax_column_count: true, max_record_size: MAX_ROW_LENGTH });
  const text = (async function* () {
    yield start;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  })();
  // Errors also end the loop below.
  pipeline(Readable.from(text), parser).catch(() => {});
  let header: readonly string[] | null = null;
  let number = 0;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      number += 1;
      if (record.length === 1 && record[0] === '') continue;
      if (header) yield toRow(header, record, number);
      else header = record.map((name, index) => name.trim() || `column ${index + 1}`);
    }
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error;
  }
}

function toRow(header: readonly string[], record: readonly string[], number: number): RawRow {
  if (record.length === header.length) {
    return { number, cells: header.map((name, index) => [name, rearm(record[index] ?? '')]) };
  }
  return {
    number,
    cells: header.map((name) => [name, '']),
    message: `has ${record.length} ${record.length === 1 ? 'column' : 'columns'}, and the header has ${header.length}`,
  };
}

/** Removes what exports put before a formula: the apostrophe of Typeform, or the warning of Flamingo. */
const rearm = (text: string): string => text.replace(/^(?:'|\(Security Alert: [^)]{1,200}\) )(?=[+\-=@])/, '');

/** Returns the error for a CSV file that cannot be read on; `records` is the number of rows before the fault. */
function unreadable({ code, records }: CsvError & { records?: number }): AppError {
  const row = (records ?? 0) + 1;
  const fault =
    code === 'CSV_MAX_RECORD_SIZE' || code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'a quote is not closed'
      : 'a quote is inside a cell that is not quoted';
  return invalidInput(`Could not read the CSV file: row ${row}: ${fault}. Correct that row and try again.`);
}

/** Returns the delimiter that occurs most in the header, outside quotes. Throws `invalid_input` for a draw. */
function getDelimiter(text: string): string {
  const header = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0].replace(/"(?:[^"]|"")*"/g, '') ?? '';
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: header.split(delimiter).length - 1 }));
  const [first, second] = counts.sort((a, b) => b.count - a.count);
  if (!first || !second || first.count === 0) return ',';
  if (first.count > second.count) return first.delimiter;
  throw invalidInput(
    'The header has as many commas as semicolons or tabs. Save the file with one separator between columns.',
  );
}
