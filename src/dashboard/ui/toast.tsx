/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Viewer } from '../viewer.ts';

type Props = Readonly<{
  viewer: Viewer;
  text: string;
  /** The action that undoes the reported one. */
  undo: string;
  /** Hidden inputs of the undo. */
  fields?: Readonly<Record<string, string>>;
}>;

/** A message after an action, with a button that undoes it. */
export function Toast({ viewer, text, undo, fields = {} }: Props) {
  return (
    <div class="toast" role="status">
      <span>{text}</span>
      <form method="post" action={undo}>
        {Object.entries(fields).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button>{viewer.texts.common.undo}</button>
      </form>
    </div>
  );
}
