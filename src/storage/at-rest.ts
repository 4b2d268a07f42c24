import type { VaultKey } from './records.ts';

/** A blob and the submission that refers to it. */
export type FileRow = Readonly<{ blob: string; submissionId: string }>;

/** A database file opened without migrating it. A server may have it open at the same time. */
export interface DatabaseFile {
  /**
   * Writes a consistent, synced copy to a new file. Other processes can read and write in the meantime; the calling
   * process blocks. Throws `SetupError` before writing if fewer than `minFreeBytes` would stay free.
   */
  copyTo(path: string, minFreeBytes: number): Promise<void>;
  /** Returns the name of the last migration. Throws `SetupError` if this version does not know it. */
  schema(): string;
  /** Returns the keys that sealed records depend on. */
  vaultKeys(): VaultKey[];
  fileRows(): FileRow[];
  /** Returns true if a submission refers to the blob. */
  hasBlob(blob: string): boolean;
  deleteSubmissions(ids: readonly string[]): void;
  /** Returns the faults that SQLite finds; empty if there are none. Reads the whole database several times. */
  checkIntegrity(): string[];
  [Symbol.dispose](): void;
}

/** Access to the data directory that needs no server. */
export interface StorageAtRest {
  /** Throws `SetupError` if the database does not exist. */
  openDatabase(path: string): DatabaseFile;
  /** Acquires a lock that ends with the process; null while another process holds it. */
  lock(path: string): Readonly<{ release: () => void }> | null;
}
