/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { normalize } from '../../lib/normalize.ts';

/** A text with the words of a search highlighted. */
export function Marked({ text, words }: Readonly<{ text: string; words: readonly string[] }>) {
  if (words.length === 0) return <>{text}</>;
  // The pattern has a group, so that `split` returns the matches at odd positions.
  const parts = normalize(text, 'NFC').split(new RegExp(`(${words.map(RegExp.escape).join('|')})`, 'iu'));
  return <>{parts.map((part, index) => (index % 2 === 1 ? <mark>{part}</mark> : part))}</>;
}
