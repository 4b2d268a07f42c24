/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Viewer } from '../viewer.ts';
import { LineInput } from './form-inputs.tsx';

/** The input for a code of the authenticator app. */
export function CodeField({ viewer, isWrong }: Readonly<{ viewer: Viewer; isWrong: boolean }>) {
  const { secondFactor: t } = viewer.texts;
  return (
    <LineInput
      name="code"
      label={t.code}
      value=""
      hint={t.codeHint}
      required
      inputmode="numeric"
      autocomplete="one-time-code"
      spellcheck={false}
      aria-invalid={isWrong ? 'true' : undefined}
    />
  );
}
