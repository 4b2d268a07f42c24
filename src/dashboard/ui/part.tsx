/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Markup } from '../../lib/markup.ts';

type Props = Readonly<{ id: string; title: string; text?: string | undefined; children: Markup }>;

/** A section of a settings page: its title and a short text, and its inputs beside them. */
export function Part({ id, title, text, children }: Props) {
  return (
    <section class="part" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {text && <p class="soft small flush">{text}</p>}
      </div>
      <div>{children}</div>
    </section>
  );
}
