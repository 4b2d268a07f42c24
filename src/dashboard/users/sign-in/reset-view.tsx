/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { ErrorMessage, LinkLine } from '../../ui/elements.tsx';
import { NewPasswordField } from '../../ui/password-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { EmailField } from './components.tsx';

type WithViewer = Readonly<{ viewer: Viewer }>;

/** Asks for the address that the link is mailed to. */
export function RequestView({ viewer, email = '', error }: WithViewer & Readonly<{ email?: string; error?: string }>) {
  const { reset: t, signIn } = viewer.texts;
  return (
    <>
      <h1>{t.title}</h1>
      <p class="soft">{t.text}</p>
      <ErrorMessage error={error} />
      <form method="post" action="/dashboard/reset" class="card">
        <EmailField viewer={viewer} value={email} />
        <div class="row">
          <button>{t.submit}</button>
          <a href="/dashboard/sign-in">{signIn.title}</a>
        </div>
      </form>
    </>
  );
}

/** Names the command that prints a link, on a server that can't mail it. */
export function NoMailView({ viewer }: WithViewer) {
  const { reset: t, signIn } = viewer.texts;
  return (
    <>
      <h1>{t.title}</h1>
      <p>{t.noMail}</p>
      <div class="stack">
        <pre>formstead user reset --email …</pre>
        <p class="soft">{t.toHaveMail}</p>
        <LinkLine href="/dashboard/sign-in" text={signIn.title} />
      </div>
    </>
  );
}

/** Asks for the new password of an account. */
export function PasswordView({
  viewer,
  email,
  error,
}: WithViewer & Readonly<{ email: string; error?: string | undefined }>) {
  const { reset: t, account } = viewer.texts;
  return (
    <>
      <h1>{t.setTitle}</h1>
      <p class="soft">{t.setText}</p>
      <ErrorMessage error={error} />
      <form method="post" class="card">
        <div class="field">
          <label for="email">{account.email}</label>
          <input type="email" id="email" value={email} readonly autocomplete="username" />
        </div>
        <NewPasswordField viewer={viewer} isWrong={error !== undefined} />
        <button>{t.setSubmit}</button>
      </form>
    </>
  );
}

/** Leads to a new request after a link was used or expired. */
export function InvalidLinkView({ viewer }: WithViewer) {
  const { reset: t, welcome } = viewer.texts;
  return (
    <>
      <h1>{welcome.usedUp}</h1>
      <p>{t.usedUpText}</p>
      <LinkLine href="/dashboard/reset" text={t.title} />
    </>
  );
}
