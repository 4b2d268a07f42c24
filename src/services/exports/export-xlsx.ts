import { type AsyncFlateStreamHandler, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { mapYielding } from '../../lib/map-yielding.ts';
import { type Export, mapPages } from './export.ts';
import { type Cell, Spreadsheet, type SpreadsheetOptions } from './spreadsheet.ts';
import * as parts from './xlsx-parts.ts';

/** Rows of a sheet that spreadsheets read. */
const MAX_ROWS = 1_048_576;
/** Size of a sheet before compression: ZIP archives without extensions have 32 bits for it. */
const MAX_SHEET_BYTES = 2 ** 31;
const MAX_FILE_BYTES = 2 ** 32 - 2 ** 20;

/**
 * Exports a workbook (Office Open XML) with typed cells, as a stream: memory does not grow with the rows. It reads all
 * submissions twice. A full sheet is continued on another one.
 */
export function xlsxExport(options: SpreadsheetOptions, maxRows = MAX_ROWS): Export {
  return async function* (deps, span, progress) {
    const archive = new Archive();
    const sheet = new Spreadsheet(options);
    const titles = [...sheet.first];
    // White space in an uncompressed part keeps the connection busy while columns are looked for.
    archive.begin('docProps/app.xml', false);
    archive.write(parts.DECLARATION);
    for await (const newTitles of sheet.columns.find(deps, span, progress)) {
      titles.push(...newTitles);
      archive.write('\n');
      yield* archive.take();
    }
    archive.write(parts.PROPERTIES);
    titles.push(...sheet.last);
    const header = titles.map((text): Cell => ({ text }));

    const sheets = new Sheets(archive, header, options.words.shortened, maxRows);
    const rowsOf = mapPages(deps, span, (page) =>
      mapYielding(page, (submission) => {
        progress.submissions += 1;
        const values = sheet.columns.read(deps, submission);
        return values && sheet.row(submission, values);
      }),
    );
    sheets.open();
    yield* archive.take();
    for await (const rows of rowsOf) {
      for (const row of rows) if (row) sheets.add(row);
      yield* archive.take();
    }
    sheets.close();
    for (const [name, text] of parts.workbookParts(options.words, sheets.count)) {
      archive.begin(name);
      archive.write(text);
    }
    archive.end();
    yield* archive.take();
  };
}

/** The sheets of a workbook, each with the header row. */
class Sheets {
  count = 0;
  #rows = 0;
  #bytes = 0;

  constructor(
    readonly archive: Archive,
    readonly header: readonly Cell[],
    readonly shortened: string,
    readonly maxRows: number,
  ) {}

  open(): void {
    this.count += 1;
    this.#rows = 0;
    this.#bytes = 0;
    this.archive.begin(parts.sheetPath(this.count));
    this.archive.write(parts.sheetStart(this.header.length));
    this.#write(this.header, true);
  }

  add(row: readonly Cell[]): void {
    if (this.#rows === this.maxRows || this.#bytes > MAX_SHEET_BYTES) {
      this.close();
      this.open();
    }
    this.#write(row, false);
  }

  close(): void {
    this.archive.write(parts.SHEET_END);
  }

  #write(row: readonly Cell[], isHeader: boolean): void {
    this.#rows += 1;
    this.#bytes += this.archive.write(parts.rowXml(this.#rows, row, isHeader, this.shortened));
  }
}

/** A ZIP archive whose bytes are taken as they appear. */
class Archive {
  #chunks: Uint8Array[] = [];
  #size = 0;
  #entry: ZipDeflate | ZipPassThrough | null = null;
  readonly #zip: Zip;

  constructor() {
    const onData: AsyncFlateStreamHandler = (error, chunk) => {
      if (error) throw error;
      this.#size += chunk.length;
      if (this.#size > MAX_FILE_BYTES) throw new Error('The workbook is larger than 4 GiB. Export CSV instead.');
      this.#chunks.push(chunk);
    };
    this.#zip = new Zip(onData);
  }

  /** Begins an entry and ends the previous one. */
  begin(name: string, isCompressed = true): void {
    this.#entry?.push(new Uint8Array(), true);
    this.#entry = isCompressed ? new ZipDeflate(name, { level: 3 }) : new ZipPassThrough(name);
    this.#zip.add(this.#entry);
  }

  /** Appends text to the entry. Returns its size in bytes. */
  write(text: string): number {
    const bytes = Buffer.from(text);
    this.#entry?.push(bytes);
    return bytes.length;
  }

  end(): void {
    this.#entry?.push(new Uint8Array(), true);
    this.#zip.end();
  }

  take(): readonly Uint8Array[] {
    return this.#chunks.splice(0);
  }
}
