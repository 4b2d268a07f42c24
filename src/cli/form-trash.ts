import type { Command } from 'commander';
import { AppError } from '../domain/errors.ts';
import { completeDeletion } from '../services/forms/form-trash.ts';
import type { DeletedCounts } from '../services/submissions/delete-batches.ts';
import { CliCommand, type CliContext, type CommandContext, printOne } from './command.ts';
import { formNotFound, requireStoredForm } from './form-lookup.ts';
import { withProgress } from './progress.ts';

/** `formstead form delete` */
export function deleteFormCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'delete')
    .argument('<id>')
    .description('move a form with its submissions to the trash for 30 days')
    .option('--now', 'delete it permanently instead, also from the trash')
    .confirmable('skip the confirmation of --now', ({ now }) => now)
    .run((context, id: string, { now }: { now?: boolean }) =>
      now ? deleteNow(context, id) : moveToTrash(context, id),
    );
}

/** `formstead form restore` */
export function restoreFormCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'restore')
    .argument('<id>')
    .description('move a form with its submissions out of the trash')
    .run(async ({ store, note }, id: string) => {
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
    });
}

async function moveToTrash({ cli, store, clock, note }: CommandContext, id: string): Promise<void> {
  const { form, teamId } = await requireStoredForm(store, id);
  if (!(await store.trash.moveForm(form.id, teamId, clock()))) formNotFound(id);
  note({ form_id: form.id }, { teamId });
  printOne(cli, { id: form.id, trashed: true });
}

async function deleteNow({ cli, store, blobs, clock, note, confirm }: CommandContext, id: string): Promise<void> {
  const { form, teamId } = await requireStoredForm(store, id);
  const question = `Permanently delete the form "${form.name}" with its submissions? Type "yes": `;
  if (!(await confirm(question))) return;
  await store.trash.moveForm(form.id, teamId, clock());
  if (!(await store.trash.expireForm(form.id, teamId))) formNotFound(id);
  const counts: DeletedCounts = { submissions: 0, files: 0, mails: 0 };
  const work = completeDeletion({ store, blobs }, form.id, counts, new AbortController().signal);
  await withProgress(cli, () => `${counts.submissions} submissions deleted`, work);
  note({ form_id: form.id, ...counts }, { teamId, action: 'form.deleted' });
  printOne(cli, { id: form.id, deleted: true, ...counts });
}
