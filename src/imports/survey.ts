import { invalidInput } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import { DAY, type Micros } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import { type ExportFile, toRows } from './export-file.ts';
import { type Columns, Layout } from './layout.ts';
import type { RawRow } from './raw-row.ts';
import { type BadRow, getWrittenTime, type ReadyRow, readRow } from './read-row.ts';
import { type DateOrder, type OpenPoint, openPoints, provenOrder, type TimeRules } from './times.ts';

/** Rows by which the columns are recognized. */
const FIRST_ROWS = 50;
const MAX_BLOCK_MS = 20;

/** Progress of reading a file. */
export type ReadProgress = { rows: number };

/** Reads the first rows of an export and recognizes its columns. Throws `invalid_input`. */
export async function findLayout(file: ExportFile, columns: Columns, fields: Form['fields']): Promise<Layout> {
  const rows: RawRow[] = [];
  for await (const row of toRows(file)) if (rows.push(row) === FIRST_ROWS) break;
  if (rows.length === 0) throw invalidInput(`There are no rows in ${file.path}. Export it again.`);
  return Layout.of(rows, columns, fields);
}

/** An open point of the times in a file, and the first row that has it. */
export type OpenTime = Readonly<{ point: OpenPoint; row: number }>;

/**
 * Reads all times and decides the order of dates of numbers, which one day above 12 proves for the whole file. Returns
 * the rules and the points that are still open. Throws `invalid_input` if two dates contradict each other.
 */
export async function findTimeRules(
  file: ExportFile,
  layout: Layout,
  given: TimeRules,
  progress: ReadProgress,
): Promise<Readonly<{ rules: TimeRules; open: readonly OpenTime[] }>> {
  const fromHeading = /\(UTC\)$/i.test(layout.time) ? 'UTC' : null;
  let rules: TimeRules = { ...given, timeZone: fromHeading ?? given.timeZone };
  const proofs = new Map<DateOrder, number>();
  const open = new Map<OpenPoint, number>();
  let shortYear: number | null = null;
  for await (const raw of paced(toRows(file), progress)) {
    const written = getWrittenTime(layout, raw);
    if (!written) continue;
    for (const point of openPoints(written, rules)) open.set(point, open.get(point) ?? raw.number);
    if ('date' in written && written.date.hasShortYear) shortYear ??= raw.number;
    const proof = provenOrder(written);
    if (proof !== null) proofs.set(proof, proofs.get(proof) ?? raw.number);
  }
  const [day, month] = [proofs.get('dmy'), proofs.get('mdy')];
  if (rules.dateOrder === null && day !== undefined && month !== undefined) {
    throw invalidInput(
      `The dates of rows ${day} and ${month} have day and month in different orders. Correct the file: no order fits both.`,
    );
  }
  const [proven] = proofs.keys();
  if (rules.dateOrder === null && proven && shortYear === null) {
    rules = { ...rules, dateOrder: proven };
    open.delete('date order');
  }
  return { rules, open: Array.from(open, ([point, row]) => ({ point, row })) };
}

/** Counts and samples of an export. `bad` has the first faults only. */
export type Survey = ReturnType<typeof newSurvey>;

const MAX_FAULTS = 20;
const SAMPLES = 3;

export function newSurvey() {
  return {
    ...{ rows: 0, empty: 0, unfinished: 0, expired: 0, spam: 0, badCount: 0 },
    /** Times that occur twice at the end of daylight saving time. */
    repeated: 0,
    /** Times with the abbreviation of the other season, such as CET in July. */
    offSeason: 0,
    bad: [] as BadRow[],
    earliest: null as Micros | null,
    latest: null as Micros | null,
    samples: [] as RawRow[],
  };
}

/** The limits of the times to import: not after `now`, and not so old that retention would delete them. */
export type Span = Readonly<{ now: Micros; retentionDays: number | null }>;

/** Yields the rows to import, and adds all rows to `survey`. */
export async function* readRows(
  file: ExportFile,
  layout: Layout,
  rules: TimeRules,
  { now, retentionDays }: Span,
  survey: Survey,
): AsyncGenerator<ReadyRow> {
  const oldest = retentionDays === null ? Number.NEGATIVE_INFINITY : now - retentionDays * DAY;
  for await (const raw of paced(toRows(file), survey)) {
    if (survey.samples.length < SAMPLES) survey.samples.push(raw);
    const row = readRow(layout, raw, rules, now);
    if (row.outcome === 'bad') {
      survey.badCount += 1;
      if (survey.bad.length < MAX_FAULTS) survey.bad.push(row);
    } else if (row.outcome !== 'ready') survey[row.outcome] += 1;
    else if (row.at < oldest) survey.expired += 1;
    else {
      survey.earliest = Math.min(survey.earliest ?? row.at, row.at);
      survey.latest = Math.max(survey.latest ?? row.at, row.at);
      if (row.isRepeated) survey.repeated += 1;
      if (row.isOffSeason) survey.offSeason += 1;
      if (row.isSpam) survey.spam += 1;
      yield row;
    }
  }
}

/** Counts rows, and yields to the event loop regularly, so that progress is shown. */
async function* paced(rows: AsyncIterable<RawRow>, progress: ReadProgress): AsyncGenerator<RawRow> {
  let startedAt = performance.now();
  for await (const row of rows) {
    progress.rows += 1;
    yield row;
    if (performance.now() - startedAt < MAX_BLOCK_MS) continue;
    await yieldToEventLoop();
    startedAt = performance.now();
  }
}
