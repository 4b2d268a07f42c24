/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { Raw } from '../ui/markup.tsx';
import { presentPasswordField } from '../ui/password-field.ts';
import { timeZoneField } from '../ui/time-zone-field.ts';
import type { Viewer } from '../viewer.ts';
import { EmailField, ErrorMessage } from './components.tsx';

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
        <Raw html={presentPasswordField(viewer, password.label, error !== undefined)} />
        <input type="hidden" name="to" value={to} />
        <Raw html={timeZoneField} />
        <div class="row">
          <button>{t.submit}</button>
          <a href="/dashboard/reset">{t.forgotten}</a>
        </div>
      </form>
    </>
  );
}
