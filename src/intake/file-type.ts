import { fileTypeFromBuffer, supportedMimeTypes } from 'file-type';
import { sanitizeFileName } from '../lib/file-name.ts';

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
    return { type: claimed, isContradicted: isToldByContents(claimed), extension: null };
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
  return !isContradicted && (allowed.includes(type) || allowed.includes(type.replace(/\/.*/, '/*')));
}

/** What the runtime does not know of the endings in use. */
const TYPE_OF: Readonly<Record<string, string>> = { jfif: 'image/jpeg', tgz: 'application/gzip' };

/** Endings of what a system runs when it is opened. */
const RUN = new Set(
  `app appx bat cmd com command cpl desktop dmg exe hta jar jnlp js jse lnk mjs msc msi msix msp pif ps1 reg scf scr sct sh url vb
  vbe vbs wsf wsh xll`.split(/\s+/),
);

/** Types that a browser runs scripts in; no other type stands for them. */
const SCRIPTED = /html|svg|javascript/;

/**
 * Whether the ending of a name may stand for such a file: whoever opens it later goes by that alone. An ending that nobody knows,
 * or of digits alone, is none, and a name without one says nothing; what a system runs has to be in the list itself. Where the
 * contents tell a type, the ending has to be of that, or of the same kind and in the list: a picture may go by another kind of
 * picture. Where they do not, it may be of any type in the list that they would not tell either, or of the same kind as claimed. An empty
 * list has all.
 */
export function isAllowedName(allowed: readonly string[], name: string, { type, extension }: FileType): boolean {
  if (allowed.length === 0) return true;
  const ending = endingOf(name);
  const meant = TYPE_OF[ending] ?? claimedType(Bun.file(`x.${ending}`).type);
  if (RUN.has(ending)) return allowed.some((item) => bareSubtype(item) === bareSubtype(meant));
  if (meant === UNKNOWN || ending === extension || bareSubtype(meant) === bareSubtype(type)) return true;
  const isSameKind = kindOf(meant) === kindOf(type);
  const isListed = isAllowedType(allowed, { type: meant, isContradicted: false });
  if (extension !== null) return isListed && isSameKind;
  return (
    (isListed && !isToldByContents(meant)) || (isSameKind && kindOf(type) !== 'application' && !SCRIPTED.test(meant))
  );
}

/** The ending of a name as it is saved, in small letters, '0' for none: systems drop dots and spaces behind it. */
function endingOf(name: string): string {
  const saved = sanitizeFileName(name, '').replace(/[\p{C}\p{Z}\s.]+$/u, '');
  const [, ending = ''] = /\.([a-z0-9]{1,16})$/.exec(saved.toLowerCase()) ?? [];
  return /^\d*$/.test(ending) ? '0' : ending;
}

function isToldByContents(type: string): boolean {
  return (supportedMimeTypes as ReadonlySet<string>).has(type);
}

/** Sound may lie in a film's file. */
function kindOf(type: string): string {
  const [kind = ''] = type.split('/', 1);
  return kind === 'audio' ? 'video' : kind;
}

/** `audio/x-wav` and `audio/wav` are the same, and so are `audio/webm` and `video/webm`. */
function bareSubtype(type: string): string {
  return type.replace(/^.*\/(x-)?/, '');
}

function isTextType(type: string): boolean {
  return type.startsWith('text/') || type === 'application/json' || type.endsWith('+xml');
}
