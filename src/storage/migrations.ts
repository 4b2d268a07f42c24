import { SetupError } from '../domain/errors.ts';

/** Migrations by name, oldest first. Their SQL is imported as text, because a compiled binary has no files to read. */
export type Migrations = ReadonlyArray<readonly [name: string, sql: string]>;

export type Applied = Readonly<{ name: string; checksum: string }>;

/** The baseline, which each build before 1.0.0 makes anew. */
const BASELINE = '0000_first';

export const checksum = (sql: string): string => new Bun.CryptoHasher('sha256').update(sql).digest('hex');

/** Throws `SetupError` if the checksum of an applied migration differs from the one of this program. */
export function requireSame(migrations: Migrations, applied: readonly Applied[]): void {
  for (const row of applied) {
    const known = migrations.find(([name]) => name === row.name);
    if (!known || row.checksum === checksum(known[1])) continue;
    throw new SetupError(row.name === BASELINE ? OTHER_BUILD : differs(row));
  }
}

const OTHER_BUILD =
  'the database was created by another build from before 1.0.0, which this one cannot read. With that build, run "formstead pull > forms.yaml" and, for each form with submissions, "formstead submission export --form <id> --state all --format jsonl > <id>.jsonl". In forms.yaml, write env:NAME or file:PATH for each "keep", or remove its entry. With this build and an empty DATA_DIR and database, run "formstead init", "formstead team create --name <name>", "formstead apply forms.yaml" and, for each file, "formstead import <id>.jsonl --form <id>". Uploaded files are not imported: save them with "--format zip".';

const differs = ({ name, checksum: stored }: Applied) =>
  `the migration "${name}" of the database differs from the one of this program (its checksum is ${stored}). Start the version that created the database, or restore a backup.`;

/** Returns the error for a command that finds a database to upgrade. */
export const serverUpgrades = () =>
  new SetupError(
    'the database is from an earlier version of Formstead, and only a server upgrades it. Run "formstead serve".',
  );
