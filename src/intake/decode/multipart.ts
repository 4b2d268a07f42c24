import { decodeExtended } from 'content-disposition';
import { AppError } from '../../domain/errors.ts';
import { SUBMISSION_LIMITS } from '../../domain/submissions/submission.ts';
import type { Reserve } from '../../lib/read-body.ts';
import { emptySubmission, tooLarge } from '../refusals.ts';
import { refuseLongName, refuseTooManyFields, type TextEntry, valueTooLong } from './entries.ts';
import { lossyUtf8 } from './utf8.ts';

/** Headers of a part; `filename` is null for a text field and may be empty for a file. */
type PartHeaders = Readonly<{ name: string; filename: string | null; contentType: string }>;

type PartEvent =
  | Readonly<{ type: 'headers'; headers: PartHeaders; length: number }>
  | Readonly<{ type: 'data'; bytes: Uint8Array }>
  | Readonly<{ type: 'end' }>;

const MAX_HEADER_BYTES = 16 * 1024;
/** Text and headers beyond this length are decoded in a separate turn. */
const LONG_TEXT_BYTES = 64 * 1024;
const PARAMETER = /;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(?:"([^"]*)"|([^;"\s]*))/g;
const BLANK_LINE = Buffer.from('\r\n\r\n');

/** Receiver for the files of a post, one after the other; `name` and `contentType` are not validated. */
export interface FileSink {
  start(part: Readonly<{ field: string; name: string; contentType: string }>): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
}

type Hooks = Readonly<{ reserve?: Reserve; nextTurn?: () => Promise<void> }>;

/**
 * Decodes `multipart/form-data` (RFC 7578) as it arrives: returns text fields and writes files to `files`. A file part
 * without name and bytes is a browser's empty input and is skipped. Throws `AppError` for a malformed body, beyond the
 * limits, and for more than `textBytes` besides file contents. `reserve` is called for text values as they arrive, and
 * `nextTurn` once if there is much text.
 */
export async function decodeMultipart(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  boundary: string,
  textBytes: number,
  files: FileSink,
  { reserve = () => {}, nextTurn = async () => {} }: Hooks = {},
): Promise<TextEntry[]> {
  const parser = new MultipartParser(boundary);
  const entries: TextEntry[] = [];
  let headers: PartHeaders = { name: '', filename: null, contentType: '' };
  let value: Uint8Array[] = [];
  let length = 0;
  let parts = 0;
  let received = 0;
  let fileBytes = 0;
  let textLength = 0;
  const countText = async (bytes: number) => {
    const wasLong = textLength > LONG_TEXT_BYTES;
    textLength += bytes;
    if (textLength > LONG_TEXT_BYTES && !wasLong) await nextTurn();
  };
  const startFile = () => {
    const { name, filename, contentType } = headers;
    return files.start({ field: name.replace(/\[\]$/, ''), name: filename ?? '', contentType });
  };

  for await (const chunk of chunks) {
    received += chunk.length;
    for (const event of parser.push(chunk)) {
      if (event.type === 'headers') {
        await countText(event.length);
        refuseTooManyFields(++parts);
        refuseLongName(event.headers.name);
        headers = event.headers;
        value = [];
        length = 0;
        if (headers.filename) await startFile();
      } else if (event.type === 'data') {
        length += event.bytes.length;
        if (headers.filename === null) {
          if (length > SUBMISSION_LIMITS.valueBytes) throw valueTooLong(headers.name);
          reserve(event.bytes.length);
          await countText(event.bytes.length);
          value.push(Buffer.from(event.bytes));
        } else {
          if (headers.filename === '' && length === event.bytes.length) await startFile();
          fileBytes += event.bytes.length;
          await files.write(event.bytes);
        }
      } else if (headers.filename === null) {
        entries.push([headers.name, lossyUtf8(Buffer.concat(value))]);
      } else if (headers.filename || length > 0) {
        await files.finish();
      }
    }
    if (received - fileBytes > textBytes) throw tooLarge(textBytes);
  }
  if (received === 0) throw emptySubmission();
  parser.finish();
  return entries;
}

/** Incremental parser that splits a stream at its boundary (RFC 2046, section 5.1.1) into headers, data and ends. */
export class MultipartParser {
  readonly #delimiter: Buffer;
  #state: 'preamble' | 'delimiter' | 'headers' | 'data' | 'epilogue' = 'preamble';
  /** Unparsed bytes. */
  #rest: Buffer = Buffer.alloc(0);
  #hasStarted = false;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** Yields the events that the chunk completes; data comes in pieces of any length. The chunk may be reused after. */
  *push(chunk: Uint8Array): Generator<PartEvent> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (!this.#hasStarted && bytes.length > 0) this.#rest = this.#start(bytes);
    else this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    yield* this.#parse();
    this.#rest = Buffer.from(this.#rest);
  }

  /** Skips a boundary at the very start, which no line break precedes, and returns the unparsed bytes. */
  #start(bytes: Buffer): Buffer {
    this.#hasStarted = true;
    const boundary = this.#delimiter.subarray(2);
    // A line break before the bytes completes the delimiter of a boundary that is split between chunks.
    if (!bytes.subarray(0, boundary.length).equals(boundary)) return Buffer.concat([Buffer.from('\r\n'), bytes]);
    this.#state = 'delimiter';
    return bytes.subarray(boundary.length);
  }

  *#parse(): Generator<PartEvent> {
    for (;;) {
      if (this.#state === 'epilogue') {
        this.#rest = Buffer.alloc(0);
        return;
      }
      if (this.#state === 'delimiter') {
        if (!this.#endDelimiter()) return;
      } else if (this.#state === 'headers') {
        const unparsed = this.#rest.length;
        const headers = this.#readHeaders();
        if (!headers) return;
        yield { type: 'headers', headers, length: unparsed - this.#rest.length };
      } else {
        const inPart = this.#state === 'data';
        const at = this.#rest.indexOf(this.#delimiter);
        const length = at === -1 ? this.#rest.length - this.#partialDelimiter() : at;
        if (inPart && length > 0) yield { type: 'data', bytes: this.#rest.subarray(0, length) };
        if (at === -1) {
          this.#rest = this.#rest.subarray(length);
          return;
        }
        if (inPart) yield { type: 'end' };
        this.#rest = this.#rest.subarray(at + this.#delimiter.length);
        this.#state = 'delimiter';
      }
    }
  }

  /** Returns the number of trailing bytes that may begin a delimiter, whose only line break is at its start. */
  #partialDelimiter(): number {
    const end = this.#rest.subarray(-this.#delimiter.length + 1);
    const at = end.lastIndexOf(0x0d);
    return at !== -1 && this.#delimiter.indexOf(end.subarray(at)) === 0 ? end.length - at : 0;
  }

  /** Throws `unreadable_body` unless the closing boundary was parsed, so that truncated bodies are refused. */
  finish(): void {
    if (this.#state !== 'epilogue') throw malformed('its closing boundary is missing');
  }

  /** Reads `--` for the end, or padding and a line break. Returns false if more bytes are needed. */
  #endDelimiter(): boolean {
    let at = 0;
    while (this.#rest[at] === 0x20 || this.#rest[at] === 0x09) at++;
    if (at > MAX_HEADER_BYTES) throw malformed('a boundary is not followed by a line break');
    if (this.#rest.length < at + 2) return false;
    const suffix = this.#rest.toString('latin1', at, at + 2);
    if (suffix !== '--' && suffix !== '\r\n') throw malformed('a boundary is not followed by a line break');
    this.#state = suffix === '--' ? 'epilogue' : 'headers';
    // Keep the line break: for a part without headers it is the first half of the blank line.
    this.#rest = this.#rest.subarray(suffix === '--' ? at + 2 : at);
    return true;
  }

  /** Returns the headers of a part; null if more bytes are needed. */
  #readHeaders(): PartHeaders | null {
    const end = this.#rest.indexOf(BLANK_LINE);
    if (end > MAX_HEADER_BYTES || (end === -1 && this.#rest.length > MAX_HEADER_BYTES + BLANK_LINE.length)) {
      throw malformed('the headers of a part are too long');
    }
    if (end === -1) return null;
    const headers = parseHeaders(lossyUtf8(this.#rest.subarray(0, end)));
    this.#rest = this.#rest.subarray(end + BLANK_LINE.length);
    this.#state = 'data';
    return headers;
  }
}

function parseHeaders(text: string): PartHeaders {
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    // A missing blank line merges two parts: without this check the second header would replace the first.
    if (headers.has(name)) throw malformed('a part has the same header twice');
    if (name) headers.set(name, line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const parameters = getParameters(disposition);
  const name = parameters.get('name');
  if (!/^form-data\s*;/i.test(disposition) || name === undefined) throw malformed('a part has no name');
  // Against RFC 7578, some libraries send names beyond ASCII in RFC 8187 encoding, some without plain `filename`.
  const extended = parameters.get('filename*');
  const decoded = decodeExtended(extended ?? '') || parameters.get('filename');
  // An undecodable name still marks the part as a file.
  const filename = decoded ?? (extended === undefined ? null : '');
  return { name, filename, contentType: headers.get('content-type') ?? '' };
}

/**
 * Returns the parameters of Content-Disposition as browsers write them (WHATWG HTML, "multipart/form-data encoding
 * algorithm"): quoted, with only `"`, CR and LF percent-encoded. A backslash is no escape. The first of a name counts.
 */
function getParameters(disposition: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, key = '', quoted, token = ''] of disposition.matchAll(PARAMETER)) {
    const name = key.toLowerCase();
    if (parameters.has(name)) continue;
    const value = quoted ?? token;
    parameters.set(name, value.includes('%') ? unescapeQuotes(value) : value);
  }
  return parameters;
}

function unescapeQuotes(value: string): string {
  return value.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

/** Returns the boundary in a Content-Type header; null if missing or invalid. */
export function getBoundary(contentType: string): string | null {
  const [, quoted, token] = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;",]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? token ?? null;
}

/** Returns the refusal of a malformed multipart body. */
export function malformed(reason: string): AppError {
  return new AppError('unreadable_body', `Could not read the multipart body: ${reason}.`);
}
