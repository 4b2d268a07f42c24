import { Command, InvalidArgumentError, type OptionValues } from 'commander';
import type { Context } from '../context/context.ts';
import { AppError, conflict, NotFoundError } from '../domain/errors.ts';
import { explainSystemFault } from '../domain/instance/system-fault.ts';
import { type Micros, parseTime } from '../lib/clock.ts';
import { formatTable } from '../lib/table.ts';
import { type Note, Notes } from '../services/audit/audit.ts';
import type { BackupSource } from '../services/backups/backups.ts';
import type { RestoreDeps } from '../services/backups/restore.ts';
import type { MoveDeps } from '../services/instance/move.ts';
import { BucketError } from '../storage/blobs.ts';
import type { MovableDatabase } from '../storage/movable-tables.ts';
import { keyFileNotice } from '../vault/unlock.ts';

/** The settings in effect, and sentences about variables that are probably misspelled. */
export type SettingsReport = Readonly<{
  /** `source` is `default`, `environment` or the path of the settings file. */
  rows: ReadonlyArray<Readonly<{ name: string; value: string | number | null; source: string }>>;
  /** Path of the settings file that was read, null for none. */
  file: string | null;
  dataDir: string;
  baseUrl: string | null;
  warnings: readonly string[];
}>;

/** A demo that is ready: `link` signs in, and `password` is that of its account. */
export type RunningDemo = Readonly<{ url: string; link: string; email: string; password: string; submissions: number }>;

/** The process as commands see it: streams, settings, and functions that open an instance. */
export type CliIO = Readonly<{
  /** Writes to stdout. Returns a promise while the pipe is full; await it before writing more. */
  stdout: (output: string | Uint8Array) => Promise<void> | void;
  stderr: (text: string) => void;
  /** Reads a settings file, or that of the systemd service for null. Throws `SetupError`. */
  readEnvironment: (envFile: string | null) => void;
  /** Returns the settings in effect. Throws `SettingsError`. */
  settings: () => Promise<SettingsReport>;
  /** Returns a variable of the environment. */
  variable: (name: string) => string | undefined;
  /** Returns the texts of secret settings by variable, empty for unset ones. */
  secretSettings: () => ReadonlyMap<string, string>;
  /** Opens the instance, or creates one if `isNew`. Throws `SetupError`. */
  open: (isNew?: boolean) => Promise<Context>;
  /** Returns the configured listen address; port 0 means any free port. Throws `SetupError`. */
  listenAddress: () => Readonly<{ host: string; port: number }>;
  /** Returns the settings and storage of backup and restore, and opens nothing. Throws `SetupError`. */
  backupConfig: () => Promise<
    Pick<BackupSource, 'dataDir' | 'minFreeBytes' | 'storage' | 'bucket'> & Pick<RestoreDeps, 'configuredKeys'>
  >;
  /** Opens the present database and the target of a move. Throws `SetupError`. */
  openMove: (
    to: string,
    files: string | null,
  ) => Promise<Omit<MoveDeps, 'progress'> & Readonly<{ nextSettings: readonly string[]; close: () => Promise<void> }>>;
  /** Opens the present database for undoing a move. Throws `SetupError`. */
  openMoveSource: () => Promise<MovableDatabase>;
  /** Returns the bytes piped into this process. */
  stdin: () => AsyncIterable<Uint8Array>;
  /** True if stderr is a terminal. */
  isStderrTty: boolean;
  /** The leading words of a command line that runs this program. */
  program: readonly string[];
  serve: () => Promise<void>;
  /** Runs a demo until a signal, and calls `print` once it is ready. Throws `SetupError`. */
  runDemo: (isPublic: boolean, print: (demo: RunningDemo) => void) => Promise<void>;
  /** Prints a question and returns the line typed at the terminal; null without a terminal. */
  prompt: ((question: string) => Promise<string>) | null;
}>;

/**
 * The `CliIO` of a running program. A command calls `finish` with its notes once its work is done, for the audit log, and
 * `exitWith` for another exit code than 0.
 */
export type CliContext = CliIO &
  Readonly<{
    /** Print JSON instead of tables and lines. */
    asJson: boolean;
    finish: (context: Context, notes: Notes) => Promise<void>;
    exitWith: (code: number) => void;
  }>;

type Row = Readonly<Record<string, unknown>>;

/** Returns the dependencies that services take. */
export const serviceDeps = ({ store, vault, clock, config }: Context) => ({ store, vault, clock, plans: config.plans });

/** Exits with a usage error unless at least one option is passed besides `--json`. */
export function requireOption(command: Command): void {
  const options = command.options.filter(({ long }) => long !== '--json');
  if (options.some((option) => command.getOptionValue(option.attributeName()) !== undefined)) return;
  const names = options.map(({ long }) => long);
  command.error(`error: nothing to change; pass at least one of ${names.join(', ')}`);
}

/** Returns a parser of whole numbers from 1 to `max`, which throws `InvalidArgumentError`. */
export function upTo(max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= 1 && number <= max) return number;
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${max}.`);
  };
}

/** Parses `--limit`: 1 to 1000 rows. */
export const parseLimit = upTo(1_000);

/** Parses an RFC 3339 time. Throws `InvalidArgumentError`. */
export function parseTimeOption(text: string): Micros {
  const time = parseTime(text);
  if (time !== null) return time;
  throw new InvalidArgumentError('Expected an RFC 3339 time such as 2026-11-01T00:00:00Z.');
}

/** Adds the value of an option that can be repeated. */
export const collect = (value: string, values: string[] = []): string[] => [...values, value];

/** Parses `true` or `false`. Throws `InvalidArgumentError`. */
export function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('Expected true or false.');
}

/** Commands that list the resources a service may not find. */
const LIST_COMMAND = {
  team: 'team list',
  workspace: 'workspace list --team <id>',
  submission: 'submission list --form <id>',
} as const satisfies Record<NotFoundError['resource'], string>;

/** An opened instance, and what its command needs. */
export type CommandContext = Context &
  Readonly<{
    cli: CliContext;
    /** Adds details to the audit entry. */
    note: Note;
    /**
     * Asks a question unless `--yes` was passed. Returns true for `answer`, by default "yes". Otherwise says that nothing was
     * changed, and leaves no audit entry.
     */
    confirm: (question: string, answer?: string) => Promise<boolean>;
  }>;

/** A command that can open the instance. Its subcommands can, too. */
export class CliCommand extends Command {
  readonly #cli: CliContext;

  constructor(cli: CliContext, name?: string) {
    super(name);
    this.#cli = cli;
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(this.#cli, name);
  }

  /**
   * Adds `--yes`. Without it, a command whose options have to be confirmed exits with a usage error if there is no terminal
   * to ask at.
   */
  confirmable(description = 'skip the confirmation', asks: (options: OptionValues) => unknown = () => true): this {
    return this.option('--yes', description).hook('preAction', () => {
      if (this.opts().yes || this.#cli.prompt || !asks(this.opts())) return;
      this.error('error: cannot ask for confirmation without a terminal; pass --yes to confirm');
    });
  }

  /** Sets the action: `work` gets the opened instance before the arguments and options. */
  run(work: (context: CommandContext, ...args: never[]) => unknown): this {
    return this.action((...args) =>
      withContext(this.#cli, async (context) => void (await work(context, ...(args as never[]))), this.opts().yes),
    );
  }
}

/**
 * Opens the data directory, runs `work`, writes the audit entry and closes the data directory, also after an error. With
 * `isConfirmed`, `confirm` does not ask.
 */
export async function withContext<T>(
  cli: CliContext,
  work: (context: CommandContext) => Promise<T>,
  isConfirmed = false,
): Promise<T> {
  const { open, prompt, stderr, finish } = cli;
  const context = await open();
  const notes = new Notes();
  const confirm = async (question: string, answer = 'yes') => {
    if (isConfirmed || (await prompt?.(question))?.trim() === answer) return true;
    notes.note({}, { action: null });
    stderr('Nothing was changed.\n');
    return false;
  };
  try {
    const result = await work({ ...context, cli, note: notes.note, confirm });
    await finish(context, notes);
    if (context.keyFile?.isNew) stderr(keyFileNotice(context.keyFile.path));
    return result;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw withReason(error);
    throw new AppError(error.code, `${error.message} See "${LIST_COMMAND[error.resource]}".`, { cause: error });
  } finally {
    await context.close();
  }
}

/** Runs `work` with a lock. Throws `conflict` with the message `busy` while another process has it. */
export async function withLock<T>(
  { takeLock }: Context,
  name: Parameters<Context['takeLock']>[0],
  busy: string,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await takeLock(name);
  if (!lock) throw conflict(busy);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** Returns a storage error with its reason, which the public message leaves out; other errors unchanged. */
export function withReason(error: unknown): unknown {
  if (!(error instanceof AppError && error.cause instanceof Error)) return error;
  const { cause, code } = error;
  if (code !== 'storage_unavailable') return error;
  const { message } = cause;
  if (cause instanceof BucketError) {
    const text = `Could not use the bucket of S3_URL: ${message}. Run "formstead doctor" for the reason.`;
    return new AppError(code, text, { cause: error });
  }
  const fault = explainSystemFault(cause) ?? `${message}. Try again in a minute.`;
  return new AppError(code, `Could not use the database: ${fault}`, { cause: error });
}

/** Prints rows as a table of these columns, or all their properties as a JSON array. */
export function printList({ stdout, asJson }: CliContext, rows: readonly Row[], columns: readonly string[]): void {
  const cells = rows.map((row) => columns.map((column) => cell(row[column])));
  if (asJson) stdout(`${toJson(rows)}\n`);
  else if (rows.length === 0) stdout('No results.\n');
  else stdout(`${formatTable([columns, ...cells])}\n`);
}

/** Prints one object as lines of name and value, or as a JSON object. */
export function printOne({ stdout, asJson }: CliContext, row: Row): void {
  const lines = Object.entries(row).map(([name, value]) => [name, cell(value)]);
  stdout(asJson ? `${toJson(row)}\n` : `${formatTable(lines)}\n`);
}

/** Serializes to JSON. Escapes DEL and C1 control characters, which `JSON.stringify` leaves and terminals interpret. */
export function toJson(value: unknown): string {
  const escapeControl = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/\p{Control}/gu, escapeControl);
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
