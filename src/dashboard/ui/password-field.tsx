/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { JSX } from 'hono/jsx/jsx-runtime';
import { MIN_PASSWORD_LENGTH } from '../../domain/users/password.ts';
import { ACCOUNT_TEXTS, SECOND_FACTOR_TEXTS } from '../users/account/texts.ts';
import { OIDC_TEXTS } from '../users/sign-in/oidc/texts.ts';
import { PASSWORD_TEXTS } from '../users/sign-in/texts.ts';
import type { Viewer } from '../viewer.ts';
import { LineInput } from './form-inputs.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { startPath } from './provider.tsx';

type Props = Readonly<{ viewer: Viewer; isWrong: boolean }>;

/** Tells password managers which account a password field belongs to. */
export function UsernameHint({ email }: Readonly<{ email: string }>) {
  return <input type="email" value={email} autocomplete="username" readonly hidden />;
}

/** The input for the password, and the button for a passkey in its place; with neither, what counts instead. */
export function CurrentPasswordField({ viewer, isWrong, label }: Props & Readonly<{ label?: string }>) {
  const { hasPassword, hasPasskey } = viewer;
  if (!hasPassword && !hasPasskey) {
    const t = OIDC_TEXTS[viewer.language];
    return (
      <p class="hint">
        {t.noPassword} <a href={startPath('/dashboard/account')}>{t.signInAgain}</a>
      </p>
    );
  }
  const input = { name: 'password', label: label ?? ACCOUNT_TEXTS[viewer.language].presentPassword, isWrong };
  return (
    <div class="field">
      {hasPassword && <PasswordInput viewer={viewer} {...input} autocomplete="current-password" />}
      {hasPasskey && <PasskeyButton viewer={viewer} purpose="use" />}
    </div>
  );
}

/** The input for a new password. There is no second one to confirm it, because it can be shown. */
export function NewPasswordField({ viewer, isWrong, isFirst = false }: Props & Readonly<{ isFirst?: boolean }>) {
  const t = PASSWORD_TEXTS[viewer.language];
  const input = {
    name: 'new_password',
    label: isFirst ? t.label : t.new,
    isWrong,
    autocomplete: 'new-password',
    minlength: MIN_PASSWORD_LENGTH,
    'aria-describedby': 'new_password_hint',
  };
  return (
    <div class="field">
      <PasswordInput viewer={viewer} {...input} />{' '}
      <span class="hint" id="new_password_hint">
        {t.hint(MIN_PASSWORD_LENGTH)}
      </span>
    </div>
  );
}

type InputProps = Props & Readonly<{ name: string; label: string }> & JSX.IntrinsicElements['input'];

function PasswordInput({ viewer, name, label, isWrong, ...more }: InputProps) {
  return (
    <>
      <label for={name}>{label}</label>{' '}
      <div class="reveal">
        <input type="password" id={name} name={name} required aria-invalid={isWrong ? 'true' : undefined} {...more} />
        {/* Shows or hides the password. The script unhides the button. */}
        <button type="button" data-shows={name} aria-pressed="false" hidden>
          {PASSWORD_TEXTS[viewer.language].show}
        </button>
      </div>
    </>
  );
}

type CodeProps = Readonly<{ viewer: Viewer; isWrong: boolean; takesRecovery?: boolean }>;

/** The input for a code of the authenticator app, or also for a recovery code. */
export function CodeField({ viewer, isWrong, takesRecovery = false }: CodeProps) {
  const t = SECOND_FACTOR_TEXTS[viewer.language];
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
