import { invalidInput } from '../domain/errors.ts';
import { describeDamage } from '../domain/instance/system-fault.ts';
import { type CheckCounts, findUnreadable, type Unreadable } from '../services/instance/vault-check.ts';
import { type CliContext, printList, withContext } from './command.ts';
import { withProgress } from './progress.ts';

/**
 * Opens all records and files of the instance, and prints the unreadable ones. Throws `AppError` if there are any, or if the
 * database is damaged.
 */
export function checkInstance(cli: CliContext): Promise<void> {
  return withContext(cli, async (context) => {
    const damage = await context.store.upkeep.checkIntegrity();
    if (damage.length > 0) throw invalidInput(describeDamage(damage, context.instanceName === null));
    const counts: CheckCounts = { records: 0, files: 0 };
    const opened = () => `${counts.records} records and ${counts.files} files opened`;
    const unreadable: Unreadable[] = [];
    const check = async () => {
      for await (const item of findUnreadable(context, counts)) unreadable.push(item);
    };
    await withProgress(cli, opened, check());
    cli.stderr(`${opened()}, ${unreadable.length} failed.\n`);
    if (unreadable.length > 0 || cli.asJson) printList(cli, unreadable, ['table', 'row', 'what', 'message']);
    if (unreadable.length > 0) {
      throw invalidInput('some records or files cannot be opened. Restore them from a backup.');
    }
  });
}
