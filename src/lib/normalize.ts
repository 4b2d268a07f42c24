const ASCII = /^[\0-\x7f]*$/;
/** So many marks of one character are more than any language has (UAX #15, D4). */
const MARK_RUN = /\p{M}{30}(?=\p{M})/gu;

/**
 * Like `String.normalize`, in time that grows with the length alone: the platform's sorts the marks that follow a character
 * one by one, and takes a minute for 250 KB of them. As UAX #15 has it ("stream-safe"), a run is cut by U+034F.
 */
export function normalize(text: string, form: 'NFC' | 'NFKC'): string {
  if (ASCII.test(text)) return text;
  return text.replace(MARK_RUN, '$&\u034f').normalize(form);
}
