import { open, rm } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { invalidInput } from '../domain/errors.ts';
import { VALUE_WORDS } from '../domain/fields/value-words.ts';
import type { Form } from '../domain/forms/form.ts';
import { parseTimeZone } from '../domain/users/time-zone.ts';
import type { Micros } from '../lib/clock.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { type Chunks, type Export, jsonLines, type Progress, runExport } from '../services/exports/export.ts';
import type { FieldChoice } from '../services/exports/export-columns.ts';
import { csvExport, spreadsheetCsvExport } from '../services/exports/export-csv.ts';
import { archiveExport } from '../services/exports/export-files.ts';
import { EXTRA_COLUMNS, type SpreadsheetOptions, type SpreadsheetWords } from '../services/exports/spreadsheet.ts';
import { teamIdOfForm } from '../services/forms/forms.ts';
import type { ExportState } from '../storage/records.ts';
import { CliCommand, type CliContext, parseTimeOption, printOne } from './command.ts';
import { requireForm } from './form-lookup.ts';
import { withProgress } from './progress.ts';

type Options = Readonly<{
  form: string;
  format: 'csv' | 'xlsx' | 'jsonl' | 'zip';
  forPeople?: boolean;
  details?: boolean;
  columns?: FieldChoice;
  timeZone?: string;
  state: ExportState;
  since?: Micros;
  until?: Micros;
  output?: string;
}>;

const WORDS: SpreadsheetWords = {
  ...VALUE_WORDS.en,
  sheet: 'Submissions',
  received: 'Received',
  spam: 'Spam',
  damaged: 'Damaged',
  id: 'ID',
  maybeSpam: 'Suspected spam',
  confirmed: 'Address confirmed',
  consent: 'Consent text',
  otherFields: 'Other fields',
  shortened: '… (shortened)',
};

const ARCHIVE = {
  noFiles: 'These submissions have no files.',
  unreadable: 'These files are damaged or missing, so they are not in this archive:',
};

export function submissionExportCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'export')
    .description('export the submissions of a form, with card and social security numbers masked')
    .requiredOption('--form <id>', 'id of the form')
    .addOption(new Option('--format <format>', 'file format').choices(['csv', 'xlsx', 'jsonl', 'zip']).default('csv'))
    .option('--for-people', 'CSV with labels as headings, local times, Yes and No; XLSX always has them')
    .option('--details', 'columns for spam, damage and ID in --for-people and XLSX')
    .option('--columns <names>', 'only these fields, separated by commas, in CSV and XLSX', parseColumns)
    .option('--time-zone <zone>', "time zone of --for-people and XLSX; default: the form's", parseZone)
    .addOption(
      new Option('--state <state>', 'which submissions; maybe spam is also among the genuine ones')
        .choices(['genuine', 'maybe', 'spam', 'all', 'trashed'])
        .default('genuine'),
    )
    .option('--since <time>', 'only submissions from this time on, such as 2026-11-01T00:00:00Z', parseTimeOption)
    .option('--until <time>', 'only submissions before this time', parseTimeOption)
    .option('--output <file>', 'write to a new file instead of the standard output')
    .run(async (context, options: Options) => {
      const form = await requireForm(context.store, options.form);
      const { state, since = 0, until = Number.MAX_SAFE_INTEGER } = options;
      const span = { formId: form.id, state, from: since, until };
      const progress: Progress = { step: 'looking', submissions: 0, atMost: 0 };
      const deps = { ...context, semaphore: new Semaphore(1) };
      const chunks = runExport(deps, await getExport(form, options), span, progress);
      const { output } = options;
      if (output === undefined) for await (const chunk of chunks) await cli.stdout(chunk);
      else {
        const done = () => `${progress.submissions} of at most ${progress.atMost} submissions`;
        await withProgress(cli, done, writeNewFile(output, chunks, '--output'));
        printOne(cli, { file: output, submissions: progress.submissions });
      }
      const teamId = await teamIdOfForm(context.store, form.id);
      context.note({ count: progress.submissions }, { action: `export.${options.format}`, teamId });
    });
}

async function getExport(form: Form, { format, forPeople, details, columns, timeZone }: Options): Promise<Export> {
  const choice = columns ?? null;
  const extras = details ? EXTRA_COLUMNS : [];
  const zone = timeZone ?? form.timeZone;
  const options: SpreadsheetOptions = { form, choice, extras, timeZone: zone, words: WORDS };
  if (format === 'jsonl') return jsonLines;
  if (format === 'zip') return archiveExport(ARCHIVE);
  if (format === 'csv') return forPeople ? spreadsheetCsvExport(options) : csvExport(form, choice);
  const { xlsxExport } = await import('../services/exports/export-xlsx.ts');
  return xlsxExport(options);
}

/** Writes a new file and syncs it. Throws if it can't be created, and removes it if the export fails. */
export async function writeNewFile(path: string, chunks: Chunks, option: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600).catch((error: Error) => {
    throw invalidInput(`Could not create ${path}: ${error.message}. Pass another ${option}.`);
  });
  try {
    for await (const chunk of chunks) await file.appendFile(chunk);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function parseColumns(text: string): FieldChoice {
  const names = text.split(',').map((name) => name.trim());
  return { names: new Set(names.filter((name) => name !== '')), others: false };
}

function parseZone(text: string): string {
  try {
    return parseTimeZone(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
