import { decodeExtended } from 'content-disposition';
import { AppError } from '../../domain/errors.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission.ts';
import { emptySubmission, tooLarge } from '../refusals.ts';
import { refuseLongName, refuseTooManyFields, type TextEntry, valueTooLong } from './entries.ts';
import { lossyUtf8 } from './utf8.ts';

/** What stands above a part: `filename` is null for a text field and may be empty for a file. */
type PartHead = Readonly<{ name: string; filename: string | null; contentType: string }>;

type PartEvent =
  | Readonly<{ type: 'head'; head: PartHead }>
  | Readonly<{ type: 'data'; bytes: Uint8Array }>
  | Readonly<{ type: 'end' }>;

const MAX_HEAD_BYTES = 16 * 1024;
const BLANK_LINE = Buffer.from('\r\n\r\n');

/** Takes the files of a post one after the other, each in pieces; `name` and `contentType` are as sent. */
export interface FileSink {
  begin(part: Readonly<{ field: string; name: string; contentType: string }>): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/**
 * Reads `multipart/form-data` (RFC 7578) as it arrives: texts are returned, files go to `files`. A part without a file
 * name and without a byte is what a browser sends for an empty input, and is no file. Throws `AppError` for what is not
 * such a body, beyond the limits, and for more than `textBytes` besides the files.
 */
export async function decodeMultipart(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  boundary: string,
  textBytes: number,
  files: FileSink,
): Promise<TextEntry[]> {
  const parser = new MultipartParser(boundary);
  const entries: TextEntry[] = [];
  let head: PartHead = { name: '', filename: null, contentType: '' };
  let value: Uint8Array[] = [];
  let length = 0;
  let parts = 0;
  let received = 0;
  let ofFiles = 0;
  const beginFile = () =>
    files.begin({ field: head.name.replace(/\[\]$/, ''), name: head.filename ?? '', contentType: head.contentType });

  for await (const chunk of chunks) {
    received += chunk.length;
    for (const event of parser.push(chunk)) {
      if (event.type === 'head') {
        refuseTooManyFields(++parts);
        refuseLongName(event.head.name);
        head = event.head;
        value = [];
        length = 0;
        if (head.filename) await beginFile();
      } else if (event.type === 'data') {
        length += event.bytes.length;
        if (head.filename === null) {
          if (length > SUBMISSION_LIMITS.valueBytes) throw valueTooLong(head.name);
          value.push(Buffer.from(event.bytes));
        } else {
          if (head.filename === '' && length === event.bytes.length) await beginFile();
          ofFiles += event.bytes.length;
          await files.write(event.bytes);
        }
      } else if (head.filename === null) {
        entries.push([head.name, lossyUtf8(Buffer.concat(value))]);
      } else if (head.filename || length > 0) {
        await files.end();
      }
    }
    if (received - ofFiles > textBytes) throw tooLarge(textBytes);
  }
  if (received === 0) throw emptySubmission();
  parser.finish();
  return entries;
}

/** Cuts a stream at its boundary (RFC 2046, section 5.1.1) into heads, data and ends. */
export class MultipartParser {
  readonly #delimiter: Buffer;
  #state: 'preamble' | 'delimiter' | 'head' | 'data' | 'epilogue' = 'preamble';
  /**
   * What was not yet decided; it begins with a line break so that a boundary at the very start is found like any other.
   */
  #rest: Buffer = Buffer.from('\r\n');

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** What the chunk completes: heads, data in pieces of any length, ends. It may be reused once all were taken. */
  *push(chunk: Uint8Array): Generator<PartEvent> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    yield* this.#take();
    this.#rest = Buffer.from(this.#rest);
  }

  *#take(): Generator<PartEvent> {
    for (;;) {
      if (this.#state === 'epilogue') {
        this.#rest = Buffer.alloc(0);
        return;
      }
      if (this.#state === 'delimiter') {
        if (!this.#afterDelimiter()) return;
      } else if (this.#state === 'head') {
        const head = this.#takeHead();
        if (!head) return;
        yield { type: 'head', head };
      } else {
        const inPart = this.#state === 'data';
        const at = this.#rest.indexOf(this.#delimiter);
        const length = at === -1 ? this.#rest.length - this.#undecided() : at;
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

  /** How many bytes at the end may be the beginning of a delimiter: a line break stands only at its start. */
  #undecided(): number {
    const end = this.#rest.subarray(-this.#delimiter.length + 1);
    const at = end.lastIndexOf(0x0d);
    return at !== -1 && this.#delimiter.indexOf(end.subarray(at)) === 0 ? end.length - at : 0;
  }

  /** Throws unless the closing boundary has come: a body cut short is no submission. */
  finish(): void {
    if (this.#state !== 'epilogue') throw malformed('it ends before its closing boundary');
  }

  /** Behind a delimiter stand `--` for the end, or padding and a line break. False while that cannot be told yet. */
  #afterDelimiter(): boolean {
    let at = 0;
    while (this.#rest[at] === 0x20 || this.#rest[at] === 0x09) at++;
    if (at > MAX_HEAD_BYTES) throw malformed('its boundary is not followed by a line break');
    if (this.#rest.length < at + 2) return false;
    const mark = this.#rest.toString('latin1', at, at + 2);
    if (mark !== '--' && mark !== '\r\n') throw malformed('its boundary is not followed by a line break');
    this.#state = mark === '--' ? 'epilogue' : 'head';
    // The line break stays in front of the head: without any header it is at once the blank line that ends it.
    this.#rest = this.#rest.subarray(mark === '--' ? at + 2 : at);
    return true;
  }

  #takeHead(): PartHead | null {
    const end = this.#rest.indexOf(BLANK_LINE);
    if (end > MAX_HEAD_BYTES || (end === -1 && this.#rest.length > MAX_HEAD_BYTES + BLANK_LINE.length)) {
      throw malformed('a part has too long a head');
    }
    if (end === -1) return null;
    const head = parseHead(lossyUtf8(this.#rest.subarray(0, end)));
    this.#rest = this.#rest.subarray(end + BLANK_LINE.length);
    this.#state = 'data';
    return head;
  }
}

function parseHead(text: string): PartHead {
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    // Where the blank line between two parts is missing, the second would take the place of the first.
    if (headers.has(name)) throw malformed('a part has the same header twice');
    if (name) headers.set(name, line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const name = parameter(disposition, 'name');
  if (!/^form-data\s*;/i.test(disposition) || name === null) throw malformed('a part has no name');
  // Against RFC 7578, some libraries send a name that is not ASCII as RFC 8187 has it, and some of them only so.
  const extended = parameter(disposition, 'filename*');
  const readable = decodeExtended(extended ?? '') || parameter(disposition, 'filename');
  // A name that cannot be read says all the same that this is a file.
  const filename = readable ?? (extended === null ? null : '');
  return { name, filename, contentType: headers.get('content-type') ?? '' };
}

/**
 * A parameter of Content-Disposition as browsers write it (WHATWG HTML, "multipart/form-data encoding algorithm"):
 * between quotes, with only `"`, CR and LF escaped, by percent signs. A backslash is a character like any other.
 */
function parameter(disposition: string, name: string): string | null {
  const parameters = /;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(?:"([^"]*)"|([^;"\s]*))/g;
  for (const [, key = '', quoted, token = ''] of disposition.matchAll(parameters)) {
    if (key.toLowerCase() !== name) continue;
    return (quoted ?? token).replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
  }
  return null;
}

/** The boundary in a Content-Type header; null if there is none that may be one. */
export function boundaryOf(contentType: string): string | null {
  const [, quoted, token] = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;",]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? token ?? null;
}

/** The refusal of a multipart body, with what is wrong with it. */
export function malformed(what: string): AppError {
  return new AppError('unreadable_body', `The multipart body cannot be read: ${what}.`);
}
