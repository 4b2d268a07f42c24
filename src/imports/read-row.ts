import { maskPayload } from '../domain/masking/masking.ts';
import { asText, type Payload, type PayloadValue, SUBMISSION_LIMITS } from '../domain/submissions/submission.ts';
import { withoutControlFields } from '../intake/control-fields.ts';
import { isLongerThan, toPayload } from '../intake/decode/entries.ts';
import type { Micros } from '../lib/clock.ts';
import type { Layout } from './layout.ts';
import type { RawRow } from './raw-row.ts';
import { decideTime, openPoints, readTime, type TimeRules, type WrittenTime } from './times.ts';

/** A row that can be stored. `key` identifies it within the source: its id, or else all its cells. */
export type ReadyRow = Readonly<{
  outcome: 'ready';
  number: number;
  at: Micros;
  /** True if the local time occurred twice, and the first one was taken. */
  isRepeated: boolean;
  /** True if the zone's abbreviation belongs to the other season. */
  isOffSeason: boolean;
  isSpam: boolean;
  payload: Payload;
  key: Readonly<{ id: string }> | Readonly<{ content: string }>;
}>;

/** A row that cannot be read because of a column; null for the whole row. */
export type BadRow = Readonly<{ outcome: 'bad'; number: number; column: string | null; message: string }>;

/** A row without values, or one whose visitor never submitted it, is not imported. */
export type Row = ReadyRow | BadRow | Readonly<{ outcome: 'empty' | 'unfinished' }>;

/** The web did not have forms before. Such a time is a wrong one. */
const EARLIEST = Date.UTC(1990, 0) * 1_000;

const SPAM = new Map([
  ...['true', '1', 'yes', 'spam'].map((text) => [text, true] as const),
  ...['false', '0', 'no', 'ham', ''].map((text) => [text, false] as const),
]);

/** Reads the time of a row as it is written; null if it has none or the row is not to be read. */
export function getWrittenTime(layout: Layout, raw: RawRow): WrittenTime | null {
  const cells = layout.cellsOf(raw);
  if (raw.message !== undefined || isUnfinished(layout, cells)) return null;
  const [, value] = cells.find(([column]) => column === layout.time) ?? [];
  return readTime(toText(value));
}

/** Reads a row. The rules must decide all open points of its time, and `now` is the latest time. */
export function readRow(layout: Layout, raw: RawRow, rules: TimeRules, now: Micros): Row {
  const { number } = raw;
  const bad = (column: string | null, message: string): BadRow => ({ outcome: 'bad', number, column, message });
  if (raw.message !== undefined) return bad(null, raw.message);
  const cells = layout.cellsOf(raw).filter(([, value]) => !isBlank(value));
  if (cells.length === 0) return { outcome: 'empty' };
  if (isUnfinished(layout, cells)) return { outcome: 'unfinished' };
  const entries: Array<readonly [string, PayloadValue]> = [];
  let id: string | null = null;
  let isSpam: boolean | undefined = false;
  for (const [column, value] of cells) {
    const use = layout.useOf(column);
    if ('field' in use) {
      if (isLongerThan(SUBMISSION_LIMITS.valueBytes, asText(value)))
        return bad(column, `is longer than ${SUBMISSION_LIMITS.valueBytes / 1024} kB`);
      entries.push([use.field, value]);
    } else if (use.use === 'id') id = toText(value);
    else if (use.use === 'spam') {
      isSpam = SPAM.get(toText(value).toLowerCase());
      if (isSpam === undefined) return bad(column, 'is neither true nor false');
    }
  }
  const payload = withoutControlFields(toPayload(entries));
  if (payload.length === 0) return { outcome: 'empty' };
  if (payload.length > SUBMISSION_LIMITS.fields) return bad(null, `has more than ${SUBMISSION_LIMITS.fields} fields`);
  const time = getTime(cells, layout, rules, now);
  if (typeof time === 'string') return bad(layout.time, time);
  const key = id === null ? { content: getContent(cells) } : { id };
  return { outcome: 'ready', number, ...time, isSpam, payload, key };
}

function getTime(cells: RawRow['cells'], layout: Layout, rules: TimeRules, now: Micros) {
  const [, value] = cells.find(([column]) => column === layout.time) ?? [];
  if (value === undefined) return 'is empty';
  const written = readTime(toText(value));
  if (!written) {
    const [[, shown = ''] = []] = maskPayload([[layout.time, toText(value)]]);
    return `is no time: ${JSON.stringify(toText(shown).slice(0, 40))}`;
  }
  if (openPoints(written, rules).length > 0) return 'is unclear';
  const time = decideTime(written, rules);
  if (typeof time === 'string') return time;
  if (time.at > now) return 'is in the future';
  return time.at < EARLIEST ? 'is before 1990' : time;
}

function isUnfinished({ source: { only } }: Layout, cells: RawRow['cells']): boolean {
  if (!only) return false;
  const [, value] = cells.find(([column]) => column === only[0]) ?? [];
  return value !== undefined && toText(value) !== only[1];
}

/** Returns the cells in an order that does not depend on the columns of the export. */
function getContent(cells: RawRow['cells']): string {
  return JSON.stringify(
    cells.map(([column, value]) => [column, value]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
}

const toText = (value: PayloadValue | undefined): string => asText(value).trim();

function isBlank(value: PayloadValue): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === null || (Array.isArray(value) && value.length === 0);
}
