import type { PayloadValue } from '../domain/submissions/submission.ts';

/** A row of an export. `number` counts from 1, and for CSV includes the header, as spreadsheets do. */
export type RawRow = Readonly<{
  number: number;
  cells: ReadonlyArray<readonly [column: string, value: PayloadValue]>;
  /** The reason for which the row is unreadable. */
  message?: string;
}>;

/** Longest row of an export, in characters. An unclosed quote would otherwise take in the whole file. */
export const MAX_ROW_LENGTH = 16 * 1024 * 1024;
