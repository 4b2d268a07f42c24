/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { CopyButton } from '../../ui/elements.tsx';
import type { Viewer } from '../../viewer.ts';

/** Code with a button that copies it. The script unhides the button. */
export function Code({ viewer, id, code }: Readonly<{ viewer: Viewer; id: string; code: string }>) {
  return (
    <div class="code">
      <pre id={`code-${id}`} tabindex={0}>
        {code}
      </pre>{' '}
      <CopyButton viewer={viewer} source={`code-${id}`} />
    </div>
  );
}
