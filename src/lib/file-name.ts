/**
 * A stranger's file name as it may be saved: its last part (RFC 6266, section 4.3), without control characters and marks
 * that turn a text around and so hide its ending; `fallback` where nothing is left.
 */
export function sanitizeFileName(name: string, fallback: string): string {
  const [last = ''] = name.toWellFormed().split(/[/\\]/).slice(-1);
  return last.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '').replace(/^\.+$/, '') || fallback;
}

/** A file name of at most so many characters, which keeps its ending. */
export function truncateFileName(name: string, maxLength: number): string {
  const characters = Array.from(name);
  if (characters.length <= maxLength) return name;
  const extension = /\.[\p{L}\p{N}]{1,16}$/u.exec(name)?.[0] ?? '';
  return `${characters.slice(0, maxLength - 1 - extension.length).join('')}…${extension}`;
}

/** A file name that every system takes: what Windows keeps for itself is changed. */
export function portableFileName(name: string): string {
  const taken = name.replace(/[<>:"|?*/\\]/g, '_').replace(/[. ]+$/, '_');
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(taken) ? `_${taken}` : taken;
}

/** The name with a number before its ending, unless none of `taken` is the same but for capitals; it is put there. */
export function uniqueFileName(name: string, taken: Set<string>): string {
  const extension = /(?<=.)\.[\p{L}\p{N}]{1,16}$/u.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  let unique = name;
  for (let number = 2; taken.has(unique.toLowerCase()); number++) unique = `${stem} (${number})${extension}`;
  taken.add(unique.toLowerCase());
  return unique;
}
