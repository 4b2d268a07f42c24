/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Markup } from '../../lib/markup.ts';

/** A row of tiles with numbers, the first of them the largest. The children are each a `Figure`. */
export function Figures({ children }: Readonly<{ children?: Child }>) {
  return <dl class="figures tiles">{children}</dl>;
}

type FigureProps = Readonly<{ name: string; value: string | Markup; note?: string | undefined }>;

export function Figure({ name, value, note }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="big">{value}</dd>
      {note && <dd class="small soft">{note}</dd>}
    </div>
  );
}
