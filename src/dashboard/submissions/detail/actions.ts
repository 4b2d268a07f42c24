import { AppError } from '../../../domain/errors.ts';
import { deleteSubmission } from '../../../services/submissions/delete-submission.ts';
import { markSubmission } from '../../../services/submissions/mark-submission.ts';
import { addNote, addReply, type MessageInput, replyTarget } from '../../../services/submissions/messages.ts';
import { readPayload, readSpamNote } from '../../../services/submissions/read-submission.ts';
import { type Page, type PageContext, redirectTo } from '../../page.ts';
import { listAddress, submissionAddress } from '../../ui/inbox-list.ts';
import { errorText } from '../../ui/parse-input.ts';
import { type Draft, find, findStored, type Opened } from './opened.ts';
import { showOpened } from './submission-page.tsx';

type EditPage = PageContext<'edit'>;

function back({ submission, list }: Opened, done: string, anchor = ''): Response {
  return redirectTo(`${submissionAddress(submission.id, list)}&done=${done}${anchor}`);
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
  mail.outbox.wake();
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
  mail.outbox.wake();
  return back(opened, 'sending');
}

type Save = (page: EditPage, opened: Opened, input: MessageInput) => Promise<void>;

/** Returns the handler that stores a message. An error is shown above its text, which stays in the form. */
function write(kind: Draft['kind'], done: string, save: Save) {
  return async (page: EditPage, form: URLSearchParams): Promise<Page | Response> => {
    const opened = await find(page, form);
    const text = (name: string) => form.get(name) ?? '';
    const input = { id: text('message'), subject: text('subject'), text: text('text') };
    try {
      await save(page, opened, input);
      return back(opened, done, '#thread');
    } catch (error) {
      if (!(error instanceof AppError) || error.reason === null) throw error;
      const draft = { ...input, kind, error: errorText(page.viewer.texts, error) };
      return { ...(await showOpened(page, opened, draft)), status: error.status };
    }
  };
}

export const reply = write('reply', 'replied', async ({ context, user, team }, { submission }, input) => {
  const { store, vault, log, mail } = context;
  const to = replyTarget(readPayload(vault, log, submission));
  if (mail.sender === null || to === null) {
    throw new AppError('conflict', 'Could not send the reply: there is no mail server, or no address to reply to.');
  }
  await addReply({ store, vault, sender: mail.sender }, submission, { user, teamId: team.id }, input);
  mail.outbox.wake();
});

export const note = write('note', 'noted', ({ context, user, team }, { submission }, input) =>
  addNote(context, submission, { user, teamId: team.id }, input),
);

export async function deleteNote(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { context, param, team, user } = page;
  const opened = await find(page, form);
  if (!(await context.store.messages.deleteNote(param('messageId'), opened.submission.id, team.id, user.id))) {
    throw new AppError('not_found', 'There is no such note of yours.');
  }
  return back(opened, 'unnoted', '#thread');
}

export async function assign(page: EditPage, form: URLSearchParams): Promise<Response> {
  const opened = await find(page, form);
  const userId = form.get('user') || null;
  const assigned = await page.context.store.messages.assignSubmission([opened.submission.id], page.team.id, userId);
  if (assigned.length === 0) throw new AppError('not_found', 'There is no such member in this team.');
  if (userId !== null) page.note({ user_id: userId });
  return back(opened, 'assigned');
}

export async function star(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { submission, list } = await find(page, form);
  await page.context.store.inbox.setStarred([submission.id], page.team.id, form.get('starred') === 'yes');
  return redirectTo(submissionAddress(submission.id, list));
}
