import { SetupError } from '../domain/errors.ts';

/** Migrations by name, oldest first. Their SQL is imported as text, because a compiled binary has no files to read. */
export type Migrations = ReadonlyArray<readonly [name: string, sql: string]>;

/** An applied migration. */
export type Applied = Readonly<{ name: string; checksum: string }>;

/** The baseline, which each build before 1.0.0 makes anew. */
const BASELINE = '0000_first';

export function checksum(sql: string): string {
  return new Bun.CryptoHasher('sha256').update(sql).digest('hex');
}

/** Throws `SetupError` if the checksum of an applied migration differs from the one of this program. */
export function requireSame(migrations: Migrations, applied: readonly Applied[]): void {
  for (const row of applied) {
    const known = migrations.find(([name]) => name === row.name);
    if (!known || row.checksum === checksum(known[1])) continue;
    throw new SetupError(row.name === BASELINE ? OTHER_BUILD : differs(row));
  }
}

const OTHER_BUILD =
  'the database was created by another build from before 1.0.0, which this one cannot read. Run "formstead pull" and "formstead submission export" with that build, then "formstead apply" and "formstead import" with this one and a new database.';

const differs = ({ name, checksum: stored }: Applied) =>
  `the migration "${name}" of the database differs from the one of this program (its checksum is ${stored}). Start the version that created the database, or restore a backup.`;

/** Returns the error for a command that finds a database to upgrade. */
export const serverUpgrades = () =>
  new SetupError(
    'the database is from an earlier version of Formstead, and only a server upgrades it. Run "formstead serve".',
  );
