/** @jsxRuntime automatic @jsxImportSource hono/jsx */

import type { Markup } from '../lib/markup.ts';
import type { Page, PageContext } from './page.ts';
import { type ErrorAnswer, getAnswer } from './password-check.ts';
import { ErrorMessage, SubmitRow } from './ui/elements.tsx';
import { TEAM_FIELD } from './ui/layout.tsx';
import { CurrentPasswordField, UsernameHint } from './ui/password-field.tsx';

/** The error of a confirmation; `field` is set if the password is wrong. */
export type ConfirmError = Readonly<{ error: string; field?: 'password' }> & ErrorAnswer;

/**
 * The text of the page, the label of its button, and the path of its action. `form` is the input to keep in hidden
 * fields.
 */
type Question = Readonly<{ path: string; title: string; intro: Markup; button: string; form?: URLSearchParams }>;

/** Asks for the password before an action. `failed` is the error of the previous attempt. */
export function passwordQuestion(
  { viewer, user }: PageContext<'self'>,
  { path, title, intro, button, form }: Question,
  failed: ConfirmError | null,
): Page {
  const kept = [...(form ?? [])].filter(([name]) => name !== 'password' && name !== TEAM_FIELD);
  return {
    ...(failed && getAnswer(failed)),
    title,
    section: 'account',
    body: (
      <>
        {intro}
        <ErrorMessage error={failed?.error} />
        <form method="post" action={path} class="card">
          <UsernameHint email={user.email} />
          {kept.map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <CurrentPasswordField viewer={viewer} isWrong={failed?.field === 'password'} />
          <SubmitRow
            viewer={viewer}
            text={button}
            cancel={form ? '/dashboard' : '/dashboard/account'}
            isDanger={!form}
          />
        </form>
      </>
    ),
  };
}

/** Asks for the password before an action that needs a recent one, and keeps the action's input. */
export function recentPasswordQuestion(
  page: PageContext<'self'>,
  form: URLSearchParams,
  failed: ConfirmError | null,
): Page {
  const { title, text, button } = page.viewer.texts.recentPassword;
  const intro = (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
    </>
  );
  return passwordQuestion(page, { path: new URL(page.request.url).pathname, title, intro, button, form }, failed);
}
