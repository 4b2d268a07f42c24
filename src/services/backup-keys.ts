import { keyName } from '../domain/backup.ts';
import { type MasterKey, parseMasterKey } from '../vault/key-ring.ts';

type Mark = Readonly<{ id: number; check: string }>;

/** The keys in the text of a key file, one a line; what is no key is left out. */
export function keysIn(text: string): MasterKey[] {
  return text.split('\n').flatMap((line) => parseMasterKey(line) ?? []);
}

/** Those that are needed and not among those given. */
export function keysLacking(needed: readonly Mark[], given: readonly Mark[]): Mark[] {
  return needed.filter(({ id, check }) => !given.some((key) => key.id === id && key.check === check));
}

/** `1f2e3d4c, 5a6b7c8d`. */
export function keyNames(keys: ReadonlyArray<Readonly<{ id: number }>>): string {
  return keys.map(keyName).join(', ');
}
