import { join } from 'node:path';
import domains from 'disposable-email-domains-js/dist/dict/disposable_email_blocklist.json' with { type: 'json' };
import { hostHash } from '../src/spam/disposable.ts';

/** Path of the list in the source. */
export const DISPOSABLE_LIST = join(import.meta.dir, '../src/spam/disposable.bin');

/** Returns the hosts of the package `disposable-email-domains-js` as sorted hashes without duplicates. */
export function disposableList(): Uint32Array<ArrayBuffer> {
  const hosts: readonly string[] = domains;
  return Uint32Array.from(new Set(hosts.map((host) => hostHash(host.toLowerCase())))).sort();
}

if (import.meta.main) await Bun.write(DISPOSABLE_LIST, disposableList());
