import { type Command, Option } from 'commander';
import { AppError, invalidInput, notFound } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import { maskPayload } from '../domain/masking/masking.ts';
import { asText } from '../domain/submissions/submission.ts';
import { parseTimeZone } from '../domain/users/time-zone.ts';
import type { ExportFile } from '../imports/export-file.ts';
import { FileFetcher } from '../imports/fetch-files.ts';
import type { Layout } from '../imports/layout.ts';
import * as imports from '../imports/run-import.ts';
import { SOURCE_NAMES, type SourceName } from '../imports/sources.ts';
import { findLayout, findTimeRules, newSurvey, type OpenTime, readRows, type Survey } from '../imports/survey.ts';
import { ENCODINGS, type Encoding } from '../imports/text.ts';
import { DATE_ORDERS, type DateOrder, type OpenPoint, type TimeRules } from '../imports/times.ts';
import { formatTime } from '../lib/clock.ts';
import { formatTable } from '../lib/table.ts';
import { teamIdOfForm } from '../services/forms/forms.ts';
import { CliCommand, type CliContext, type CommandContext, collect, printList, printOne, withLock } from './command.ts';
import { requireForm } from './form-lookup.ts';
import { withProgress } from './progress.ts';

type Options = Readonly<{
  form?: string;
  source?: SourceName;
  timeZone?: string;
  dateOrder?: DateOrder;
  encoding: Encoding;
  timeColumn?: string;
  idColumn?: string;
  fetchFiles: readonly string[];
  skipBadRows?: boolean;
  dryRun?: boolean;
  list?: boolean;
  undo?: string;
}>;

/** A rotation would miss records sealed meanwhile. */
const KEYS_IN_USE = 'another command is importing or changing the keys. Try again after it.';
const LISTED_IMPORTS = 1_000;
const EXAMPLE_LENGTH = 24;

export function importCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'import')
    .description('import submissions that another service exported, list imports or undo one')
    .argument('[file]', 'the export: a CSV or JSON file')
    .option('--form <id>', 'id of the form')
    .addOption(new Option('--source <name>', 'the service, if it is not recognized').choices(SOURCE_NAMES))
    .option('--time-zone <zone>', 'time zone of times without one, such as Europe/Berlin')
    .addOption(new Option('--date-order <order>', 'order of dates such as 03/04/2025').choices(DATE_ORDERS))
    .addOption(new Option('--encoding <name>', 'encoding of the file').choices(ENCODINGS).default('utf-8'))
    .option('--time-column <name>', 'column with the times')
    .option('--id-column <name>', 'column that identifies the rows in later imports')
    .option('--fetch-files <column>', 'download the files whose URLs are in this column; can be repeated', collect, [])
    .option('--skip-bad-rows', 'leave out unreadable rows')
    .option('--dry-run', 'show what an import would do, and import nothing')
    .option('--list', 'list the imports of the form')
    .option('--undo <id>', 'permanently delete the submissions of an import')
    .hook('preAction', requireOneTask)
    .confirmable('skip the confirmation of --undo', ({ undo }) => undo)
    .run((context, file: string | undefined, options: Options) => {
      const { form = '', undo } = options;
      if (undo !== undefined) return undoOne(context, undo);
      return file === undefined ? listAll(context, form) : importFile(context, form, file, options);
    });
}

/** Exits with a usage error unless there is one task, with the options that it needs. */
function requireOneTask(command: Command): void {
  const { form, list = false, undo } = command.opts<Options>();
  if ([command.args.length > 0, list, undo !== undefined].filter(Boolean).length !== 1) {
    command.error('error: pass either a file, --list or --undo');
  }
  if (undo === undefined && form === undefined) command.error('error: pass the form with --form');
}

async function listAll({ cli, store, note }: CommandContext, formId: string): Promise<void> {
  note({}, { action: null });
  const { id } = await requireForm(store, formId);
  const rows = (await store.imports.list(id, LISTED_IMPORTS)).map((one) => ({
    id: one.id,
    source: one.source,
    added: one.added,
    created_at: formatTime(one.createdAt),
    state: one.undoneAt !== null ? 'undone' : one.finishedAt === null ? 'unfinished' : 'finished',
  }));
  printList(cli, rows, ['id', 'source', 'added', 'created_at', 'state']);
}

async function undoOne(context: CommandContext, id: string): Promise<void> {
  const { cli, store, note, confirm } = context;
  const found = await store.imports.find(id);
  if (!found) throw notFound(`there is no import "${id}". See "import --list --form <id>".`);
  const question = `Permanently delete the submissions of this import, at most ${found.added}? Type "yes": `;
  if (!(await confirm(question))) return;
  const teamId = await teamIdOfForm(store, found.formId);
  const counts: imports.UndoCounts = { submissions: 0, files: 0 };
  await withProgress(
    cli,
    () => `${counts.submissions} of ${found.added} deleted`,
    imports.undoImport(context, id, counts),
  );
  note({ import_id: id, form_id: found.formId, ...counts }, { action: 'import.undone', teamId });
  printOne(cli, { id, ...counts });
}

async function importFile(context: CommandContext, formId: string, path: string, options: Options) {
  const { cli, store, clock, config, note } = context;
  const form = await requireForm(store, formId);
  const file: ExportFile = { path, encoding: options.encoding };
  const { source = null, timeColumn = null, idColumn = null } = options;
  const layout = await findLayout(file, { source, timeColumn, idColumn }, form.fields);
  const rules = await decideRules(cli, file, layout, options);
  const span = { now: clock(), retentionDays: form.retentionDays ?? config.retentionDays };
  const target = { form, source: layout.source.name };
  const deps = getDeps(context);

  const survey = newSurvey();
  const expected = imports.newImportCounts();
  const rows = readRows(file, layout, rules, span, survey);
  await withProgress(cli, () => `${survey.rows} rows read`, imports.countNew(deps, target, rows, expected));
  const facts = { form_id: form.id, source: target.source, ...getFacts(survey, span.retentionDays) };
  const fields = fileFields(layout, options.fetchFiles);
  reportBadRows(cli, survey, options);
  if (options.dryRun) {
    note({}, { action: null });
    const { added, duplicates } = expected;
    printDryRun(cli, layout, survey, { ...facts, new: added, duplicates });
    return;
  }
  const teamId = await teamIdOfForm(store, form.id);
  const counts = imports.newImportCounts();
  note({ form_id: form.id, source: target.source }, { teamId });
  const importing = withLock(context, 'keys', KEYS_IN_USE, () => {
    const again = readRows(file, layout, rules, span, newSurvey());
    return imports.runImport(deps, target, again, createFetcher(context, form, fields), counts);
  });
  const done = () => `${counts.added} of ${expected.added} submissions imported into ${form.name}`;
  const id = await withProgress(cli, done, importing);
  note({ ...(id !== null && { import_id: id }), added: counts.added });
  const { files, filesFailed, ...rest } = counts;
  printOne(cli, { import_id: id, ...facts, ...rest, ...(fields.size > 0 && { files, files_failed: filesFailed }) });
}

function getDeps({ cli, store, blobs, vault, clock, config, freeBytes }: CommandContext): imports.ImportDeps {
  return {
    ...{ store, blobs, vault, clock },
    requireSpace: () => {
      if (freeBytes() >= config.minFreeBytes) return;
      throw new AppError(
        'storage_unavailable',
        'the disk of DATA_DIR is nearly full. Free space and run this command again.',
      );
    },
    reportFile: ({ row, field, host, reason }) =>
      cli.stderr(`Row ${row}, field "${field}": could not fetch a file from ${host}: ${reason}. Its URL was kept.\n`),
  };
}

/** Returns the rules for times. Asks for open points on a terminal; throws `invalid_input` without one. */
async function decideRules(cli: CliContext, file: ExportFile, layout: Layout, options: Options): Promise<TimeRules> {
  const { timeZone, dateOrder = null } = options;
  const given = { timeZone: timeZone === undefined ? null : parseTimeZone(timeZone), dateOrder };
  const progress = { rows: 0 };
  const finding = findTimeRules(file, layout, given, progress);
  const { rules, open } = await withProgress(cli, () => `times of ${progress.rows} rows read`, finding);
  if (open.length > 0 && !cli.prompt) {
    throw invalidInput(open.map(({ point, row }) => `${POINTS[point][0](row)} ${POINTS[point][1]}`).join(' '));
  }
  return open.reduce(async (decided, point) => ask(cli, await decided, point), Promise.resolve(rules));
}

/** Question and remedy of each open point. */
const POINTS: Readonly<Record<OpenPoint, readonly [question: (row: number) => string, remedy: string]>> = {
  'date order': [
    (row) => `The date in row ${row} can be read in several ways.`,
    'Pass the order of day, month and year with --date-order: dmy, mdy or ymd.',
  ],
  'time zone': [
    (row) => `The time in row ${row} has no time zone, or only the abbreviation of one.`,
    'Pass it with --time-zone, such as Europe/Berlin.',
  ],
};

async function ask({ prompt }: CliContext, rules: TimeRules, { point, row }: OpenTime): Promise<TimeRules> {
  const question = POINTS[point][0](row);
  if (point === 'time zone') {
    const answer = await prompt?.(`${question} Time zone, such as Europe/Berlin: `);
    return { ...rules, timeZone: parseTimeZone(answer ?? '') };
  }
  const answer = (await prompt?.(`${question} Order of day, month and year (dmy, mdy or ymd): `))?.trim().toLowerCase();
  const order = DATE_ORDERS.find((name) => name === answer);
  if (!order) throw invalidInput(`The order of a date must be dmy, mdy or ymd, not ${JSON.stringify(answer)}.`);
  return { ...rules, dateOrder: order };
}

function getFacts(survey: Survey, retentionDays: number | null) {
  const { rows, earliest, latest, spam, empty, unfinished, expired, repeated, offSeason, badCount } = survey;
  return {
    rows,
    earliest: earliest === null ? null : formatTime(earliest),
    latest: latest === null ? null : formatTime(latest),
    spam,
    empty,
    ...(unfinished > 0 && { unfinished }),
    ...(expired > 0 && { older_than_retention: expired, retention_days: retentionDays }),
    ...(repeated > 0 && { repeated_hour: repeated }),
    ...(offSeason > 0 && { other_season: offSeason }),
    ...(badCount > 0 && { bad_rows: badCount }),
  };
}

/** Lists unreadable rows. Throws `invalid_input` unless they are to be skipped. */
function reportBadRows({ stderr }: CliContext, { bad, badCount, rows }: Survey, { skipBadRows, dryRun }: Options) {
  if (badCount === 0) return;
  const messages = bad.map(({ number, column, message }) => {
    return `row ${number}${column === null ? '' : `, column ${JSON.stringify(column)}`}: ${message}`;
  });
  if (badCount > bad.length) messages.push(`and ${badCount - bad.length} more`);
  if (!skipBadRows && !dryRun) {
    throw invalidInput(
      `${badCount} of ${rows} rows are unreadable, and nothing was imported: ${messages.join('; ')}. Correct them, or pass --skip-bad-rows to leave them out.`,
    );
  }
  stderr(`${badCount} of ${rows} rows are unreadable:\n${messages.join('\n')}\n`);
}

/** Returns the fields of the columns with files. Throws `invalid_input` for a column without a field. */
function fileFields(layout: Layout, columns: readonly string[]): ReadonlySet<string> {
  return new Set(
    columns.map((column) => {
      const use = layout.uses.get(column);
      if (use && 'field' in use) return use.field;
      throw invalidInput(`There is no column "${column}" with values. See the columns with --dry-run.`);
    }),
  );
}

function createFetcher({ config, blobs, network }: CommandContext, form: Form, fields: ReadonlySet<string>) {
  if (fields.size === 0) return null;
  const limits = {
    files: config.maxFiles,
    fileBytes: config.maxFileBytes,
    fileTypes: form.allowedFileTypes,
    fields: [],
    acceptsFiles: true,
  };
  return new FileFetcher({ network, blobs, limits }, fields);
}

/** Prints the uses of the columns, with the first rows in a table, and the counts. */
function printDryRun(cli: CliContext, layout: Layout, survey: Survey, facts: object): void {
  if (!cli.asJson) cli.stdout(`${preview(layout, survey)}\n\n`);
  const columns = Object.fromEntries(
    Array.from(layout.uses, ([name, use]) => [name, 'field' in use ? use.field : `(${use.use})`]),
  );
  printOne(cli, { ...facts, ...(cli.asJson && { columns }) });
}

/** Returns a table of the columns, their uses and the first rows, with masked values. */
function preview(layout: Layout, { samples }: Survey): string {
  const examples = samples.map((row) => Map.groupBy(maskPayload(layout.cellsOf(row)), ([column]) => column));
  const lines = Array.from(layout.uses, ([column, use]) => [
    shorten(column),
    'field' in use ? `field ${shorten(use.field)}` : `(${use.use})`,
    ...examples.map((cells) => shorten((cells.get(column) ?? []).map(([, value]) => asText(value)).join(', '))),
  ]);
  return formatTable([['column', 'becomes', ...samples.map(({ number }) => `row ${number}`)], ...lines]);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= EXAMPLE_LENGTH ? line : `${line.slice(0, EXAMPLE_LENGTH - 1).replace(/\p{Surrogate}$/u, '')}…`;
}
