/** @jsxRuntime automatic @jsxImportSource hono/jsx */

import type { Markup } from '../../lib/markup.ts';
import type { PageContext } from '../page.ts';
import { ErrorMessage } from '../ui/error-message.tsx';
import type { Page } from '../ui/layout.tsx';
import { CurrentPasswordField } from '../ui/password-field.tsx';
import { UsernameHint } from './components.tsx';
import { answerOf, type ErrorAnswer } from './password-check.ts';

/** The error of a confirmation; `field` is set if the password is wrong. */
export type ConfirmError = Readonly<{ error: string; field?: 'password' }> & ErrorAnswer;

/** The text of the page, the label of its button, and the path of its action. */
type Question = Readonly<{ path: string; title: string; intro: Markup; button: string }>;

/** Asks for the password before an irreversible action. `failed` is the error of the previous attempt. */
export function passwordQuestion(
  { viewer, user }: PageContext<'self'>,
  { path, title, intro, button }: Question,
  failed: ConfirmError | null,
): Page {
  const { account, common } = viewer.texts;
  return {
    ...(failed && answerOf(failed)),
    title,
    section: 'account',
    body: (
      <>
        {intro}
        <ErrorMessage error={failed?.error} />
        <form method="post" action={path} class="card">
          <UsernameHint email={user.email} />
          <CurrentPasswordField
            viewer={viewer}
            label={account.presentPassword}
            isWrong={failed?.field === 'password'}
          />
          <div class="row">
            <button class="danger">{button}</button>
            <a class="button quiet" href="/dashboard/account">
              {common.cancel}
            </a>
          </div>
        </form>
      </>
    ),
  };
}
