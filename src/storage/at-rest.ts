import type { VaultKey } from './store.ts';

/** A blob that a submission refers to. */
export type FileRow = Readonly<{ blob: string; submissionId: string }>;

/** A database in a file, taken as it is, whether somebody else has it open or not: nothing is migrated. */
export interface DatabaseFile {
  /**
   * Writes a copy of one moment, synced, to a file that is not there yet. Others read and write meanwhile, the caller waits.
   * Throws `SetupError`, before it begins, where fewer than `left` bytes would stay free.
   */
  copyTo(path: string, left: number): Promise<void>;
  /** The name of the last migration. Throws `SetupError` if this program does not know it. */
  schema(): string;
  /** Those under which something is sealed. */
  vaultKeys(): VaultKey[];
  fileRows(): FileRow[];
  /** Whether a submission refers to the blob. */
  hasBlob(blob: string): boolean;
  deleteSubmissions(ids: readonly string[]): void;
  /** What is wrong, in the words of SQLite; empty if nothing is. Takes as long as reading all of it several times. */
  findDamage(): string[];
  close(): void;
}

/** What is kept, where no server is needed to look at it. */
export interface StorageAtRest {
  /** Throws `SetupError` if there is no such database. */
  openDatabase(path: string): DatabaseFile;
  /** Null while another process has it; it ends with the process. */
  lock(path: string): Readonly<{ release: () => void }> | null;
}
