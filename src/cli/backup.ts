import { Command, InvalidArgumentError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { Manifest } from '../domain/backup.ts';
import { SetupError } from '../domain/errors.ts';
import { systemClock } from '../lib/clock.ts';
import { keyNames } from '../services/backup-keys.ts';
import { type BackupProgress, makeBackup, pruneBackups, streamBackup } from '../services/backups.ts';
import { type CliContext, printOne } from './command.ts';
import { telling } from './progress.ts';

type Options = Readonly<{ withKey?: boolean; withoutKey?: boolean; keep?: number; json?: boolean }>;

/** `formstead backup` */
export function backupCommand(surroundings: CliContext): Command {
  return new Command('backup')
    .description('copy database and files as they are at one moment, also while a server runs')
    .argument('<folder>', 'where to make a new folder named for the time; - writes a tar archive to stdout')
    .option('--with-key', 'take the key file along: whoever has the backup can read it')
    .option('--without-key', 'leave the key file out: without a copy of it nobody can read the backup')
    .option('--keep <number>', 'afterwards remove all but the newest so many backups in the folder', parseKeep)
    .action(async (folder: string, options: Options, command: Command) => {
      const { withKey = false, withoutKey = false, keep, json = false } = options;
      if (withKey && withoutKey) command.error('error: name one of --with-key and --without-key');
      if (folder === '-' && (keep !== undefined || json)) command.error('error: --keep and --json are for a folder');
      const { dataDir, minFreeBytes, configuredKeys, storage } = await surroundings.atRest();
      if (configuredKeys && withKey) {
        throw new SetupError('the key is kept in ENCRYPTION_KEY or ENCRYPTION_KEY_FILE; run this without --with-key.');
      }
      if (!configuredKeys && !withKey && !withoutKey) {
        throw new SetupError(
          'the key lies in the data directory: --with-key takes it along, so that whoever has the backup can read it; --without-key leaves it out, and you keep a copy elsewhere.',
        );
      }
      const progress: BackupProgress = { step: 'database', done: 0, of: 0 };
      const facts = { dataDir, minFreeBytes, programVersion: packageJson.version };
      const source = { ...facts, storage, clock: systemClock, withKey, progress };
      const complain = surroundings.isWatched ? surroundings.stderr : () => {};
      const how = () => `${progress.step}${progress.of > 0 ? `: ${progress.done} of ${progress.of}` : ''}`;
      if (folder === '-') {
        const manifest = await telling(complain, how, streamBackup(source, surroundings.stdout));
        warn(surroundings, manifest, withKey);
        return;
      }
      const { path, manifest } = await telling(complain, how, makeBackup(source, folder));
      const removed = keep === undefined ? [] : await pruneBackups(folder, keep, path);
      warn(surroundings, manifest, withKey);
      printOne(surroundings, json, {
        path,
        ...factsOf(manifest),
        key: withKey ? 'in the backup' : 'not in the backup',
        removed: removed.length,
      });
    });
}

/** What is worth telling of a backup. */
export function factsOf({ created_at, program_version, schema, files, deleted_meanwhile, missing, keys }: Manifest) {
  return {
    created_at,
    program_version,
    schema,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    deleted_meanwhile: deleted_meanwhile.length,
    missing: missing.length,
    needs_key: keyNames(keys),
  };
}

function warn({ stderr }: CliContext, { missing, keys }: Manifest, withKey: boolean): void {
  if (missing.length > 0) {
    stderr(`${missing.length} files of submissions are missing in the data directory, and so in this backup.\n`);
  }
  if (!withKey) stderr(`It can be read with the key ${keyNames(keys)} alone, which is not in it.\n`);
}

function parseKeep(text: string): number {
  const keep = Number(text);
  if (/^\d+$/.test(text) && keep >= 1 && keep <= 10_000) return keep;
  throw new InvalidArgumentError('It takes a whole number from 1 to 10000.');
}
