import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { deleteSubmission } from '../../services/delete-submission.ts';
import { markSubmission } from '../../services/mark-submission.ts';
import { readSpamNote } from '../../services/read-submission.ts';
import { type PageContext, redirectTo } from '../page.ts';
import { listAddress, submissionAddress } from '../ui/inbox-list.ts';
import type { Opened } from './opened.ts';

/** Finds the submission of the path; the query names the list it was opened from. */
type Find = (page: PageContext<'edit'>, query: URLSearchParams) => Promise<Opened>;

/** Changes a submission and returns the path to redirect to. */
type Change = (opened: Opened, page: PageContext<'edit'>) => Promise<string>;

/** Returns the handlers that change a submission. `findStored` finds it in the trash too. */
export function submissionActions(context: Context, find: Find, findStored: Find) {
  const { store, vault, log, mail, clock } = context;

  const act =
    (change: Change, findOne = find) =>
    async (page: PageContext<'edit'>, form: URLSearchParams) => {
      const opened = await findOne(page, new URLSearchParams(form.get('list') ?? ''));
      return redirectTo(await change(opened, page));
    };

  const submissionPath = ({ submission, list }: Opened, done: string) =>
    `${submissionAddress(submission.id, list)}&done=${done}`;

  const remove: Change = async ({ submission, list }, { team }) => {
    await deleteSubmission(context, submission.id, team.id);
    return listAddress(list, { done: 'deleted' });
  };

  const markRead: Change = async (opened, { team }) => {
    await store.inbox.markRead([opened.submission.id], team.id, clock());
    return submissionPath(opened, 'read');
  };

  /** Returns to the list: opening the submission would mark it as read again. */
  const markUnread: Change = async ({ submission, list }, { team }) => {
    await store.inbox.markRead([submission.id], team.id, null);
    return listAddress(list, { done: 'unread' });
  };

  /** Moves the submission to the trash, or out of it. */
  const move =
    (isTrashed: boolean): Change =>
    async (opened, { team }) => {
      const moved = await store.trash.moveSubmissions([opened.submission.id], team.id, isTrashed ? clock() : null);
      if (moved.length === 0) throw new AppError('not_found', 'This submission was moved or deleted meanwhile.');
      return submissionPath(opened, isTrashed ? 'trashed' : 'restored');
    };

  const mark =
    (isSpam: boolean): Change =>
    async (opened, { team, note }) => {
      await markSubmission(context, opened.submission.id, isSpam, team.id);
      note({ is_spam: isSpam });
      mail?.outbox.wake();
      const { isHeld } = readSpamNote(vault, log, opened.submission);
      return submissionPath(opened, isSpam ? 'spam' : isHeld ? 'genuine' : 'accepted');
    };

  const sendAgain: Change = async (opened, { param }) => {
    const mails = await store.inbox.listMailsOf(opened.submission.id);
    const unsent = mails.find(({ id, state }) => id === param('mailId') && state !== 'sent');
    if (!unsent) throw new AppError('not_found', 'There is no such unsent mail of this submission.');
    await store.mails.retry({ id: unsent.id });
    mail?.outbox.wake();
    return submissionPath(opened, 'sending');
  };

  return {
    remove: act(remove, findStored),
    trash: act(move(true)),
    restore: act(move(false), findStored),
    markRead: act(markRead),
    markUnread: act(markUnread),
    mark: (isSpam: boolean) => act(mark(isSpam)),
    sendAgain: act(sendAgain),
  };
}
