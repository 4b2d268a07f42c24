/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { CodeField } from '../../ui/code-field.tsx';
import { ErrorMessage, LinkLine } from '../../ui/elements.tsx';
import { LineInput } from '../../ui/form-inputs.tsx';
import { TimeZoneField } from '../../ui/time-zone-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { SECOND_FACTOR_PATH, signInPath } from './paths.ts';

type Props = Readonly<{
  viewer: Viewer;
  /** The page to open after the sign-in. */
  to: string;
  /** True if the error is about a recovery code. */
  isRecovery?: boolean;
  error?: string;
}>;

/** Asks for a code from the app, or for a recovery code. */
export function SecondFactorView({ viewer, to, isRecovery = false, error }: Props) {
  const { title, ask: t } = viewer.texts.secondFactor;
  const isWrong = error !== undefined;
  return (
    <>
      <h1>{title}</h1>
      <p class="soft">{t.text}</p>
      <ErrorMessage error={error} />
      <form method="post" action={SECOND_FACTOR_PATH} class="card">
        <CodeField viewer={viewer} isWrong={isWrong && !isRecovery} />
        <HiddenFields to={to} />
        <div class="row">
          <button>{t.submit}</button>
          <a href={signInPath(to)}>{t.other}</a>
        </div>
      </form>
      <details class="card stack" open={isRecovery}>
        <summary>{t.lost}</summary>
        <RecoveryForm viewer={viewer} to={to} isWrong={isWrong && isRecovery} />
        <p>{t.noCodes}</p>
        <p>
          <code>formstead user reset --second-factor --email …</code>
        </p>
      </details>
    </>
  );
}

function RecoveryForm({ viewer, to, isWrong }: Readonly<{ viewer: Viewer; to: string; isWrong: boolean }>) {
  const { ask: t } = viewer.texts.secondFactor;
  return (
    <form method="post" action={SECOND_FACTOR_PATH}>
      <LineInput
        name="recovery_code"
        label={t.recoveryCode}
        value=""
        hint={t.recoveryHint}
        class="mono"
        required
        autocapitalize="characters"
        spellcheck={false}
        aria-invalid={isWrong ? 'true' : undefined}
      />
      <HiddenFields to={to} />
      <button>{t.useRecovery}</button>
    </form>
  );
}

function HiddenFields({ to }: Readonly<{ to: string }>) {
  return (
    <>
      <input type="hidden" name="to" value={to} />
      <TimeZoneField />
    </>
  );
}

/** Tells that too many wrong codes ended the sign-in. */
export function EndedView({ viewer, to }: Readonly<{ viewer: Viewer; to: string }>) {
  const { secondFactor, signIn } = viewer.texts;
  const { ask: t } = secondFactor;
  return (
    <>
      <h1>{t.endedTitle}</h1>
      <p role="alert">{t.endedText}</p>
      <LinkLine href={signInPath(to)} text={signIn.title} />
    </>
  );
}
