import { Command } from 'commander';
import { AppError } from '../domain/errors.ts';
import { completeDeletion } from '../services/forms/form-trash.ts';
import type { DeletedCounts } from '../services/submissions/delete-batches.ts';
import { type CliContext, confirm, printOne, requireConfirmable, withContext } from './command.ts';
import { formNotFound, requireStoredForm } from './form-lookup.ts';
import { withProgress } from './progress.ts';

type DeleteOptions = Readonly<{ now?: boolean; yes?: boolean }>;

/** `formstead form delete` */
export function deleteFormCommand(cli: CliContext): Command {
  return new Command('delete')
    .argument('<id>')
    .description('move a form with its submissions to the trash for 30 days')
    .option('--now', 'delete it permanently instead, also from the trash')
    .option('--yes', 'skip the confirmation of --now')
    .action((id: string, { now, yes }: DeleteOptions, command: Command) => {
      if (now) return deleteNow(cli, id, yes === true, command);
      return withContext(cli, async ({ store, clock, note }) => {
        const { form, teamId } = await requireStoredForm(store, id);
        if (!(await store.trash.moveForm(form.id, teamId, clock()))) formNotFound(id);
        note({ form_id: form.id }, { teamId });
        printOne(cli, { id: form.id, trashed: true });
      });
    });
}

/** `formstead form restore` */
export function restoreFormCommand(cli: CliContext): Command {
  return new Command('restore')
    .argument('<id>')
    .description('move a form with its submissions out of the trash')
    .action((id: string) =>
      withContext(cli, async ({ store, note }) => {
        const { form, teamId } = await requireStoredForm(store, id);
        if (!(await store.trash.moveForm(form.id, teamId, null))) {
          throw new AppError(
            'conflict',
            form.trashedAt === null
              ? `The form "${id}" is not in the trash. See "form list --team <id> --trashed".`
              : `The form "${id}" is being deleted and cannot be restored.`,
          );
        }
        note({ form_id: form.id }, { teamId });
        printOne(cli, { id: form.id, restored: true });
      }),
    );
}

function deleteNow(cli: CliContext, id: string, yes: boolean, command: Command): Promise<void> {
  requireConfirmable(cli, command, yes);
  return withContext(cli, async ({ store, blobs, clock, note }) => {
    const { form, teamId } = await requireStoredForm(store, id);
    const question = `Permanently delete the form "${form.name}" with its submissions? Type "yes": `;
    if (!yes && !(await confirm(cli, note, question))) return;
    await store.trash.moveForm(form.id, teamId, clock());
    if (!(await store.trash.expireForm(form.id, teamId))) formNotFound(id);
    const counts: DeletedCounts = { submissions: 0, files: 0, mails: 0 };
    const work = completeDeletion({ store, blobs }, form.id, counts, new AbortController().signal);
    await withProgress(cli, () => `${counts.submissions} submissions deleted`, work);
    note({ form_id: form.id, ...counts }, { teamId, action: 'form.deleted' });
    printOne(cli, { id: form.id, deleted: true, ...counts });
  });
}
