import { readFileSync } from 'node:fs';
import hashes from './disposable.bin' with { type: 'file' };
import type { Signal } from './signal.ts';
import type { SubmittedText } from './text.ts';

/** Labels of a host name that are looked up; longer names belong to nobody's mailbox. */
const MAX_LABELS = 6;

let table: Uint32Array | null = null;

/** Finds an address of a disposable mailbox service, or of one of its subdomains. */
export function disposableSignals({ fields }: SubmittedText): Signal[] {
  for (const { address } of fields) {
    if (address !== null && isDisposable(address.slice(address.indexOf('@') + 1))) {
      return [{ weight: 35, reason: 'the address is from a disposable mailbox service' }];
    }
  }
  return [];
}

/** Returns whether a lowercase host or a parent domain of it is in the list of disposable mailbox services. */
export function isDisposable(host: string): boolean {
  table ??= readTable();
  let dots = 0;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) dots += 1;
  if (dots >= MAX_LABELS) return false;
  let from = 0;
  for (; dots > 0; dots -= 1) {
    if (contains(table, hostHash(host, from))) return true;
    from = host.indexOf('.', from) + 1;
  }
  return false;
}

/** Returns the hash by which a host is listed (FNV-1a, 32 bit): one of 480,000 other hosts would match by chance. */
export function hostHash(host: string, from = 0): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < host.length; at++) hash = Math.imul(hash ^ host.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Reads the sorted hashes that `bun run generate disposable` writes. */
function readTable(): Uint32Array {
  const bytes = readFileSync(hashes);
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

function contains(sorted: Uint32Array, hash: number): boolean {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? 0) < hash) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === hash;
}
