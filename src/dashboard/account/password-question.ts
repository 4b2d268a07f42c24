import { type Html, html } from '../../lib/html.ts';
import type { PageContext } from '../page.ts';
import type { Page } from '../ui/layout.tsx';
import { presentPasswordField } from '../ui/password-field.ts';

/** What is wrong with what was sent, and whether that is the password. */
export type Wrong = Readonly<{ error: string; field?: 'password' }> & Pick<Page, 'status' | 'headers'>;

/** What is asked, what it is to come to, and where the answer goes. */
type Question = Readonly<{ path: string; title: string; intro: Html; button: string }>;

/** Asks for the password once more before something that cannot be taken back; `wrong` is what the last answer had. */
export function passwordQuestion(
  { viewer, user }: PageContext<'self'>,
  { path, title, intro, button }: Question,
  wrong: Wrong | null,
): Page {
  const { account, common } = viewer.texts;
  const { field, error, ...answer } = wrong ?? {};
  return {
    ...answer,
    title,
    section: 'account',
    body: html`${intro}
${error && html`<p class="error" role="alert">${error}</p>`}
<form method="post" action="${path}" class="card">
<input type="email" value="${user.email}" autocomplete="username" readonly hidden>
${presentPasswordField(viewer, account.presentPassword, field === 'password')}
<div class="row"><button class="danger">${button}</button><a class="button quiet" href="/dashboard/account">${common.cancel}</a></div>
</form>`,
  };
}
