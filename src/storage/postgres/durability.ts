import type pg from 'pg';
import { SetupError } from '../../domain/errors.ts';

/** Settings of the server that decide what an acknowledged commit survives. */
export type Durability = Readonly<{
  version: string;
  versionNumber: number;
  fsync: boolean;
  fullPageWrites: boolean;
  synchronousCommit: string;
  synchronousStandbyNames: string;
  /** Number of machines that have a commit on disk, or received it with `remote_write`, before it is acknowledged. */
  machines: number;
}>;

const MIN_VERSION = 15;

/** Reads the settings for durability that apply to this connection. */
export async function readDurability(client: Pick<pg.ClientBase, 'query'>): Promise<Durability> {
  const { rows } = await client.query<Omit<Durability, 'machines'>>(`SELECT
    current_setting('server_version') AS version,
    current_setting('server_version_num')::int AS "versionNumber",
    current_setting('fsync')::boolean AS fsync,
    current_setting('full_page_writes')::boolean AS "fullPageWrites",
    current_setting('synchronous_commit') AS "synchronousCommit",
    current_setting('synchronous_standby_names') AS "synchronousStandbyNames"`);
  const [settings] = rows;
  if (!settings) throw new Error('no settings were read');
  return { ...settings, machines: countMachines(settings.synchronousCommit, settings.synchronousStandbyNames) };
}

/** Throws `SetupError` if the server is too old, or could lose an acknowledged commit in a crash. */
export function requireDurability(durability: Durability): void {
  const { version, versionNumber } = durability;
  if (versionNumber < MIN_VERSION * 10_000) {
    throw new SetupError(
      `PostgreSQL ${version} is too old: Formstead requires ${MIN_VERSION} or later. Upgrade the database server.`,
    );
  }
  const fault = lossFault(durability);
  if (fault !== null) throw new SetupError(fault);
}

/** Returns the setting with which a crash could lose an acknowledged commit, with its remedy; null if there is none. */
export function lossFault({ fsync, synchronousCommit }: Durability): string | null {
  if (!fsync) {
    return 'the database server runs with fsync=off, so a crash could lose acknowledged submissions. Set fsync to on in postgresql.conf.';
  }
  if (synchronousCommit === 'off') {
    return 'the database server runs with synchronous_commit=off, so a crash could lose acknowledged submissions. Set synchronous_commit to on, or to local without standbys.';
  }
  return null;
}

/** Describes what an acknowledged submission survives, for the log and for `doctor`. */
export function describeDurability({ machines, synchronousCommit }: Durability): string {
  const place = machines === 1 ? 'on 1 machine' : `on ${machines} machines`;
  return synchronousCommit === 'remote_write' && machines > 1
    ? `acknowledged means ${place}, in the memory of the standbys until they write it (synchronous_commit=remote_write)`
    : `acknowledged means ${place}`;
}

/** Returns the faults that do not prevent a start, each with its remedy. */
export function durabilityFaults({ fullPageWrites }: Durability): string[] {
  if (fullPageWrites) return [];
  return [
    'the database server runs with full_page_writes=off, so a power failure can damage it unless its file system writes pages as a whole. Set full_page_writes to on.',
  ];
}

/** Counts the primary and the standbys that a commit waits for. */
export function countMachines(synchronousCommit: string, standbyNames: string): number {
  if (standbyNames.trim() === '' || ['off', 'local'].includes(synchronousCommit)) return 1;
  const [, count = '1'] = /^\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\(/i.exec(standbyNames) ?? [];
  return 1 + Number(count);
}
