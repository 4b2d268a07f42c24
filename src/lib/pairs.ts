export type Pair = readonly [en: string, de: string];
type Pairs = Readonly<{ [name: string]: Pair | Pairs }>;
type Side<Rows> = { readonly [Name in keyof Rows]: Rows[Name] extends Pair ? string : Side<Rows[Name]> };

/** Short texts with their translation beside them, to be spread into a `catalog`. Groups of texts may be nested. */
export function pairs<const Rows extends Pairs>(rows: Rows): Readonly<Record<'en' | 'de', Side<Rows>>> {
  return { en: pick(rows, 0) as Side<Rows>, de: pick(rows, 1) as Side<Rows> };
}

function pick(rows: Pairs, side: 0 | 1): object {
  const texts = Object.entries(rows).map(([name, row]) => [name, isPair(row) ? row[side] : pick(row, side)]);
  return Object.fromEntries(texts);
}

const isPair = (row: Pair | Pairs): row is Pair => Array.isArray(row);
