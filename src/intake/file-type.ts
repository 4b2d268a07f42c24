import { fileTypeFromBuffer, supportedMimeTypes } from 'file-type';

/** How much of a file's beginning is looked at. */
export const SAMPLE_BYTES = 4_100;

const UNKNOWN = 'application/octet-stream';

/** Types whose contents begin like an archive's or a document's that many others are built on. */
const BUILT_ON: Readonly<Record<string, RegExp>> = {
  'application/zip': /openxmlformats|opendocument|macroenabled|java-archive|\+zip$/,
  'application/x-cfb': /msword|vnd\.ms-|vnd\.visio/,
  'application/xml': /xml$/,
};

/** What a file is said to be: a media type in small letters without parameters. */
export function claimedType(contentType: string): string {
  const [type = ''] = contentType.split(';', 1);
  const claimed = type.trim().toLowerCase();
  return /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/.test(claimed) ? claimed : UNKNOWN;
}

/** What a file is; `isContradicted` where its contents would tell if the claim were true, and do not. */
export type FileType = Readonly<{ type: string; isContradicted: boolean }>;

/**
 * Compares what a file is said to be with how it begins. Contents that tell a type win over the claim, but for text,
 * which may begin with anything, and for formats that lie in a container, which begin like it.
 */
export async function sniffType(claimed: string, sample: Uint8Array): Promise<FileType> {
  if (isTextType(claimed) && !sample.includes(0)) return { type: claimed, isContradicted: false };
  const found = await fileTypeFromBuffer(sample).catch(() => undefined);
  if (!found) return { type: claimed, isContradicted: (supportedMimeTypes as ReadonlySet<string>).has(claimed) };
  const isBuiltOnIt = BUILT_ON[found.mime]?.test(claimed) ?? false;
  return { type: isBuiltOnIt ? claimed : found.mime, isContradicted: false };
}

/** Whether a list of media types and ranges such as `image/*` has this type; an empty list has all. */
export function isAllowedType(allowed: readonly string[], { type, isContradicted }: FileType): boolean {
  if (allowed.length === 0) return true;
  const range = `${type.split('/', 1)[0]}/*`;
  return !isContradicted && (allowed.includes(type) || allowed.includes(range));
}

function isTextType(type: string): boolean {
  return type.startsWith('text/') || type === 'application/json' || type.endsWith('+xml');
}
