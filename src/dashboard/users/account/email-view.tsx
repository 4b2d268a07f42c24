/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { ErrorMessage, LinkButton, LinkLine, SubmitRow } from '../../ui/elements.tsx';
import { LineInput } from '../../ui/form-inputs.tsx';
import { CurrentPasswordField, UsernameHint } from '../../ui/password-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { WELCOME_TEXTS } from '../sign-in/texts.ts';
import { EMAIL_TEXTS } from './texts.ts';

type WithViewer = Readonly<{ viewer: Viewer }>;

type Props = WithViewer &
  Readonly<{
    email: string;
    isMailing: boolean;
    failed: Readonly<{ field: 'password' | 'new'; error: string; input: string }> | null;
  }>;

/** Asks for a new email address and the password. */
export function EmailView({ viewer, email, isMailing, failed }: Props) {
  const t = EMAIL_TEXTS[viewer.language];
  const { sections } = viewer.texts;
  if (!isMailing) {
    return (
      <>
        <h1>{t.title}</h1>
        <p class="note">{t.noMail}</p>
        <LinkLine href="/dashboard/account" text={sections.account} />
      </>
    );
  }
  return (
    <>
      <h1>{t.title}</h1>
      <p class="soft">{t.text(email)}</p>
      <ErrorMessage error={failed?.error} />
      <form method="post" action="/dashboard/account/email" class="card narrow">
        <UsernameHint email={email} />
        <LineInput
          type="email"
          name="new_email"
          label={t.new}
          value={failed?.input ?? ''}
          required
          autocomplete="email"
          aria-invalid={failed?.field === 'new' ? 'true' : undefined}
        />
        <CurrentPasswordField viewer={viewer} isWrong={failed?.field === 'password'} />
        <SubmitRow viewer={viewer} text={t.send} cancel="/dashboard/account" />
      </form>
    </>
  );
}

/** Asks to confirm the address that a link was mailed to. */
export function ConfirmEmailView({
  viewer,
  to,
  error,
}: WithViewer & Readonly<{ to: string; error?: string | undefined }>) {
  const t = EMAIL_TEXTS[viewer.language];
  const { common, sections } = viewer.texts;
  if (error) {
    return (
      <>
        <h1>{t.title}</h1>
        <ErrorMessage error={error} />
        <LinkLine href="/dashboard/account" text={sections.account} />
      </>
    );
  }
  return (
    <>
      <h1>{t.confirmTitle(to)}</h1>
      <p>{t.confirmText}</p>
      <form method="post" class="row">
        <button>{t.confirm}</button>
        <LinkButton href="/dashboard/account" text={common.cancel} />
      </form>
    </>
  );
}

/** Explains a link that was used, has expired, or is for another account. */
export function InvalidEmailLinkView({ viewer }: WithViewer) {
  const t = EMAIL_TEXTS[viewer.language];
  const welcome = WELCOME_TEXTS[viewer.language];
  const { sections } = viewer.texts;
  return (
    <>
      <h1>{welcome.usedUp}</h1>
      <p>{t.invalid}</p>
      <LinkLine href="/dashboard/account" text={sections.account} />
    </>
  );
}
