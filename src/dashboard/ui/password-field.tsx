/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { MIN_PASSWORD_LENGTH } from '../../domain/password.ts';
import type { Viewer } from '../viewer.ts';

type Props = Readonly<{ viewer: Viewer; isWrong: boolean }>;

/** Tells password managers which account a password field belongs to. */
export function UsernameHint({ email }: Readonly<{ email: string }>) {
  return <input type="email" value={email} autocomplete="username" readonly hidden />;
}

/** The input for the password of an account. */
export function CurrentPasswordField({ viewer, label, isWrong }: Props & Readonly<{ label: string }>) {
  return (
    <div class="field">
      <label for="password">{label}</label>{' '}
      <div class="row">
        <input
          type="password"
          id="password"
          name="password"
          required
          autocomplete="current-password"
          aria-invalid={isWrong ? 'true' : undefined}
        />
        <ShowButton viewer={viewer} input="password" />
      </div>
    </div>
  );
}

/** The input for a new password. There is no second one to confirm it, because it can be shown. */
export function NewPasswordField({ viewer, isWrong }: Props) {
  const { password: t } = viewer.texts;
  return (
    <div class="field">
      <label for="new_password">{t.new}</label>{' '}
      <div class="row">
        <input
          type="password"
          id="new_password"
          name="new_password"
          required
          minlength={MIN_PASSWORD_LENGTH}
          autocomplete="new-password"
          aria-describedby="new_password_hint"
          aria-invalid={isWrong ? 'true' : undefined}
        />
        <ShowButton viewer={viewer} input="new_password" />
      </div>{' '}
      <span class="hint" id="new_password_hint">
        {t.hint(MIN_PASSWORD_LENGTH)}
      </span>
    </div>
  );
}

/** Shows or hides the password. The script unhides the button. */
function ShowButton({ viewer, input }: Readonly<{ viewer: Viewer; input: string }>) {
  return (
    <button type="button" class="quiet" data-shows={input} aria-pressed="false" hidden>
      {viewer.texts.password.show}
    </button>
  );
}
