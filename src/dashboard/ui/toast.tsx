/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Viewer } from '../viewer.ts';
import { PostButton } from './elements.tsx';

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
      <PostButton action={undo} text={viewer.texts.common.undo} style="main" fields={fields} />
    </div>
  );
}
