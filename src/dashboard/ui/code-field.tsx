/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Viewer } from '../viewer.ts';

/** The input for a code of the authenticator app. */
export function CodeField({ viewer, isWrong }: Readonly<{ viewer: Viewer; isWrong: boolean }>) {
  const { secondFactor: t } = viewer.texts;
  return (
    <div class="field">
      <label for="code">{t.code}</label>{' '}
      <input
        id="code"
        name="code"
        required
        inputmode="numeric"
        autocomplete="one-time-code"
        spellcheck={false}
        aria-describedby="code_hint"
        aria-invalid={isWrong ? 'true' : undefined}
      />{' '}
      <span class="hint" id="code_hint">
        {t.codeHint}
      </span>
    </div>
  );
}
