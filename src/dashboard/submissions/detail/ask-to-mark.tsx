/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { type Page, type PageContext, redirectTo } from '../../page.ts';
import { confirmPage } from '../../ui/confirm-page.tsx';
import { submissionAddress } from '../../ui/inbox-list.ts';
import { Time } from '../../ui/time.tsx';
import { find } from './opened.ts';

/** The page that mails link to. It asks first, because mail clients and virus scanners open links on their own. */
export async function askToMark(page: PageContext<'edit'>, isSpam: boolean): Promise<Page | Response> {
  const { viewer } = page;
  const { submission, form, list } = await find(page);
  const cancel = submissionAddress(submission.id, list);
  if (submission.isSpam === isSpam && !submission.isMaybeSpam) return redirectTo(cancel);
  const { submission: t, inbox } = viewer.texts;
  const { title, text } = isSpam ? t.askSpam : t.askGenuine;
  return confirmPage(viewer, 'inbox', {
    title,
    about: (
      <p>
        <bdi>{form.name}</bdi> · <Time viewer={viewer} at={submission.createdAt} />
      </p>
    ),
    text,
    action: `/dashboard/submissions/${submission.id}/${isSpam ? 'spam' : 'genuine'}`,
    button: isSpam ? inbox.actions.spam : inbox.actions.genuine,
    isSafe: true,
    cancel,
  });
}
