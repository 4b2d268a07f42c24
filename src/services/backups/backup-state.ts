import { type Clock, HOUR, type Micros } from '../../lib/clock.ts';
import { isInside } from '../../lib/is-inside.ts';
import { newestBackup } from './backups.ts';

/** Maximum age of the newest backup, as a multiple of BACKUP_HOURS. */
const MAX_INTERVALS = 2;

/**
 * State of the scheduled backups: those of PostgreSQL are made elsewhere; others are off, in a folder inside the data
 * directory, without a first backup, or with a newest one made at `at`. It is late if at least two are due.
 */
export type BackupState =
  | Readonly<{ state: 'elsewhere' | 'off' }>
  | Readonly<{ state: 'none' | 'inside'; folder: string }>
  | Readonly<{ state: 'recent' | 'late'; path: string; at: Micros; ageHours: number }>;

type Deps = Readonly<{
  clock: Clock;
  /** Null with SQLite. */
  instanceName: string | null;
  config: Readonly<{ dataDir: string; backupDir: string | null; backupHours: number }>;
}>;

/** Reads the state of the scheduled backups from their folder. */
export async function backupState({ config, clock, instanceName }: Deps): Promise<BackupState> {
  const { dataDir, backupDir: folder, backupHours } = config;
  if (instanceName !== null) return { state: 'elsewhere' };
  if (folder === null) return { state: 'off' };
  if (isInside(dataDir, folder)) return { state: 'inside', folder };
  const newest = await newestBackup(folder);
  if (!newest) return { state: 'none', folder };
  const at = newest.at * 1_000;
  const ageHours = Math.floor((clock() - at) / HOUR);
  return { state: ageHours < MAX_INTERVALS * backupHours ? 'recent' : 'late', path: newest.path, at, ageHours };
}
