import { Command } from 'commander';
import { SetupError } from '../domain/errors.ts';
import { keyNames } from '../services/backup-keys.ts';
import { checkBackup, openBackup, restoreBackup } from '../services/restore.ts';
import { factsOf } from './backup.ts';
import { type CliContext, printOne } from './command.ts';
import { telling } from './progress.ts';

type Options = Readonly<{ verify?: boolean; json?: boolean }>;

/** `formstead restore` */
export function restoreCommand(surroundings: CliContext): Command {
  return new Command('restore')
    .description('put a backup into an empty data directory, if it is as it was written')
    .argument('<backup>', 'the folder of a backup, or a tar archive; - reads that from stdin')
    .option('--verify', 'only look whether it is whole; the data directory is left alone')
    .action(async (path: string, { verify = false, json = false }: Options) => {
      const { dataDir, configuredKeys, storage } = await surroundings.atRest();
      const backup = path === '-' ? { archive: surroundings.input() } : await openBackup(path);
      const progress = { files: 0 };
      const deps = { storage, configuredKeys, progress };
      const work = verify ? checkBackup(deps, backup) : restoreBackup(deps, backup, dataDir);
      const complain = surroundings.isWatched ? surroundings.stderr : () => {};
      const { manifest, keys } = await telling(complain, () => `${progress.files} files`, work).catch((error) => {
        throw error instanceof SetupError ? new SetupError(`${path}: ${error.message}`) : error;
      });
      printOne(surroundings, json, {
        ...(verify ? { whole: path } : { restored: dataDir }),
        ...factsOf(manifest),
        key: keys,
      });
      if (keys === 'not given') {
        surroundings.stderr(
          `It needs the key ${keyNames(manifest.keys)}: set ENCRYPTION_KEY_FILE to your copy to try it.\n`,
        );
      }
    });
}
