/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Viewer } from '../../viewer.ts';
import { INBOX_TEXTS } from './texts.ts';

const KEYS = ['/', 'j', 'k', 'o', 'x', 'r', 'n', 'a', 'e', 's', '!', '#', 'u', '?'] as const;
const KEYS_OF_EDITORS: readonly string[] = ['x', 'r', 'n', 'a', 'e', 's', '!', '#'];

/** The dialog with the keyboard shortcuts, which the script opens. */
export function Shortcuts({ viewer }: Readonly<{ viewer: Viewer }>) {
  const t = INBOX_TEXTS[viewer.language];
  return (
    <dialog id="shortcuts" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">{t.shortcuts}</h2>
      <dl class="keys">
        {KEYS.filter((key) => viewer.can('edit') || !KEYS_OF_EDITORS.includes(key)).map((key) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t.keys[key]}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button class="quiet">{t.close}</button>
      </form>
    </dialog>
  );
}
