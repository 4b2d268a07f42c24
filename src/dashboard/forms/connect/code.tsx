/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Viewer } from '../../viewer.ts';

/** Code with a button that copies it. The script unhides the button. */
export function Code({ viewer, id, code }: Readonly<{ viewer: Viewer; id: string; code: string }>) {
  const { connect: t } = viewer.texts;
  return (
    <div class="code">
      <pre id={`code-${id}`} tabindex={0}>
        {code}
      </pre>{' '}
      <button type="button" class="quiet" data-copy={`code-${id}`} data-copied={t.copied} hidden>
        {t.copy}
      </button>
    </div>
  );
}
