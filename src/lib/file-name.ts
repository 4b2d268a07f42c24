/**
 * Makes an untrusted file name safe to save under: keeps the last path segment (RFC 6266, section 4.3) and drops
 * control characters and bidirectional marks, which can disguise the extension. Returns `fallback` if nothing remains.
 */
export function sanitizeFileName(name: string, fallback: string): string {
  const [last = ''] = name.toWellFormed().split(/[/\\]/).slice(-1);
  return last.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '').replace(/^\.+$/, '') || fallback;
}

/** Shortens a file name to `maxLength` code points, keeping its extension. */
export function truncateFileName(name: string, maxLength: number): string {
  const characters = Array.from(name);
  if (characters.length <= maxLength) return name;
  const extension = /\.[\p{L}\p{N}]{1,16}$/u.exec(name)?.[0] ?? '';
  return `${characters.slice(0, maxLength - 1 - extension.length).join('')}…${extension}`;
}

/** Replaces characters and names that Windows reserves, so that the file can be created on any system. */
export function portableFileName(name: string): string {
  const replaced = name.replace(/[<>:"|?*/\\]/g, '_').replace(/[. ]+$/, '_');
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(replaced) ? `_${replaced}` : replaced;
}

/** Returns `name`, numbered before its extension if `taken` has it in any letter case, and adds it to `taken`. */
export function uniqueFileName(name: string, taken: Set<string>): string {
  const extension = /(?<=.)\.[\p{L}\p{N}]{1,16}$/u.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  let unique = name;
  for (let number = 2; taken.has(unique.toLowerCase()); number++) unique = `${stem} (${number})${extension}`;
  taken.add(unique.toLowerCase());
  return unique;
}
