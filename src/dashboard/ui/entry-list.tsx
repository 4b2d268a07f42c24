/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Markup } from '../../lib/markup.ts';

type Props<Item> = Readonly<{
  items: readonly Item[];
  /** Shown instead of an empty list: a line, or an empty state. */
  empty?: string | Markup;
  label?: string;
  /** Renders an item as `li`. */
  children: (item: Item) => Markup;
}>;

/** A list of entries. */
export function EntryList<Item>({ items, empty, label, children: render }: Props<Item>) {
  if (items.length === 0 && empty !== undefined)
    return typeof empty === 'string' ? <p class="empty">{empty}</p> : empty;
  return (
    <ul class="list" aria-label={label}>
      {items.map(render)}
    </ul>
  );
}
