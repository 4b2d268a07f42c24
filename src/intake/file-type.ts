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

/**
 * What a file is; `isContradicted` where its contents would tell if the claim were true, and do not. `extension` is what its contents
 * usually go by, null where they do not tell.
 */
export type FileType = Readonly<{ type: string; isContradicted: boolean; extension: string | null }>;

/**
 * Compares what a file is said to be with how it begins. Contents that tell a type win over the claim, but for text,
 * which may begin with anything, and for formats that lie in a container, which begin like it.
 */
export async function sniffType(claimed: string, sample: Uint8Array): Promise<FileType> {
  if (isTextType(claimed) && !sample.includes(0)) return { type: claimed, isContradicted: false, extension: null };
  const found = await fileTypeFromBuffer(sample).catch(() => undefined);
  if (!found) {
    const isContradicted = (supportedMimeTypes as ReadonlySet<string>).has(claimed);
    return { type: claimed, isContradicted, extension: null };
  }
  const isBuiltOnIt = BUILT_ON[found.mime]?.test(claimed) ?? false;
  return { type: isBuiltOnIt ? claimed : found.mime, isContradicted: false, extension: found.ext };
}

/** Whether a list of media types and ranges such as `image/*` has this type; an empty list has all. */
export function isAllowedType(
  allowed: readonly string[],
  { type, isContradicted }: Pick<FileType, 'type' | 'isContradicted'>,
): boolean {
  if (allowed.length === 0) return true;
  return !isContradicted && (allowed.includes(type) || allowed.includes(`${kindOf(type)}/*`));
}

/** What the runtime does not know of the endings in use. */
const TYPE_OF: Readonly<Record<string, string>> = { jfif: 'image/jpeg', tgz: 'application/gzip' };

/**
 * Whether the ending of a name may stand for such a file: whoever opens it later goes by that alone. A picture may go by another
 * kind of picture that the list has too, and a name without an ending says nothing. An empty list has all.
 */
export function isAllowedName(allowed: readonly string[], name: string, { type, extension }: FileType): boolean {
  const [, ending] = /\.([^.\s]+)[. ]*$/.exec(name.toLowerCase()) ?? [];
  if (allowed.length === 0 || ending === undefined || ending === extension) return true;
  const meant = /^[a-z0-9]{1,16}$/.test(ending)
    ? (TYPE_OF[ending] ?? claimedType(Bun.file(`x.${ending}`).type))
    : UNKNOWN;
  // Nobody knows either of them.
  if (meant === UNKNOWN) return extension === null && kindOf(type) === 'application';
  const isAnother = kindOf(meant) === kindOf(type) && isAllowedType(allowed, { type: meant, isContradicted: false });
  return bareSubtype(meant) === bareSubtype(type) || isAnother;
}

function kindOf(type: string): string {
  return type.split('/', 1)[0] ?? '';
}

/** `audio/x-wav` and `audio/wav` are the same, and so are `audio/webm` and `video/webm`. */
function bareSubtype(type: string): string {
  return type.replace(/^.*\/(x-)?/, '');
}

function isTextType(type: string): boolean {
  return type.startsWith('text/') || type === 'application/json' || type.endsWith('+xml');
}
