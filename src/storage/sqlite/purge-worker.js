// Worker that overwrites the free space of a database: bytes of its pages that belong to no row, where SQLite can leave
// copies of rows that it moved. Then it empties the write-ahead log. It receives the path and the file descriptor of the
// database, and `stop` to end early; it replies the reason why copies may be left, or null.
//
// Pages are changed in the file itself. While a read transaction began with a fully checkpointed log, SQLite writes
// nothing to that file, and others keep writing to the log. Only free bytes are written, so readers see no difference,
// and after a power cut any part of it may be on disk. Pages that others changed meanwhile are done again, the last of
// them under the write lock.
//
// On macOS fdatasync does not empty the cache of the drive, but the checkpoint of the last commit does (F_FULLFSYNC).
import { Database } from 'bun:sqlite';
import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

const LOCK_TIMEOUT_MS = 5_000;
/** Duration of a step, after which the log is checkpointed. */
const STEP_MS = 250;
const BLOCK_PAGES = 256;
/** Pages overwritten before a sync, since a large sync delays those of others. */
const SYNC_PAGES = 1_000;
/** Pages overwritten under the write lock, in a few milliseconds. */
const LOCKED_PAGES = 500;
/** Rounds after the whole file to get below `LOCKED_PAGES` while others write. */
const MAX_ROUNDS = 50;
/** Attempts to empty the log, which fail while others write, and the pause after each. */
const TRUNCATE_ATTEMPTS = 50;
const TRUNCATE_PAUSE_MS = 20;
const CHECKPOINT_ATTEMPTS = 100;
/** From this number of pages, the first byte of an overflow page can be that of a page with rows: 128 GiB. */
const MAX_PAGES = 2 ** 25;
const IN_USE = 'the write-ahead log is in use';
const STOPPED = 'the server stops';

const INTERIOR_INDEX = 2;
const INTERIOR_TABLE = 5;
const LEAF_INDEX = 10;
const LEAF_TABLE = 13;
const TYPES = [INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE];

let isStopped = false;

self.onmessage = async ({ data }) => {
  if (data === 'stop') isStopped = true;
  else {
    try {
      postMessage({ reason: await purge(data), syncError: null });
    } catch (error) {
      const { message: reason, code = '', syscall } = error;
      postMessage({ reason, syncError: syscall === 'fdatasync' || code.endsWith('FSYNC') ? code : null });
    }
  }
};

async function purge({ path, file }) {
  using reader = open(path);
  using writer = open(path);
  // First, because the work would be in vain while a reader uses the log.
  if (!(await truncateLog(reader))) return IN_USE;
  const log = new Log(`${path}-wal`);
  try {
    const reason = (await overwriteFreeSpace(reader, writer, log, file)) ?? ((await truncateLog(reader)) ? null : IN_USE);
    // SQLite does not sync the truncation. Without it, a power failure could bring back a log with old pages.
    if (reason === null) log.sync();
    return reason;
  } finally {
    log.close();
  }
}

function open(path) {
  const database = new Database(path, { readwrite: true, create: false });
  database.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
  database.run('PRAGMA synchronous = FULL');
  database.run('PRAGMA fullfsync = ON');
  database.run('PRAGMA wal_autocheckpoint = 0');
  return database;
}

/** Empties the log, unless others use it for longer than a second. It waits without holding the write lock. */
async function truncateLog(database) {
  database.run('PRAGMA busy_timeout = 0');
  const truncate = database.query('PRAGMA wal_checkpoint(TRUNCATE)');
  let isEmpty = truncate.get().busy === 0;
  for (let attempt = 1; attempt < TRUNCATE_ATTEMPTS && !isEmpty; attempt++) {
    await Bun.sleep(TRUNCATE_PAUSE_MS);
    isEmpty = truncate.get().busy === 0;
  }
  database.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
  return isEmpty;
}

/** Returns the reason for an early end, or null. */
async function overwriteFreeSpace(reader, writer, log, file) {
  let next = 1;
  const changed = new Set();
  for (let rounds = 0; ; ) {
    const isLast = () => next === null && (changed.size <= LOCKED_PAGES || rounds > MAX_ROUNDS);
    writer.run('BEGIN IMMEDIATE');
    try {
      // Before the checkpoint, after which others may start the log again.
      for (const page of log.changedPages()) changed.add(page);
      if (reader.inTransaction) reader.run('ROLLBACK');
      const frames = checkpointAll(reader);
      if (frames === null) return IN_USE;
      log.skipTo(frames);
      reader.run('BEGIN');
      reader.query('SELECT 1 FROM sqlite_schema').get();
      if (isLast()) {
        const pages = new Pages(file);
        pages.overwriteEach([...changed].filter((page) => page <= pages.count));
        // Makes other connections read pages again, instead of writing their cached copies.
        writer.run(
          `INSERT INTO rewrites (id, requested, rewritten, cleared, attempted_at) VALUES (1, 0, 0, 0, 0)
           ON CONFLICT (id) DO UPDATE SET rewritten = rewritten + 1`,
        );
        writer.run('COMMIT');
        reader.run('ROLLBACK');
        fdatasyncSync(file);
        return null;
      }
    } finally {
      if (writer.inTransaction) writer.run('ROLLBACK');
      await Bun.sleep(1);
    }
    // Opened in this transaction: free pages are others in the next.
    const pages = new Pages(file);
    if (next !== null) next = pages.overwriteFrom(next);
    else {
      rounds += 1;
      const todo = [...changed].filter((page) => page <= pages.count);
      changed.clear();
      pages.overwriteEach(todo);
    }
    fdatasyncSync(file);
    if (isStopped) return STOPPED;
  }
}

/** Checkpoints the whole log under the write lock. Returns its length in frames; null if a reader uses it. */
function checkpointAll(database) {
  const checkpoint = database.query('PRAGMA wal_checkpoint(PASSIVE)');
  for (let attempt = 0; attempt < CHECKPOINT_ATTEMPTS; attempt++) {
    const { busy, log: frames, checkpointed } = checkpoint.get();
    if (busy === 0) return frames === checkpointed ? frames : null;
    // Another connection runs a checkpoint, for milliseconds.
    Bun.sleepSync(1);
  }
  return null;
}

/** The write-ahead log as a list of changed pages. It must be read under the write lock. */
class Log {
  #path;
  #file = null;
  #salt = '';
  #frames = 0;

  constructor(path) {
    this.#path = path;
  }

  /** Returns the pages changed since `skipTo`. */
  changedPages() {
    this.#file ??= openSync(this.#path, 'r');
    const header = Buffer.alloc(32);
    if (readSync(this.#file, header, 0, 32, 0) < 32) return [];
    const frameBytes = 24 + header.readUInt32BE(8);
    const salt = this.#readSalt(header);
    const pages = [];
    const frame = Buffer.alloc(24);
    for (let index = salt === this.#salt ? this.#frames : 0; ; index++) {
      if (readSync(this.#file, frame, 0, 24, 32 + index * frameBytes) < 24) return pages;
      if (frame.toString('hex', 8, 16) !== salt) return pages;
      pages.push(frame.readUInt32BE(0));
    }
  }

  skipTo(frames) {
    const header = Buffer.alloc(32);
    readSync(this.#file, header, 0, 32, 0);
    this.#salt = this.#readSalt(header);
    this.#frames = frames;
  }

  sync() {
    if (this.#file !== null) fdatasyncSync(this.#file);
  }

  #readSalt(header) {
    return header.toString('hex', 16, 24);
  }

  close() {
    if (this.#file !== null) closeSync(this.#file);
  }
}

function damaged(page) {
  return new Error(`page ${page} of the database is damaged`);
}

/** The pages of a database file that nobody changes meanwhile. */
class Pages {
  #file;
  #size;
  /** Bytes of a page that SQLite uses. */
  #usable;
  #free = new Set();
  #trunks = new Set();
  /** 1 for each byte of the page that is in use. */
  #inUse;

  constructor(file) {
    this.#file = file;
    const header = this.#read(0, 100);
    this.#size = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
    this.#usable = this.#size - header[20];
    this.#inUse = new Uint8Array(this.#size);
    this.count = Math.floor(fstatSync(file).size / this.#size);
    if (this.count >= MAX_PAGES) throw new Error('the database is larger than 128 GB');
    // Its pages of pointers look like pages with rows.
    if (header.readUInt32BE(52) !== 0) throw new Error('the database uses auto_vacuum');
    for (let trunk = header.readUInt32BE(32); trunk !== 0 && !this.#trunks.has(trunk); ) {
      this.#trunks.add(trunk);
      const page = this.#read((trunk - 1) * this.#size, this.#size);
      const leaves = page.readUInt32BE(4);
      for (let index = 0; index < leaves; index++) this.#free.add(page.readUInt32BE(8 + 4 * index));
      trunk = page.readUInt32BE(0);
    }
  }

  /** Overwrites the free space of the pages from `first` for about `STEP_MS`. Returns the next page; null at the end. */
  overwriteFrom(first) {
    const startedAt = performance.now();
    let unsynced = 0;
    for (let number = first; number <= this.count; number += BLOCK_PAGES) {
      if (performance.now() - startedAt > STEP_MS) return number;
      const pages = Math.min(BLOCK_PAGES, this.count - number + 1);
      const block = this.#read((number - 1) * this.#size, pages * this.#size);
      for (let index = 0; index < pages; index++) {
        unsynced += this.#overwrite(number + index, block.subarray(index * this.#size, (index + 1) * this.#size));
      }
      if (unsynced >= SYNC_PAGES) {
        fdatasyncSync(this.#file);
        unsynced = 0;
      }
    }
    return null;
  }

  overwriteEach(numbers) {
    for (const number of numbers) this.#overwrite(number, this.#read((number - 1) * this.#size, this.#size));
  }

  /** Returns the number of pages written. */
  #overwrite(number, page) {
    this.#inUse.fill(0);
    if (this.#trunks.has(number)) this.#inUse.fill(1, 0, 8 + 4 * page.readUInt32BE(4));
    else if (!this.#free.has(number) && !this.#markRows(number, page)) return 0;
    let isChanged = false;
    for (let start = 0; start < page.length; ) {
      let end = this.#inUse.indexOf(1, start);
      if (end === -1) end = page.length;
      if (page.subarray(start, end).some((byte) => byte !== 0)) {
        writeSync(this.#file, page.fill(0, start, end), start, end - start, (number - 1) * this.#size + start);
        isChanged = true;
      }
      start = this.#inUse.indexOf(0, end);
      if (start === -1) break;
    }
    return isChanged ? 1 : 0;
  }

  /** Marks the bytes in use of a page with rows. Returns false for other pages, which are in use completely. */
  #markRows(number, page) {
    const start = number === 1 ? 100 : 0;
    const type = page[start];
    if (!TYPES.includes(type)) return false;
    const cells = page.readUInt16BE(start + 3);
    // 0 means 65536.
    const content = page.readUInt16BE(start + 5) || 65536;
    const pointers = start + (type === LEAF_INDEX || type === LEAF_TABLE ? 8 : 12);
    this.#inUse.fill(1, 0, pointers + 2 * cells);
    this.#inUse.fill(1, this.#usable);
    for (let index = 0; index < cells; index++) {
      const offset = page.readUInt16BE(pointers + 2 * index);
      const end = offset + this.#cellBytes(type, page, offset);
      if (offset < content || end > this.#usable) throw damaged(number);
      this.#inUse.fill(1, offset, end);
    }
    // A block of free bytes begins with the offset of the next one and its own size.
    let last = 0;
    for (let block = page.readUInt16BE(start + 1); block !== 0; block = page.readUInt16BE(block)) {
      if (block <= last || block + 4 > this.#usable) throw damaged(number);
      last = block;
      this.#inUse.fill(1, block, block + 4);
    }
    return true;
  }

  #cellBytes(type, page, offset) {
    let at = offset;
    const varint = () => {
      let value = 0;
      for (let index = 0; index < 8; index++) {
        const byte = page[at++];
        value = value * 128 + (byte & 127);
        if (byte < 128) return value;
      }
      return value * 256 + page[at++];
    };
    if (type === INTERIOR_INDEX || type === INTERIOR_TABLE) at += 4;
    const payload = varint();
    if (type === INTERIOR_TABLE) return at - offset;
    if (type === LEAF_TABLE) varint();
    const local = this.#localBytes(type, payload);
    if (local === payload) return Math.max(4, at + local - offset);
    this.#overwriteTail(page.readUInt32BE(at + local), payload - local);
    return at + local + 4 - offset;
  }

  /** Returns the bytes of a payload that are on the page itself; see the file format of SQLite. */
  #localBytes(type, payload) {
    const most = type === LEAF_TABLE ? this.#usable - 35 : Math.floor(((this.#usable - 12) * 64) / 255) - 23;
    if (payload <= most) return payload;
    const least = Math.floor(((this.#usable - 12) * 32) / 255) - 23;
    const local = least + ((payload - least) % (this.#usable - 4));
    return local <= most ? local : least;
  }

  /** Overwrites the last overflow page of a row after its `rest` bytes on such pages. */
  #overwriteTail(first, rest) {
    let number = first;
    let left = rest;
    for (; left > this.#usable - 4; left -= this.#usable - 4) {
      number = this.#read((number - 1) * this.#size, 4).readUInt32BE(0);
    }
    const tail = this.#read((number - 1) * this.#size + 4 + left, this.#usable - 4 - left);
    if (!tail.some((byte) => byte !== 0)) return;
    writeSync(this.#file, tail.fill(0), 0, tail.length, (number - 1) * this.#size + 4 + left);
  }

  #read(position, length) {
    const bytes = Buffer.allocUnsafe(length);
    if (readSync(this.#file, bytes, 0, length, position) < length) throw new Error('unexpected end of the database');
    return bytes;
  }
}
