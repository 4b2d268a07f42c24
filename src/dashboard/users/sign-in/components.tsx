/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { LineInput } from '../../ui/form-inputs.tsx';
import type { Viewer } from '../../viewer.ts';
import { ACCOUNT_TEXTS } from '../account/texts.ts';

type EmailFieldProps = Readonly<{
  viewer: Viewer;
  value: string;
  isInvalid?: boolean;
  takesPasskey?: boolean;
  readonly?: boolean;
}>;

/** The email address of the account, for which browsers may suggest passkeys. */
export function EmailField({ viewer, value, isInvalid, takesPasskey, readonly }: EmailFieldProps) {
  return (
    <LineInput
      type="email"
      name="email"
      label={ACCOUNT_TEXTS[viewer.language].email}
      value={value}
      required
      readonly={readonly}
      autofocus={value === ''}
      autocomplete={takesPasskey ? 'username webauthn' : 'username'}
      aria-invalid={isInvalid ? 'true' : undefined}
    />
  );
}
