import { formatKeyId } from '../vault/key-ring.ts';

type Mark = Readonly<{ id: number; check: string }>;

/** Those that are needed and not among those given. */
export function keysLacking(needed: readonly Mark[], given: readonly Mark[]): Mark[] {
  return needed.filter(({ id, check }) => !given.some((key) => key.id === id && key.check === check));
}

/** `1f2e3d4c, 5a6b7c8d`. */
export function keyNames(keys: ReadonlyArray<Readonly<{ id: number }>>): string {
  return keys.map(({ id }) => formatKeyId(id)).join(', ');
}
