import { formatKeyId } from '../../vault/key-ring.ts';

type KeyCheck = Readonly<{ id: number; check: string }>;

/** Returns the required keys that are not available. */
export function missingKeys(required: readonly KeyCheck[], available: readonly KeyCheck[]): KeyCheck[] {
  return required.filter(({ id, check }) => !available.some((key) => key.id === id && key.check === check));
}

/** Returns the key names for a message: `1f2e3d4c, 5a6b7c8d`. */
export function keyNames(keys: ReadonlyArray<Readonly<{ id: number }>>): string {
  return keys.map(({ id }) => formatKeyId(id)).join(', ');
}
