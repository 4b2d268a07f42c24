/** Computes the number of inserted, deleted, replaced and swapped letters between two names. */
export function editDistance(a: string, b: string): number {
  let [before, last] = [new Uint8Array(0), Uint8Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (row: Uint8Array, j: number) => row[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = new Uint8Array(b.length + 1);
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY;
      const replaced = at(last, j - 1) + Number(a[i - 1] !== b[j - 1]);
      row[j] = Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, swapped);
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}
