/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { HUES } from './hues.ts';
import { Icon } from './icon.tsx';

const NAMES = Object.keys(HUES);

/** Returns the class of a hue for a key, such as an email address. The same key always gets the same hue. */
export function hueClass(key: string): string {
  let hash = 0;
  for (const character of key.trim().toLowerCase()) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
  return `hue-${NAMES[hash % NAMES.length]}`;
}

/** Returns two letters of a name or address: of its first and last word, or of a single one. Empty for a sentence. */
export function initials(name: string): string {
  const [local = ''] = name.split('@');
  const words = local.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [];
  if (words.length > 5) return '';
  const [first = '', last] = words.length > 1 ? [words[0], words.at(-1)] : words;
  return last === undefined ? [...first].slice(0, 2).join('') : `${[...first][0]}${[...last][0]}`;
}

/** A round picture of a person or a team: two letters in the hue of `of`, an email address or an id. Decorative. */
export function Avatar({ name, of }: Readonly<{ name: string; of: string }>) {
  return (
    <span class={`avatar ${hueClass(of)}`} aria-hidden="true">
      {initials(name) || <Icon name="account" />}
    </span>
  );
}
