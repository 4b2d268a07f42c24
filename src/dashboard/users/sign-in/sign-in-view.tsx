/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { ErrorMessage } from '../../ui/elements.tsx';
import { CurrentPasswordField } from '../../ui/password-field.tsx';
import { TimeZoneField } from '../../ui/time-zone-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { EmailField } from './components.tsx';

type Props = Readonly<{
  viewer: Viewer;
  /** The page to open after the sign-in. */
  to: string;
  email: string;
  /** True until the first account is created. */
  isFirst?: boolean;
  error?: string;
}>;

/** Asks for email address and password. */
export function SignInView({ viewer, to, email, isFirst, error }: Props) {
  const { signIn: t, password } = viewer.texts;
  return (
    <>
      <h1>{t.title}</h1>
      {isFirst && <p class="note">{t.first}</p>}
      <ErrorMessage error={error} />
      <form method="post" action="/dashboard/sign-in" class="card">
        <EmailField viewer={viewer} value={email} />
        <CurrentPasswordField viewer={viewer} label={password.label} isWrong={error !== undefined} />
        <input type="hidden" name="to" value={to} />
        <TimeZoneField />
        <div class="row">
          <button>{t.submit}</button>
          <a href="/dashboard/reset">{t.forgotten}</a>
        </div>
      </form>
    </>
  );
}
