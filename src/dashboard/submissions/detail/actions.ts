import { AppError } from '../../../domain/errors.ts';
import { deleteSubmission } from '../../../services/submissions/delete-submission.ts';
import { markSubmission } from '../../../services/submissions/mark-submission.ts';
import { readSpamNote } from '../../../services/submissions/read-submission.ts';
import { type PageContext, redirectTo } from '../../page.ts';
import { listAddress, submissionAddress } from '../../ui/inbox-list.ts';
import { find, findStored, type Opened } from './opened.ts';

type EditPage = PageContext<'edit'>;

function back({ submission, list }: Opened, done: string): Response {
  return redirectTo(`${submissionAddress(submission.id, list)}&done=${done}`);
}

export async function remove(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { submission, list } = await findStored(page, form);
  await deleteSubmission(page.context, submission.id, page.team.id);
  return redirectTo(listAddress(list, { done: 'deleted' }));
}

export async function markRead(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { store, clock } = page.context;
  const opened = await find(page, form);
  await store.inbox.markRead([opened.submission.id], page.team.id, clock());
  return back(opened, 'read');
}

/** Returns to the list: opening the submission would mark it as read again. */
export async function markUnread(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { submission, list } = await find(page, form);
  await page.context.store.inbox.markRead([submission.id], page.team.id, null);
  return redirectTo(listAddress(list, { done: 'unread' }));
}

export async function trash(page: EditPage, form: URLSearchParams): Promise<Response> {
  return move(page, await find(page, form), true);
}

export async function restore(page: EditPage, form: URLSearchParams): Promise<Response> {
  return move(page, await findStored(page, form), false);
}

/** Moves the submission to the trash, or out of it. */
async function move({ context, team }: EditPage, opened: Opened, isTrashed: boolean): Promise<Response> {
  const trashedAt = isTrashed ? context.clock() : null;
  const moved = await context.store.trash.moveSubmissions([opened.submission.id], team.id, trashedAt);
  if (moved.length === 0) throw new AppError('not_found', 'This submission was moved or deleted meanwhile.');
  return back(opened, isTrashed ? 'trashed' : 'restored');
}

export async function mark(page: EditPage, form: URLSearchParams, isSpam: boolean): Promise<Response> {
  const { vault, log, mail } = page.context;
  const opened = await find(page, form);
  await markSubmission(page.context, opened.submission.id, isSpam, page.team.id);
  page.note({ is_spam: isSpam });
  mail?.outbox.wake();
  const { isHeld } = readSpamNote(vault, log, opened.submission);
  return back(opened, isSpam ? 'spam' : isHeld ? 'genuine' : 'accepted');
}

export async function sendAgain(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { store, mail } = page.context;
  const opened = await find(page, form);
  const mails = await store.inbox.listMailsOf(opened.submission.id);
  const unsent = mails.find(({ id, state }) => id === page.param('mailId') && state !== 'sent');
  if (!unsent) throw new AppError('not_found', 'There is no such unsent mail of this submission.');
  await store.mails.retry({ id: unsent.id });
  mail?.outbox.wake();
  return back(opened, 'sending');
}
