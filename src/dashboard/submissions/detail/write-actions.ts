import { AppError } from '../../../domain/errors.ts';
import { addNote, addReply, type MessageInput, replyTarget } from '../../../services/submissions/messages.ts';
import { readPayload } from '../../../services/submissions/read-submission.ts';
import { type Page, type PageContext, redirectTo } from '../../page.ts';
import { submissionAddress } from '../../ui/inbox-list.ts';
import { errorText } from '../../ui/parse-input.ts';
import { type Draft, find, type Opened } from './opened.ts';
import { showOpened } from './submission-page.tsx';

type EditPage = PageContext<'edit'>;

type Save = (page: EditPage, opened: Opened, input: MessageInput) => Promise<void>;

function back({ submission, list }: Opened, done: string): Response {
  return redirectTo(`${submissionAddress(submission.id, list)}&done=${done}#thread`);
}

/** Returns the handler that stores a message. An error is shown above its text, which stays in the form. */
function write(kind: Draft['kind'], done: string, save: Save) {
  return async (page: EditPage, form: URLSearchParams): Promise<Page | Response> => {
    const opened = await find(page, form);
    const text = (name: string) => form.get(name) ?? '';
    const input = { id: text('message'), subject: text('subject'), text: text('text') };
    try {
      await save(page, opened, input);
      return back(opened, done);
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
  if (!mail || to === null) {
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
  return back(opened, 'unnoted');
}

export async function assign(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { submission, list } = await find(page, form);
  const userId = form.get('user') || null;
  const assigned = await page.context.store.messages.assignSubmission([submission.id], page.team.id, userId);
  if (assigned.length === 0) throw new AppError('not_found', 'There is no such member in this team.');
  if (userId !== null) page.note({ user_id: userId });
  return redirectTo(`${submissionAddress(submission.id, list)}&done=assigned`);
}

export async function star(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { submission, list } = await find(page, form);
  await page.context.store.inbox.setStarred([submission.id], page.team.id, form.get('starred') === 'yes');
  return redirectTo(submissionAddress(submission.id, list));
}
