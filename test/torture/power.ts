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
/** So often the disk does more at a sync than it was asked to. */
const WRITE_BACK = 0.1;

/** One sync, by the path in the data directory, such as `formstead.db-wal` or `files`; `isReader` if its descriptor cannot write. */
export type Sync = Readonly<{ path: string; isReader: boolean }>;

/** What a file holds in memory, read by its descriptor, which stays open so that its inode is not given to another; and on the disk. */
type Kept = { readonly fd: number; readonly mode: number; onDisk: Buffer };
/** The names in each folder, by its path: inodes of files, null for folders. */
type Names = Map<string, Map<string, number | null>>;

/**
 * The power of the machine below a data directory. What the program writes is in memory, and on the disk only once it was
 * synced: the bytes of a file by a sync of the file, its name by one of its folder. When the power is cut all processes are killed,
 * and of what was not synced any part may have survived: blocks of 4 KiB one by one, lengths, and all names or none.
 */
export class Power {
  readonly #files = new Map<number, Kept>();
  #names: Names = new Map();
  /** The processes that run, by their connections. */
  readonly #pids = new Map<Socket, number>();
  #cutAt = Number.POSITIVE_INFINITY;
  #dark = Promise.withResolvers<void>();
  /** How many were asked for so far. */
  syncs = 0;
  isOff = false;
  readonly #listener;

  /** `isSwallowed` says which syncs do nothing. */
  constructor(
    private readonly dataDir: string,
    private readonly isSwallowed: (sync: Sync) => boolean = () => false,
  ) {
    this.#listener = Bun.listen({
      unix: this.socket,
      socket: {
        data: (from, data) => this.#hear(from, data.toString()),
        close: (from) => void this.#pids.delete(from),
      },
    });
  }

  /** Where the program asks: the value of `KEEPER`. */
  get socket(): string {
    return `${this.dataDir}.power`;
  }

  /** Everything that is there is on the disk: the machine has just been switched on. */
  on(): void {
    this.#forget();
    this.#names = this.#namesNow();
    for (const file of this.#files.values()) file.onDisk = bytesOf(file);
    this.#cutAt = Number.POSITIVE_INFINITY;
    this.#dark = Promise.withResolvers();
    this.isOff = false;
  }

  /** How many processes there are. */
  get running(): number {
    return this.#pids.size;
  }

  /** Fulfilled once the power was cut. */
  get whenOff(): Promise<void> {
    return this.#dark.promise;
  }

  /** Cuts the power when this sync is asked for, counted from now; nothing of it is done. */
  cutAtSync(number: number): void {
    this.#cutAt = this.syncs + number;
  }

  /** Leaves in the data directory what is on the disk; the process must have ended. */
  restore(): void {
    const now = this.#namesNow();
    const names = isHeads() ? now : this.#names;
    const contents = new Map([...this.#files].map(([inode, file]) => [inode, { ...file, bytes: survivorOf(file) }]));
    rmSync(this.dataDir, { recursive: true });
    for (const folder of [...names.keys()].sort()) {
      // A folder without a name in the one above it is lost with what it holds.
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

  #hear(from: Socket, text: string): void {
    for (const line of text.split('\n').filter(Boolean)) {
      if (line.startsWith('pid ')) {
        this.#pids.set(from, Number(line.slice(4)));
        // It came too late.
        if (this.isOff) this.#cut();
        continue;
      }
      // In the dark nobody is answered.
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
    this.#dark.resolve();
  }

  #sync({ path }: Sync): void {
    const facts = statSync(join(this.dataDir, path), { throwIfNoEntry: false });
    if (facts?.isDirectory()) this.#names.set(path, this.#namesIn(path));
    else if (facts) {
      const file = this.#fileOf(path, facts.ino);
      file.onDisk = bytesOf(file);
    }
  }

  /** What a system does by itself now and then: it brings some blocks to the disk, or all names. */
  #writeBack(): void {
    if (isHeads()) this.#names = this.#namesNow();
    for (const file of this.#files.values()) if (isHeads()) file.onDisk = survivorOf(file);
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

  #fileOf(path: string, inode: number): Kept {
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

function bytesOf({ fd }: Kept): Buffer {
  const bytes = Buffer.alloc(fstatSync(fd).size);
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
}

/** One of the states in which a file may be on the disk, by what of it was synced and what of it is in memory. */
function survivorOf(file: Kept): Buffer {
  const { onDisk } = file;
  const inMemory = bytesOf(file);
  const survives = [0, 0.1, 0.5, 0.9, 1][Math.floor(Math.random() * 5)] ?? 0;
  const isAny = Math.random() < survives;
  const bytes = Buffer.alloc(isAny ? inMemory.length : onDisk.length);
  for (let at = 0; at < bytes.length; at += BLOCK) {
    // What was cut off a file is gone with its length, never before: a journal takes the cut as a whole.
    const from = at < inMemory.length && Math.random() < survives ? inMemory : onDisk;
    bytes.set(from.subarray(at, Math.min(at + BLOCK, bytes.length)), at);
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
