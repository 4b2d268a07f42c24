import { type Command, Option } from 'commander';
import type { Context } from '../context/context.ts';
import { NotFoundError } from '../domain/errors.ts';
import type { StoredSubmission } from '../domain/submissions/submission.ts';
import { formatTime } from '../lib/clock.ts';
import { teamIdOfForm } from '../services/forms/forms.ts';
import { deleteSubmission } from '../services/submissions/delete-submission.ts';
import { markSubmission } from '../services/submissions/mark-submission.ts';
import { readFiles, readSpamNote, readSpamReasons } from '../services/submissions/read-submission.ts';
import { serializeSubmission as serialize, serializeFile } from '../services/submissions/serialize-submission.ts';
import type { Store } from '../storage/store.ts';
import { CliCommand, type CliContext, parseLimit, printList, printOne } from './command.ts';
import { eraseCommand } from './erase.ts';
import { formNotFound, requireStoredForm } from './form-lookup.ts';
import { submissionExportCommand } from './submission-export.ts';

const EXCERPT_LENGTH = 60;

type ListOptions = Readonly<{ form: string; spam?: boolean; maybeSpam?: boolean; limit: number }>;

export function submissionCommand(cli: CliContext): Command {
  const submission = new CliCommand(cli, 'submission').description('submissions of forms');

  submission
    .command('list')
    .description('list the newest submissions of a form')
    .requiredOption('--form <id>', 'id of the form')
    .option('--spam', 'only submissions flagged as spam')
    .addOption(new Option('--maybe-spam', 'only submissions that may be spam').conflicts('spam'))
    .option('--limit <number>', 'maximum number of submissions, 1 to 1000', parseLimit, 50)
    .run(async (context, { form, spam = false, maybeSpam = false, limit }: ListOptions) => {
      const page = { onlySpam: spam, onlyMaybeSpam: maybeSpam, limit };
      const submissions = (await context.store.submissions.listRecent(form, page)) ?? formNotFound(form);
      const rows = submissions.map((row) =>
        cli.asJson ? serializeSubmission(context, row) : summarizeSubmission(context, row),
      );
      printList(cli, rows, ['id', 'created_at', 'is_spam', 'reasons', 'excerpt']);
    });

  submission
    .command('show <id>')
    .description('show a submission, with card and social security numbers masked')
    .run(async (context, id: string) => {
      const { submission } = await requireSubmission(context.store, id);
      const { formId, trashedAt } = submission;
      const trashed_at = trashedAt === null ? null : formatTime(trashedAt);
      const files = readFiles(context.vault, context.log, submission).map(serializeFile);
      const { data, ...shown } = serializeSubmission(context, submission);
      const rest = { ...shown, form_id: formId, trashed_at, files };
      const lines = data && Object.fromEntries(Object.entries(data).map(([name, value]) => [`data.${name}`, value]));
      printOne(cli, cli.asJson ? { ...rest, data } : { ...rest, ...(lines ?? { data: null }) });
    });

  submission
    .command('delete <id>')
    .description('permanently delete a submission with its files and mails')
    .confirmable()
    .run(async (context, id: string) => {
      const { form } = await requireSubmission(context.store, id);
      const { teamId } = await requireStoredForm(context.store, form.id);
      if (!(await context.confirm(`Permanently delete ${id}? Type "yes": `))) return;
      if (!(await deleteSubmission(context, id, teamId))) throw new NotFoundError('submission', id);
      context.note({ submission_id: id, form_id: form.id }, { teamId });
      printOne(cli, { id, deleted: true });
    });

  submission
    .command('mark <id>')
    .description('mark a submission as spam, or as genuine and send its held-back mails')
    .option('--spam', 'mark as spam')
    .option('--genuine', 'mark as genuine')
    .hook('preAction', (command) => {
      const { spam, genuine } = command.opts();
      if (spam === genuine) command.error('error: pass either --spam or --genuine');
    })
    .run(async (context, id: string, { spam }: { spam?: boolean }) => {
      const marked = await markSubmission(context, id, spam === true);
      const scope = { teamId: await teamIdOfForm(context.store, marked.formId) };
      context.note({ submission_id: id, is_spam: marked.isSpam }, scope);
      if (!marked.isSpam && marked.spamReasons !== null && readSpamNote(context.vault, context.log, marked).isHeld) {
        cli.stderr('Its mails were not sent: no mail server is set up for this command. Set SMTP_URL and MAIL_FROM.\n');
      }
      printOne(cli, cli.asJson ? serializeSubmission(context, marked) : summarizeSubmission(context, marked));
    });

  submission.addCommand(submissionExportCommand(cli));
  submission.addCommand(eraseCommand(cli));
  return submission;
}

async function requireSubmission(store: Store, id: string) {
  const found = await store.mails.findSubmissionWithForm(id);
  if (!found) throw new NotFoundError('submission', id);
  return found;
}

function serializeSubmission(context: Context, submission: StoredSubmission) {
  const { data, file_metadata: _, ...rest } = serialize(context, { ...submission, files: null });
  return { ...rest, reasons: readSpamReasons(context.vault, context.log, submission), data };
}

function summarizeSubmission(context: Context, submission: StoredSubmission) {
  const { data, reasons, ...rest } = serializeSubmission(context, submission);
  return { ...rest, reasons: reasons.join('; '), excerpt: data && getExcerpt(Object.values(data)) };
}

/** Returns the longest value on one line, without control characters, cut to 60 characters. */
function getExcerpt(values: readonly unknown[]): string {
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const longest = texts.reduce((a, b) => (b.length > a.length ? b : a), '');
  const line = longest.replace(/[\p{C}\s]+/gu, ' ').trim();
  if (line.length <= EXCERPT_LENGTH) return line;
  const start = line.slice(0, EXCERPT_LENGTH - 1);
  return `${start.replace(/\p{Surrogate}$/u, '')}…`;
}
