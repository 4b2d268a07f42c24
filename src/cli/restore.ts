import type { Command } from 'commander';
import { SetupError } from '../domain/errors.ts';
import { keyNames } from '../services/backups/backup-keys.ts';
import { checkBackup, openBackup, restoreBackup } from '../services/backups/restore.ts';
import { summarizeManifest } from './backup.ts';
import { checkInstance } from './check-instance.ts';
import { CliCommand, type CliContext, printOne } from './command.ts';
import { withProgress } from './progress.ts';

const NO_BACKUP = "error: missing required argument 'backup'";

/** `formstead restore` */
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
