import { AppError } from '../errors.ts';

const RESTORE =
  'Stop the server, keep a copy of the data directory, and restore a backup into a new one with "formstead restore".';

/** Advice for files without the right to write. */
export const MAKE_WRITABLE = 'Make DATA_DIR and its files writable for the user that runs Formstead.';

const CHECK_DISK = 'Check the disk of DATA_DIR and its free space.';

const SEE_POSTGRES = 'See the log of PostgreSQL.';

const RESTORE_DUMP = 'Stop all processes, keep a copy of the database, and restore a backup of it.';

type Fault = readonly [code: RegExp, fault: string, remedy: string];

/** Faults by the codes of the databases and the system. The first pattern that matches counts. */
const FAULTS: readonly Fault[] = [
  // Without the message, which may quote values.
  [/^SQLITE_CONSTRAINT/, 'a rule of the database refused the change', 'Report this fault of Formstead.'],
  [/^(ENOSPC|EDQUOT)$/, 'the disk is full', CHECK_DISK],
  [/^(EACCES|EPERM|EROFS)$/, 'access was denied', MAKE_WRITABLE],
  [/^EIO$/, 'the disk reports an error', CHECK_DISK],
  [/^(EMFILE|ENFILE)$/, 'too many files are open', 'Raise the limit of the process (LimitNOFILE in systemd).'],
  [/^XX00[12]$/, 'PostgreSQL found damaged data', RESTORE_DUMP],
  [/^53100$/, 'the disk of PostgreSQL is full', 'Free some space on it.'],
  [/^53200$/, 'PostgreSQL is out of memory', SEE_POSTGRES],
  [/^53300$/, 'PostgreSQL has no free connection', 'Raise max_connections, or run fewer processes.'],
  [
    /^25006$/,
    'PostgreSQL is read-only',
    'Let DATABASE_URL lead to the primary, and turn default_transaction_read_only off.',
  ],
  [/^42501$/, 'the account of DATABASE_URL lacks a permission', 'Make it the owner of the tables.'],
  [/^(28|3D)/, 'PostgreSQL refuses the login', 'Check the account and the database in DATABASE_URL.'],
  [/^57014$/, 'PostgreSQL took longer than statement_timeout', SEE_POSTGRES],
  [/^57P/, 'PostgreSQL is stopping or starting', SEE_POSTGRES],
  [/^(55P03|40001|40P01|25P0[34])$/, 'other transactions held up this one', 'Look for long ones in pg_stat_activity.'],
  [/^(58|XX)/, 'PostgreSQL reports a fault of its system', SEE_POSTGRES],
  [
    /^(08|E(CONN|HOST|NET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN))/,
    'the connection failed',
    'Check that the other side runs and can be reached.',
  ],
];

/** Remedies by the code of SQLite, whose messages are words. */
const SQLITE_REMEDIES: ReadonlyArray<readonly [code: RegExp, remedy: string]> = [
  [/CORRUPT|NOTADB/, RESTORE],
  [/CANTOPEN|READONLY|PERM|AUTH/, MAKE_WRITABLE],
  [/BUSY|LOCKED/, 'Another process is using it. Try again in a minute.'],
  [/^SQLITE_/, CHECK_DISK],
];

/**
 * Returns a failure of the database, the bucket or the system in words: the fault with its code and path, and the remedy. Returns null
 * for any other error.
 */
export function explainSystemFault(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error)) return null;
  if (error.name === 'BucketError')
    return `the bucket in S3_URL cannot be used: ${error.message}. Run "formstead doctor" for the remedy.`;
  const code = String(error.code);
  const fault = FAULTS.find(([pattern]) => pattern.test(code));
  const sqlite = code.startsWith('SQLITE_') && SQLITE_REMEDIES.find(([pattern]) => pattern.test(code));
  if (!fault) return sqlite ? `${error.message}. ${sqlite[1]}` : null;
  const place = 'path' in error && error.path ? `${code}, ${error.path}` : code;
  return `${fault[1]} (${place}). ${fault[2]}`;
}

/** Describes a failed step of the server, for its log. */
export function describeFailure(error: unknown): string {
  const cause = error instanceof AppError && error.cause ? error.cause : error;
  return explainSystemFault(cause) ?? (cause instanceof AppError ? cause.message : String(cause));
}

/** Returns true for the code of a damaged SQLite database. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
}

/** Returns the faults that a check of the whole database found, with the remedy. */
export function describeDamage(faults: readonly string[], isSqlite: boolean): string {
  return `the database is damaged (${faults.join('; ')}). ${isSqlite ? RESTORE : RESTORE_DUMP}`;
}
