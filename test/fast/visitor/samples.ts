import { crc32, deflateSync } from 'node:zlib';

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

function pngChunk(type: string, data: Uint8Array): Buffer<ArrayBuffer> {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Returns a PNG of one gray pixel, with `textBytes` of text before it. */
export function png(textBytes = 0): Buffer<ArrayBuffer> {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from(PNG_SIGNATURE),
    pngChunk('IHDR', header),
    ...(textBytes > 0 ? [pngChunk('tEXt', Buffer.alloc(textBytes, 'x'))] : []),
    pngChunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns a ZIP archive of stored files without its central directory, which detection does not read. */
export function zip(entries: Readonly<Record<string, string>>): Buffer<ArrayBuffer> {
  const parts = Object.entries(entries).map(([name, content]) => {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt32LE(crc32(content), 14);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt32LE(content.length, 22);
    head.writeUInt16LE(name.length, 26);
    return Buffer.concat([head, Buffer.from(name), Buffer.from(content)]);
  });
  return Buffer.concat(parts);
}

const WORD_PART = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const CONTENT_TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${WORD_PART}"/></Types>`;

/** Returns a document like a word processor's, whose text may come late. */
export function docx(stylesLength = 10): Buffer<ArrayBuffer> {
  return zip({
    '[Content_Types].xml': CONTENT_TYPES,
    'word/styles.xml': '<a/>'.repeat(stylesLength),
    'word/document.xml': '<w:document/>',
  });
}

export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const PDF = '%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n<<>>\nendobj\n';
export const HTML = '<!doctype html><script>alert(1)</script>';
export const EXE = Buffer.concat([
  Buffer.from('MZ'),
  Buffer.alloc(58),
  Buffer.from([0x80, 0, 0, 0]),
  Buffer.alloc(200),
]);
