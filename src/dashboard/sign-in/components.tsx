/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Viewer } from '../viewer.ts';

type EmailFieldProps = Readonly<{ viewer: Viewer; value: string; isInvalid?: boolean }>;

/** The email address of the account. */
export function EmailField({ viewer, value, isInvalid = false }: EmailFieldProps) {
  return (
    <div class="field">
      <label for="email">{viewer.texts.account.email}</label>
      <input
        type="email"
        id="email"
        name="email"
        value={value}
        required
        autocomplete="username"
        aria-invalid={isInvalid ? 'true' : undefined}
      />
    </div>
  );
}
