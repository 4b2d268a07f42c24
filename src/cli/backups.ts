import type { Command } from 'commander';
import type { Manifest } from '../domain/backup.ts';
import { SetupError } from '../domain/errors.ts';
import { systemClock } from '../lib/clock.ts';
import { type BackupProgress, keyNames, makeBackup, pruneBackups, streamBackup } from '../services/backups/backups.ts';
import { checkBackup, openBackup, restoreBackup } from '../services/backups/restore.ts';
import { currentRelease, releaseText } from '../version.ts';
import { checkInstance } from './check-instance.ts';
import { CliCommand, type CliContext, printOne, upTo } from './command.ts';
import { withProgress } from './progress.ts';

type Options = Readonly<{ withKey?: boolean; withoutKey?: boolean; keep?: number }>;

export function backupCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'backup')
    .description('back up the database and all files of one moment, also while a server runs')
    .argument(
      '<folder>',
      'where to create the backup, as a new folder named after the time; - writes a tar archive to stdout',
    )
    .option('--with-key', 'include the key file: anyone with the backup can read it')
    .option('--without-key', 'leave out the key file: the backup is unreadable without your copy of it')
    .option('--keep <number>', 'afterwards delete all but the newest <number> backups in the folder', upTo(10_000))
    .action(async (folder: string, options: Options, command: Command) => {
      const { withKey = false, withoutKey = false, keep } = options;
      if (withKey && withoutKey) command.error('error: pass only one of --with-key and --without-key');
      if (folder === '-' && (keep !== undefined || cli.asJson))
        command.error('error: --keep and --json require a folder');
      const { dataDir, minFreeBytes, configuredKeys, storage, bucket } = await cli.backupConfig();
      if (configuredKeys && withKey) {
        throw new SetupError(
          'the key comes from ENCRYPTION_KEY or ENCRYPTION_KEY_FILE. Run this command without --with-key.',
        );
      }
      if (!configuredKeys && !withKey && !withoutKey) {
        throw new SetupError(
          'the encryption key is in the data directory. Pass --without-key to leave it out of the backup and keep a copy elsewhere, or --with-key to include it: anyone with the backup can then read it.',
        );
      }
      const progress: BackupProgress = { step: 'database', done: 0, of: 0 };
      const programVersion = releaseText(await currentRelease());
      const source = { dataDir, minFreeBytes, programVersion, storage, bucket, clock: systemClock, withKey, progress };
      const status = () => `${progress.step}${progress.of > 0 ? `: ${progress.done} of ${progress.of}` : ''}`;
      if (folder === '-') {
        const manifest = await withProgress(cli, status, streamBackup(source, cli.stdout));
        warn(cli, manifest, withKey);
        return;
      }
      const { path, manifest } = await withProgress(cli, status, makeBackup(source, folder));
      const removed = keep === undefined ? [] : await pruneBackups(folder, keep, path);
      warn(cli, manifest, withKey);
      printOne(cli, {
        path,
        ...summarizeManifest(manifest),
        key: withKey ? 'in the backup' : 'not in the backup',
        removed: removed.length,
      });
    });
}

/** Returns the properties of a manifest that `backup` and `restore` print. */
export function summarizeManifest(manifest: Manifest) {
  const { created_at, program_version, schema, files } = manifest;
  return {
    created_at,
    program_version,
    schema,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    deleted_meanwhile: manifest.deleted_meanwhile.length,
    missing: manifest.missing.length,
    needs_key: keyNames(manifest.keys),
  };
}

function warn({ stderr }: CliContext, { missing, keys }: Manifest, withKey: boolean): void {
  if (missing.length > 0) {
    stderr(`${missing.length} files of submissions are missing from the data directory, and so from this backup.\n`);
  }
  if (!withKey) stderr(`This backup does not include the key ${keyNames(keys)}, and is unreadable without it.\n`);
}

const NO_BACKUP = "error: missing required argument 'backup'";

export function restoreCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'restore')
    .description('check a backup and restore it into an empty data directory')
    .argument('[backup]', 'folder or tar archive of the backup; - reads an archive from stdin')
    .option('--verify', 'restore nothing: check the backup, or without one this instance, as "vault check" does')
    .action(async (path: string | undefined, { verify = false }: { verify?: boolean }, command: Command) => {
      if (path === undefined) return verify ? checkInstance(cli) : command.error(NO_BACKUP);
      const { dataDir, configuredKeys, storage } = await cli.backupConfig();
      const backup = path === '-' ? { archive: cli.stdin() } : await openBackup(path);
      const progress = { files: 0 };
      const deps = { storage, configuredKeys, progress };
      const work = verify ? checkBackup(deps, backup) : restoreBackup(deps, backup, dataDir);
      const { manifest, keys } = await withProgress(cli, () => `${progress.files} files`, work).catch((error) => {
        throw error instanceof SetupError ? new SetupError(`${path}: ${error.message}`) : error;
      });
      printOne(cli, {
        ...(verify ? { whole: path } : { restored: dataDir }),
        ...summarizeManifest(manifest),
        key: keys,
      });
      if (keys === 'not given') {
        cli.stderr(
          `Not checked: the key ${keyNames(manifest.keys)}, which this backup needs. Set ENCRYPTION_KEY_FILE to your copy to check it too.\n`,
        );
      }
    });
}
