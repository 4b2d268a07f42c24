/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Viewer } from '../viewer.ts';
import { LineInput } from './form-inputs.tsx';

type Props = Readonly<{ viewer: Viewer; isWrong: boolean; takesRecovery?: boolean }>;

/** The input for a code of the authenticator app, or also for a recovery code. */
export function CodeField({ viewer, isWrong, takesRecovery = false }: Props) {
  const { secondFactor: t } = viewer.texts;
  return (
    <LineInput
      name="code"
      label={takesRecovery ? t.anyCode : t.code}
      value=""
      hint={takesRecovery ? t.anyCodeHint : t.codeHint}
      required
      inputmode={takesRecovery ? undefined : 'numeric'}
      autocomplete="one-time-code"
      spellcheck={false}
      aria-invalid={isWrong ? 'true' : undefined}
    />
  );
}
