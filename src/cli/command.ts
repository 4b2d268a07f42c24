import { type Command, InvalidArgumentError } from 'commander';
import { AppError, NotFoundError } from '../domain/errors.ts';
import type { Plans } from '../domain/plan.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { Proxies } from '../lib/proxies.ts';
import { formatTable } from '../lib/table.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type Note, Notes } from '../services/audit.ts';
import type { StorageAtRest } from '../storage/at-rest.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { Store } from '../storage/store.ts';
import type { MasterKeys } from '../vault/key-ring.ts';
import { type KeyFile, keyFileNotice, type WantedKey } from '../vault/unlock.ts';
import type { Vault } from '../vault/vault.ts';

/** What commands work with. */
export type CommandContext = Readonly<{
  store: Store;
  blobs: Blobs;
  vault: Vault;
  clock: Clock;
  log: Logger;
  /** Null where no mail server is set. */
  mail: Readonly<{ mailer: Mailer; sender: string }> | null;
  config: Readonly<{
    plans: Plans;
    dataDir: string;
    baseUrl: string | null;
    port: number;
    trustedProxies: readonly string[];
    allowedPrivateHosts: readonly string[];
    minFreeBytes: number;
    backupDir: string | null;
    backupHours: number;
  }>;
  proxies: Proxies;
  keyFile: KeyFile;
  wantedKey: WantedKey;
  /** Makes this process the only one that serves the data directory, or that changes its keys; null if another is that. */
  takeLock: (of: 'server' | 'keys') => Readonly<{ release: () => void }> | null;
  /** Where the data directory lies. */
  freeBytes: () => number;
  /** Whether a server has the data directory now. */
  isServed: () => boolean;
  metricsToken: string | null;
  close: () => Promise<void>;
}>;

/** The world around the commands: where they print, and what they open. */
export type CliIO = Readonly<{
  /** A promise while what was said before is not yet read: who says much waits for it. */
  stdout: (output: string | Uint8Array) => Promise<void> | void;
  stderr: (text: string) => void;
  open: () => Promise<CommandContext>;
  /** What the server listens on by the settings; port 0 is any. Throws `SetupError`. */
  address: () => Readonly<{ host: string; port: number }>;
  /** What backups are made of, and restored to, by the settings; nothing is opened. Throws `SetupError`. */
  atRest: () => Promise<
    Readonly<{ dataDir: string; minFreeBytes: number; configuredKeys: MasterKeys | null; storage: StorageAtRest }>
  >;
  /** What is piped into this process. */
  input: () => AsyncIterable<Uint8Array>;
  /** Whether a person reads what is complained of. */
  isWatched: boolean;
  /** The paths that a command line begins with to run this program. */
  program: readonly string[];
  serve: () => Promise<void>;
  /** Asks a person and returns the line that they type; null where nobody is at a terminal. */
  ask: ((question: string) => Promise<string>) | null;
}>;

/** What commands get of it; `finish` is told when one has done its work, with what it noted. */
export type CliContext = CliIO & Readonly<{ finish: (context: CommandContext, notes: Notes) => Promise<void> }>;

type Row = Readonly<Record<string, unknown>>;

/** What services expect of a command's context. */
export function keeperOf({ store, vault, clock, config }: CommandContext) {
  return { store, vault, clock, plans: config.plans };
}

/** Ends with wrong usage unless at least one of a command's options was given. */
export function requireSome(command: Command, changes: Row): void {
  if (Object.keys(changes).length > 0) return;
  const names = command.options.map(({ long }) => long).filter((name) => name !== '--json');
  command.error(`error: nothing to change; name at least one of ${names.join(', ')}`);
}

/** How many rows of a list a person asks for: 1 to 1000. */
export function parseLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= 1000) return limit;
  throw new InvalidArgumentError('It takes a whole number from 1 to 1000.');
}

/** Commands that list the resources a service may not find. */
const LIST_COMMAND = {
  team: 'team list',
  workspace: 'workspace list --team <id>',
  submission: 'submission list --form <id>',
} as const satisfies Record<NotFoundError['resource'], string>;

/**
 * Opens the data directory for one piece of work and closes it afterwards, whatever happens. What was done is recorded; the
 * work may `note` more of it.
 */
export async function withContext<T>(
  { open, stderr, finish }: CliContext,
  work: (context: CommandContext & Readonly<{ note: Note }>) => Promise<T>,
): Promise<T> {
  const context = await open();
  const notes = new Notes();
  try {
    const result = await work({ ...context, note: notes.note });
    await finish(context, notes);
    if (context.keyFile?.isNew) stderr(keyFileNotice(context.keyFile.path));
    return result;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new AppError(error.code, `${error.message} See "${LIST_COMMAND[error.resource]}".`, { cause: error });
  } finally {
    await context.close();
  }
}

/** Prints a list: a table of these columns for a person, a bare JSON array otherwise. */
export function printList(
  { stdout }: CliContext,
  asJson: boolean,
  rows: readonly Row[],
  columns: readonly string[],
): void {
  const cells = rows.map((row) => columns.map((column) => cell(row[column])));
  if (asJson) stdout(`${toJson(rows)}\n`);
  else if (rows.length === 0) stdout('None yet.\n');
  else stdout(`${formatTable([columns, ...cells])}\n`);
}

/** Prints one thing: a line a property for a person, a JSON object otherwise. */
export function printOne({ stdout }: CliContext, asJson: boolean, row: Row): void {
  const lines = Object.entries(row).map(([name, value]) => [name, cell(value)]);
  stdout(asJson ? `${toJson(row)}\n` : `${formatTable(lines)}\n`);
}

/** JSON leaves DEL and the controls after it as they are, some of which a terminal obeys. */
export function toJson(value: unknown): string {
  const escaped = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/\p{Control}/gu, escaped);
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
