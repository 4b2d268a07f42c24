import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Socket } from 'bun';

const BLOCK = 4096;
/** The probability of an additional write-back at a sync. */
const WRITE_BACK = 0.1;

/**
 * A sync of a path in the data directory, such as `formstead.db-wal` or `files`. `isReader` marks a read-only
 * descriptor.
 */
export type Sync = Readonly<{ path: string; isReader: boolean }>;

/** A file: an open descriptor to read its content in memory, which also reserves its inode, and its content on disk. */
type TrackedFile = { readonly fd: number; readonly mode: number; onDisk: Buffer };
/** The entries of each folder by path: the inode of a file, or null for a folder. */
type Names = Map<string, Map<string, number | null>>;

/**
 * Simulated power supply of the machine that holds a data directory. Written data is on disk only after a sync: content
 * by a sync of the file, names by a sync of the folder. A cut kills all processes, and any part of the unsynced data
 * survives: single blocks, lengths, and all names of a folder or none.
 */
export class Power {
  readonly #files = new Map<number, TrackedFile>();
  #names: Names = new Map();
  /** The running processes by connection. */
  readonly #pids = new Map<Socket, number>();
  #cutAt = Number.POSITIVE_INFINITY;
  #off = Promise.withResolvers<void>();
  /** The number of syncs requested. */
  syncs = 0;
  isOff = false;
  readonly #listener;

  /** Creates the power supply. Syncs for which `isSwallowed` returns true do nothing. */
  constructor(
    private readonly dataDir: string,
    private readonly isSwallowed: (sync: Sync) => boolean = () => false,
    private readonly blockBytes = BLOCK,
  ) {
    this.#listener = Bun.listen({
      unix: this.socket,
      socket: {
        data: (from, data) => this.#receive(from, data.toString()),
        close: (from) => void this.#pids.delete(from),
      },
    });
  }

  /** The path of the socket that handles syncs: the value of `SYNC_SOCKET`. */
  get socket(): string {
    return `${this.dataDir}.power`;
  }

  /** Switches the machine on. All existing data counts as on disk. */
  on(): void {
    this.#forget();
    this.#names = this.#namesNow();
    for (const file of this.#files.values()) file.onDisk = bytesOf(file);
    this.#cutAt = Number.POSITIVE_INFINITY;
    this.#off = Promise.withResolvers();
    this.isOff = false;
  }

  /** The number of running processes. */
  get running(): number {
    return this.#pids.size;
  }

  /** Resolves when the power is cut. */
  get whenOff(): Promise<void> {
    return this.#off.promise;
  }

  /** Cuts the power instead of the sync with this number, counted from now. */
  cutAtSync(number: number): void {
    this.#cutAt = this.syncs + number;
  }

  /**
   * Replaces the data directory by its state on disk: what was synced, and any part of the rest unless `isAllLost`. All
   * processes must have exited.
   */
  restore(isAllLost = false): void {
    const now = this.#namesNow();
    const names = !isAllLost && isHeads() ? now : this.#names;
    const bytesAfter = (file: TrackedFile) => (isAllLost ? file.onDisk : survivorOf(file, this.blockBytes));
    const contents = new Map([...this.#files].map(([inode, file]) => [inode, { ...file, bytes: bytesAfter(file) }]));
    rmSync(this.dataDir, { recursive: true });
    for (const folder of [...names.keys()].sort()) {
      // A folder without an entry in its parent is lost with its content.
      const isThere = folder === '' || names.get(parentOf(folder))?.has(folder.slice(folder.lastIndexOf('/') + 1));
      if (!isThere) continue;
      mkdirSync(join(this.dataDir, folder), { mode: 0o700 });
      for (const [name, inode] of names.get(folder) ?? []) {
        const file = inode === null ? null : contents.get(inode);
        if (file) writeFileSync(join(this.dataDir, folder, name), file.bytes, { mode: file.mode });
      }
    }
  }

  close(): void {
    this.#listener.stop(true);
    this.#forget();
    rmSync(this.socket, { force: true });
  }

  #receive(from: Socket, text: string): void {
    for (const line of text.split('\n').filter(Boolean)) {
      if (line.startsWith('pid ')) {
        this.#pids.set(from, Number(line.slice(4)));
        // The process started after the cut.
        if (this.isOff) this.#cut();
        continue;
      }
      // No replies while the power is off.
      if (this.isOff) return;
      if (++this.syncs >= this.#cutAt) {
        this.#cut();
        return;
      }
      const sync = { path: relative(this.dataDir, line.slice(2)), isReader: line.startsWith('r') };
      if (!this.isSwallowed(sync)) this.#sync(sync);
      if (Math.random() < WRITE_BACK) this.#writeBack();
      from.write('.');
    }
  }

  #cut(): void {
    this.isOff = true;
    for (const pid of this.#pids.values()) process.kill(pid, 'SIGKILL');
    this.#pids.clear();
    this.#off.resolve();
  }

  #sync({ path }: Sync): void {
    const facts = statSync(join(this.dataDir, path), { throwIfNoEntry: false });
    if (facts?.isDirectory()) this.#names.set(path, this.#namesIn(path));
    else if (facts) {
      const file = this.#fileOf(path, facts.ino);
      file.onDisk = bytesOf(file);
    }
  }

  /** Simulates write-back by the kernel: some blocks of files, or all names. */
  #writeBack(): void {
    if (isHeads()) this.#names = this.#namesNow();
    for (const file of this.#files.values()) if (isHeads()) file.onDisk = survivorOf(file, this.blockBytes);
  }

  #namesNow(): Names {
    const names: Names = new Map();
    const walk = (folder: string) => {
      const inFolder = this.#namesIn(folder);
      names.set(folder, inFolder);
      for (const [name, inode] of inFolder) if (inode === null) walk(join(folder, name));
    };
    walk('');
    return names;
  }

  #namesIn(folder: string): Map<string, number | null> {
    const names = new Map<string, number | null>();
    for (const name of readdirSync(join(this.dataDir, folder))) {
      const path = join(folder, name);
      const facts = statSync(join(this.dataDir, path), { throwIfNoEntry: false });
      if (!facts) continue;
      if (!facts.isDirectory()) this.#fileOf(path, facts.ino);
      names.set(name, facts.isDirectory() ? null : facts.ino);
    }
    return names;
  }

  #fileOf(path: string, inode: number): TrackedFile {
    const known = this.#files.get(inode);
    if (known) return known;
    const fd = openSync(join(this.dataDir, path), 'r');
    const file = { fd, mode: fstatSync(fd).mode & 0o777, onDisk: Buffer.alloc(0) };
    this.#files.set(inode, file);
    return file;
  }

  #forget(): void {
    for (const { fd } of this.#files.values()) closeSync(fd);
    this.#files.clear();
  }
}

function bytesOf({ fd }: TrackedFile): Buffer {
  const bytes = Buffer.alloc(fstatSync(fd).size);
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
}

/** Returns a random state of a file after a cut, mixed from its synced and its unsynced content. */
function survivorOf(file: TrackedFile, block: number): Buffer {
  const { onDisk } = file;
  const inMemory = bytesOf(file);
  const survives = [0, 0.1, 0.5, 0.9, 1][Math.floor(Math.random() * 5)] ?? 0;
  const isAny = Math.random() < survives;
  const bytes = Buffer.alloc(isAny ? inMemory.length : onDisk.length);
  for (let at = 0; at < bytes.length; at += block) {
    // Truncated content disappears together with the length, because a journal applies a truncation atomically.
    const from = at < inMemory.length && Math.random() < survives ? inMemory : onDisk;
    bytes.set(from.subarray(at, Math.min(at + block, bytes.length)), at);
  }
  return bytes;
}

function isHeads(): boolean {
  return Math.random() < 0.5;
}

function parentOf(folder: string): string {
  const parent = dirname(folder);
  return parent === '.' ? '' : parent;
}
