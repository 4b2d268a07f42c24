import { sanitizeFileName } from '../lib/file-name.ts';

/** Bytes at the start of a file that type detection reads. */
export const SAMPLE_BYTES = 4_100;

const UNKNOWN = 'application/octet-stream';

/** Loads the signatures with the first file: they take long. */
const load = () => import('file-type');

/** Container formats, with the types that are built on them and begin with the same signature. */
const CONTAINER_FORMATS: Readonly<Record<string, RegExp>> = {
  'application/zip': /openxmlformats|opendocument|macroenabled|java-archive|\+zip$/,
  'application/x-cfb': /msword|vnd\.ms-|vnd\.visio/,
  'application/xml': /xml$/,
};

/** Returns the media type of a Content-Type in lowercase without parameters; `application/octet-stream` if invalid. */
export function parseMediaType(contentType: string): string {
  const [type = ''] = contentType.split(';', 1);
  const mediaType = type.trim().toLowerCase();
  return /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/.test(mediaType) ? mediaType : UNKNOWN;
}

/**
 * A detected file type. `isContradicted` if the declared type has a known signature that the content lacks; `extension`
 * is the usual one of the detected signature, null if none was detected.
 */
export type FileType = Readonly<{ type: string; isContradicted: boolean; extension: string | null }>;

/**
 * Detects the type of a file from its declared type and first bytes. A detected signature overrides the declared type,
 * except for text, which may begin with anything, and for formats built on the detected container.
 */
export async function sniffType(declared: string, sample: Uint8Array): Promise<FileType> {
  if (isTextType(declared) && !sample.includes(0)) return { type: declared, isContradicted: false, extension: null };
  const detected = await detect(sample);
  if (!detected) return { type: declared, isContradicted: await hasSignature(declared), extension: null };
  const isBuiltOnContainer = CONTAINER_FORMATS[detected.mime]?.test(declared) ?? false;
  return { type: isBuiltOnContainer ? declared : detected.mime, isContradicted: false, extension: detected.ext };
}

/** Types of images that browsers show without running anything in them. */
export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/** Returns the type of an image of `IMAGE_TYPES` by its first bytes; null for anything else. */
export async function getImageType(sample: Uint8Array): Promise<string | null> {
  const detected = await detect(sample);
  return IMAGE_TYPES.find((type) => type === detected?.mime) ?? null;
}

/** Returns whether a list of media types and ranges such as `image/*` includes the type; an empty list allows all. */
export function isAllowedType(
  allowed: readonly string[],
  { type, isContradicted }: Pick<FileType, 'type' | 'isContradicted'>,
): boolean {
  if (allowed.length === 0) return true;
  return !isContradicted && (allowed.includes(type) || allowed.includes(type.replace(/\/.*/, '/*')));
}

/** Types of file extensions that the runtime does not know. */
const EXTRA_TYPES: Readonly<Record<string, string>> = { jfif: 'image/jpeg', tgz: 'application/gzip' };

/** Extensions of files that an operating system executes when they are opened. */
const EXECUTABLE_EXTENSIONS = new Set(
  `app appx bat cmd com command cpl desktop dmg exe hta jar jnlp js jse lnk mjs msc msi msix msp pif ps1 reg scf scr sct sh url vb
  vbe vbs wsf wsh xll`.split(/\s+/),
);

/** Types in which browsers run scripts. */
const SCRIPTABLE = /html|svg|javascript/;

/**
 * Returns whether a file name's extension is acceptable for the detected type; an empty list allows all. Systems open
 * files by extension alone, so an executable one must be in the list itself, and any other known one must match the
 * type, or be of the same top-level type and in the list. Unknown and numeric extensions are ignored.
 */
export async function isAllowedName(
  allowed: readonly string[],
  name: string,
  { type, extension }: FileType,
): Promise<boolean> {
  if (allowed.length === 0) return true;
  const nameExtension = getExtension(name);
  const nameType = EXTRA_TYPES[nameExtension] ?? parseMediaType(Bun.file(`x.${nameExtension}`).type);
  if (EXECUTABLE_EXTENSIONS.has(nameExtension)) {
    return allowed.some((item) => bareSubtype(item) === bareSubtype(nameType));
  }
  if (nameType === UNKNOWN || nameExtension === extension || bareSubtype(nameType) === bareSubtype(type)) return true;
  const isSameTopLevel = topLevelType(nameType) === topLevelType(type);
  const isListed = isAllowedType(allowed, { type: nameType, isContradicted: false });
  if (extension !== null) return isListed && isSameTopLevel;
  // Without a detected signature: a listed type that has no signature either, or the declared top-level type.
  const isPlausible = isSameTopLevel && topLevelType(type) !== 'application' && !SCRIPTABLE.test(nameType);
  return (isListed && !(await hasSignature(nameType))) || isPlausible;
}

/** Returns the extension of the saved name in lowercase, '0' for none. Systems drop trailing dots and spaces. */
function getExtension(name: string): string {
  const saved = sanitizeFileName(name, '').replace(/[\p{C}\p{Z}\s.]+$/u, '');
  const [, extension = ''] = /\.([a-z0-9]{1,16})$/.exec(saved.toLowerCase()) ?? [];
  return /^\d*$/.test(extension) ? '0' : extension;
}

/** Returns whether files of the type begin with a known signature. */
const hasSignature = async (type: string): Promise<boolean> =>
  ((await load()).supportedMimeTypes as ReadonlySet<string>).has(type);

const detect = async (sample: Uint8Array) => (await load()).fileTypeFromBuffer(sample).catch(() => undefined);

/** Returns the top-level media type, with audio counted as video because they share containers. */
function topLevelType(type: string): string {
  const [topLevel = ''] = type.split('/', 1);
  return topLevel === 'audio' ? 'video' : topLevel;
}

/** Returns the subtype without `x-`: `audio/x-wav` and `audio/wav`, or `audio/webm` and `video/webm`, are the same. */
const bareSubtype = (type: string): string => type.replace(/^.*\/(x-)?/, '');

function isTextType(type: string): boolean {
  return type.startsWith('text/') || type === 'application/json' || type.endsWith('+xml');
}
