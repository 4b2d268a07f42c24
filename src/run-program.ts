import { readFileSync } from 'node:fs';
import type { CliIO } from './cli/command.ts';
import { loadConfig, loadSettings, secretTexts } from './config/config.ts';
import { type LoadedEnvironment, loadEnvironment } from './config/environment.ts';
import { AppError, SettingsError, SetupError } from './domain/errors.ts';
import type { Release } from './version.ts';

/** Exit code for bad settings, EX_CONFIG of sysexits.h. The systemd unit does not restart after it. */
const BAD_SETTINGS_CODE = 78;

/** A process that runs commands. A settings file is read into its environment. */
export type Host = Pick<
  CliIO,
  'stdout' | 'stderr' | 'stdin' | 'isStderrTty' | 'program' | 'serve' | 'runDemo' | 'prompt'
> &
  Readonly<{ env: Record<string, string | undefined>; writeLog: (line: string) => void; prettyLog: boolean }>;

/** Runs the command in `args` and returns its exit code. Modules are imported only by the command that needs them. */
export async function runProgram(args: readonly string[], host: Host): Promise<number> {
  const io = commandIO(host);
  try {
    // Skip the command-line parser for a plain `serve`: loading it takes a tenth of the time to the first post.
    if (args.length === 0 || (args.length === 1 && args[0] === 'serve')) {
      io.readEnvironment(null);
      await io.serve();
      return 0;
    }
    const { runCommand } = await import('./cli/program.ts');
    return await runCommand(args, io);
  } catch (error) {
    const isForOperator = error instanceof AppError || error instanceof SetupError || isSystemError(error);
    if (!isForOperator) throw error;
    const { errorText } = await import('./cli/error-text.ts');
    host.stderr(errorText(error, args.includes('--json')));
    return error instanceof SettingsError ? BAD_SETTINGS_CODE : 1;
  }
}

/** Returns the input, output and entry points of `host` for commands. */
function commandIO(host: Host): CliIO {
  const { env, program } = host;
  let environment: LoadedEnvironment = { env, file: null, sources: {} };
  // So that stdout has nothing but the result.
  const toStderr = { ...host, writeLog: host.stderr, prettyLog: host.isStderrTty };
  return {
    ...host,
    // Backups in a child process get the settings of the file too.
    readEnvironment: (envFile) => {
      environment = loadEnvironment({ ...env }, { envFile, program });
      Object.assign(env, environment.env);
    },
    settings: async () => {
      const [{ listSettings }, { nearMisses }] = await Promise.all([
        import('./config/list-settings.ts'),
        import('./config/near-misses.ts'),
      ]);
      const { config } = loadSettings(env, readText);
      const { dataDir, baseUrl } = config;
      const rows = listSettings(environment, config);
      return { rows, file: environment.file, dataDir, baseUrl, warnings: nearMisses(env) };
    },
    variable: (name) => env[name],
    secretSettings: () => secretTexts(env, readText),
    open: (isNew) => openInstance({ ...loadSettings(env, readText), serving: false, isNew, release: null }, toStderr),
    listenAddress: () => loadConfig(env),
    backupConfig: async () => {
      const { openBucket, storageAtRest } = await import('./context/context.ts');
      const { config, secrets } = loadSettings(env, readText);
      if (secrets.databaseUrl) throw new SetupError(NO_DATA_DIR);
      const { dataDir, minFreeBytes } = config;
      const bucket = await openBucket(config, secrets);
      return { dataDir, minFreeBytes, configuredKeys: secrets.encryptionKeys, storage: storageAtRest, bucket };
    },
    openMove: async (to, files) => (await import('./context/open-move.ts')).openMove(env, readText, to, files),
    openMoveSource: async () => (await import('./context/open-move.ts')).openMoveSource(env, readText),
  };
}

const NO_DATA_DIR =
  'backup and restore are for a data directory, but the rows are in the database of DATABASE_URL. Use pg_dump or continuous archiving for them, and versions of the bucket for files. "formstead restore --verify" without a backup then checks both.';

/** Reports whether this is a system error, such as ENOENT or ENOSPC, whose message is one line and names the path. */
const isSystemError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

type InstanceOptions = ReturnType<typeof loadSettings> &
  Readonly<{ serving: boolean; isNew?: boolean | undefined; release: Release | null }>;

/** Opens an instance with the log, environment and command line of `host`. */
export async function openInstance(options: InstanceOptions, { writeLog, prettyLog, program, env }: Host) {
  const { openContext } = await import('./context/context.ts');
  return openContext({ ...options, writeLog, prettyLog, program, env });
}

export const readText = (path: string): string => readFileSync(path, 'utf8');
