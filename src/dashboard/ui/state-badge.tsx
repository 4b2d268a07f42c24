/** @jsxRuntime automatic @jsxImportSource hono/jsx */

/** A badge for a setting that is on or off. */
export function StateBadge({ isGood, text }: Readonly<{ isGood: boolean; text: string }>) {
  return <span class={isGood ? 'badge good' : 'badge'}>{text}</span>;
}
