import { open } from 'node:fs/promises';
import { invalidInput } from '../domain/errors.ts';

/** Encodings of `--encoding`. Browsers and spreadsheets also say Latin-1 for Windows-1252. */
export const ENCODINGS = ['utf-8', 'windows-1252', 'latin1', 'utf-16le'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const BYTE_ORDER_MARKS: ReadonlyArray<readonly [bytes: readonly number[], encoding: Bun.Encoding]> = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];
const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a text file in chunks. A byte order mark takes precedence over `encoding`. Throws `invalid_input` for bytes that
 * are not in this encoding.
 */
export async function* readText(path: string, encoding: Encoding): AsyncGenerator<string> {
  await using file = await open(path).catch((error: Error) => {
    throw invalidInput(`Could not read ${path}: ${error.message}.`);
  });
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let decoder: TextDecoder | null = null;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
    const bytes = chunk.subarray(0, bytesRead);
    if (!decoder) refuseOtherFormats(bytes);
    decoder ??= new TextDecoder(markedEncoding(bytes) ?? encoding, { fatal: true });
    const text = decode(decoder, bytes, bytesRead > 0);
    if (text !== '') yield text;
    if (bytesRead === 0) return;
  }
}

/** The beginnings of files that are taken for exports, in Latin-1. */
const OTHER_FORMATS = { 'PK\x03\x04': 'an Excel workbook or a ZIP file', '\xd0\xcf\x11\xe0': 'an Excel workbook' };
const WEB_PAGE = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|body|table)\b/i;

function refuseOtherFormats(bytes: Buffer): void {
  const start = bytes.toString('latin1', 0, 1024);
  const [, format] = Object.entries(OTHER_FORMATS).find(([mark]) => start.startsWith(mark)) ?? [];
  const found = WEB_PAGE.test(start) ? 'a web page' : format;
  if (found === undefined) return;
  throw invalidInput(`The file is ${found}. Export the submissions as CSV, or save them as CSV.`);
}

function markedEncoding(start: Uint8Array): Bun.Encoding | undefined {
  return BYTE_ORDER_MARKS.find(([mark]) => mark.every((byte, index) => start[index] === byte))?.[1];
}

function decode(decoder: TextDecoder, bytes: Uint8Array, hasMore: boolean): string {
  let text: string;
  try {
    text = decoder.decode(bytes, { stream: hasMore });
  } catch {
    throw invalidInput(
      `The file is not encoded as ${decoder.encoding}. Pass its encoding, such as --encoding windows-1252 for files of Excel, or save it as UTF-8.`,
    );
  }
  if (!text.includes('\0')) return text;
  throw invalidInput('The file contains NUL characters. Pass --encoding utf-16le, or save it as UTF-8.');
}
