import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { addNote, addReply, type MessageInput, replyTarget } from '../../services/messages.ts';
import { readPayload } from '../../services/read-submission.ts';
import { type PageContext, redirectTo } from '../page.ts';
import { submissionAddress } from '../ui/inbox-list.ts';
import type { Page } from '../ui/layout.tsx';
import { errorText } from '../ui/parse-input.ts';
import type { Draft, Opened } from './opened.ts';

type EditPage = PageContext<'edit'>;

type Find = (page: EditPage, query: URLSearchParams) => Promise<Opened>;

/** Shows the page of the submission again, with what was entered and its error. */
type ShowAgain = (page: EditPage, opened: Opened, draft: Draft, status: number) => Promise<Page>;

/** Returns the handlers of replies, notes, assignments and stars. */
export function writeActions(context: Context, find: Find, showAgain: ShowAgain) {
  const { store, vault, log, mail } = context;

  const opened = (page: EditPage, form: URLSearchParams) => find(page, new URLSearchParams(form.get('list') ?? ''));

  const back = ({ submission, list }: Opened, done: string) =>
    redirectTo(`${submissionAddress(submission.id, list)}&done=${done}#thread`);

  /** Stores a message. An error is shown above its text, which is kept. */
  const write =
    (kind: Draft['kind'], done: string, save: (page: EditPage, found: Opened, input: MessageInput) => Promise<void>) =>
    async (page: EditPage, form: URLSearchParams): Promise<Page | Response> => {
      const found = await opened(page, form);
      const text = (name: string) => form.get(name) ?? '';
      const input = { id: text('message'), subject: text('subject'), text: text('text') };
      try {
        await save(page, found, input);
        return back(found, done);
      } catch (error) {
        const isShown = error instanceof AppError && error.reason !== null;
        if (!isShown) throw error;
        const draft = { ...input, kind, error: errorText(page.viewer.texts, error) };
        return showAgain(page, found, draft, error.status);
      }
    };

  const reply = write('reply', 'replied', async ({ user, team }, { submission }, input) => {
    const to = replyTarget(readPayload(vault, log, submission));
    if (!mail || to === null) {
      throw new AppError('conflict', 'Could not send the reply: there is no mail server, or no address to reply to.');
    }
    await addReply({ store, vault, sender: mail.sender }, submission, { user, teamId: team.id }, input);
    mail.outbox.wake();
  });

  const note = write('note', 'noted', ({ user, team }, { submission }, input) =>
    addNote(context, submission, { user, teamId: team.id }, input),
  );

  const deleteNote = async (page: EditPage, form: URLSearchParams): Promise<Response> => {
    const found = await opened(page, form);
    const { param, team, user } = page;
    if (!(await store.messages.deleteNote(param('messageId'), found.submission.id, team.id, user.id))) {
      throw new AppError('not_found', 'There is no such note of yours.');
    }
    return back(found, 'unnoted');
  };

  const assign = async (page: EditPage, form: URLSearchParams): Promise<Response> => {
    const found = await opened(page, form);
    const userId = form.get('user') || null;
    const assigned = await store.messages.assignSubmission([found.submission.id], page.team.id, userId);
    if (assigned.length === 0) throw new AppError('not_found', 'There is no such member in this team.');
    if (userId !== null) page.note({ user_id: userId });
    return redirectTo(`${submissionAddress(found.submission.id, found.list)}&done=assigned`);
  };

  const star = async (page: EditPage, form: URLSearchParams): Promise<Response> => {
    const { submission, list } = await opened(page, form);
    await store.inbox.setStarred([submission.id], page.team.id, form.get('starred') === 'yes');
    return redirectTo(submissionAddress(submission.id, list));
  };

  return { reply, note, deleteNote, assign, star };
}
