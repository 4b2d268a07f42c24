/** Formats rows as a table for a terminal: two spaces between columns, wide characters counted as two cells. */
export function formatTable(rows: ReadonlyArray<readonly string[]>): string {
  const all = rows.map((row) => row.map(printable));
  const columns = Math.max(...all.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...all.map((row) => Bun.stringWidth(row[column] ?? ''))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}

/** Replaces control characters, which could move the terminal's cursor or ring its bell. */
export const printable = (cell: string): string => cell.replace(/\p{Cc}/gu, '�');
