import { Command } from 'commander';
import { AppError } from '../domain/errors.ts';
import type { PayloadValue, StoredSubmission } from '../domain/submission.ts';
import { formatTime } from '../lib/clock.ts';
import { teamIdOfForm } from '../services/forms.ts';
import { markSubmission } from '../services/mark-submission.ts';
import { readPayload, readSpamReasons } from '../services/read-submission.ts';
import { type CliContext, type CommandContext, parseLimit, printList, printOne, withContext } from './command.ts';
import { eraseCommand } from './erase.ts';

const EXCERPT_LENGTH = 60;

/** `formstead submission …` */
export function submissionCommand(surroundings: CliContext): Command {
  const submission = new Command('submission').description('submissions, which forms took in');

  submission
    .command('list')
    .description('list the newest submissions of a form')
    .requiredOption('--form <id>', 'the form')
    .option('--spam', 'only those flagged as spam')
    .option('--limit <number>', 'how many at most, 1 to 1000', parseLimit, 50)
    .action(({ form, spam = false, limit, json }: { form: string; spam?: boolean; limit: number; json?: boolean }) =>
      withContext(surroundings, async (context) => {
        const found = await context.store.listRecentSubmissions(form, { onlySpam: spam, limit });
        if (!found) throw new AppError('not_found', `there is no form "${form}"; see "form list --team <id>".`);
        const rows = found.map((row) => (json ? shown(context, row) : inBrief(context, row)));
        printList(surroundings, json === true, rows, ['id', 'created_at', 'is_spam', 'reasons', 'excerpt']);
      }),
    );

  submission
    .command('mark <id>')
    .description('say whether a submission is spam; what was held back of a genuine one is released')
    .option('--spam', 'it is spam')
    .option('--genuine', 'it is genuine')
    .action((id: string, { spam, genuine, json }: { spam?: boolean; genuine?: boolean; json?: boolean }, command) => {
      if (spam === genuine) (command as Command).error('error: name one of --spam and --genuine');
      return withContext(surroundings, async (context) => {
        const marked = await markSubmission(context, id, spam === true);
        const facts = { teamId: await teamIdOfForm(context.store, marked.formId) };
        context.note({ submission_id: id, is_spam: marked.isSpam }, facts);
        if (!marked.isSpam && marked.spamReasons !== null) {
          surroundings.stderr('No mail of it was sent: SMTP_URL and MAIL_FROM are not set here.\n');
        }
        printOne(surroundings, json === true, json ? shown(context, marked) : inBrief(context, marked));
      });
    });

  submission.addCommand(eraseCommand(surroundings));
  return submission;
}

function shown({ vault, log }: CommandContext, submission: StoredSubmission) {
  const payload = readPayload(vault, log, submission);
  return {
    id: submission.id,
    created_at: formatTime(submission.createdAt),
    is_spam: submission.isSpam,
    reasons: readSpamReasons(vault, log, submission),
    data: payload && Object.fromEntries(payload),
  };
}

function inBrief(context: CommandContext, submission: StoredSubmission) {
  const { data, reasons, ...facts } = shown(context, submission);
  return { ...facts, reasons: reasons.join('; '), excerpt: data && excerptOf(Object.values(data)) };
}

/** The longest text on one line, without what could move the cursor of a terminal. */
function excerptOf(values: readonly PayloadValue[]): string {
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const longest = texts.reduce((a, b) => (b.length > a.length ? b : a), '');
  const line = longest.replace(/[\p{C}\s]+/gu, ' ').trim();
  if (line.length <= EXCERPT_LENGTH) return line;
  const start = line.slice(0, EXCERPT_LENGTH - 1);
  return `${start.replace(/\p{Surrogate}$/u, '')}…`;
}
