/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError } from '../../../domain/errors.ts';
import { attachment } from '../../../http/attachment.ts';
import { deleteSubmission } from '../../../services/submissions/delete-submission.ts';
import { markSubmission } from '../../../services/submissions/mark-submission.ts';
import { addNote, addReply, replyTarget } from '../../../services/submissions/messages.ts';
import { openStoredFile, readFiles, readPayload, readSpamNote } from '../../../services/submissions/read-submission.ts';
import { action, type Page, type PageContext, page, redirectTo, withAssets } from '../../page.ts';
import { confirmPage } from '../../ui/confirm-page.tsx';
import { getSection, listAddress, submissionAddress } from '../../ui/inbox-list.ts';
import { errorText } from '../../ui/parse-input.ts';
import { Time } from '../../ui/time.tsx';
import { SUBMISSION_ASSETS } from '../assets.ts';
import { INBOX_TEXTS } from '../inbox/texts.ts';
import { ListField } from './actions-view.tsx';
import { imageAnswer } from './files-view.tsx';
import { type Draft, find, findStored, type Opened } from './opened.ts';
import { showOpened } from './submission-page.tsx';
import { SUBMISSION_TEXTS } from './texts.ts';
import { Value } from './values-view.tsx';

const PATH = '/dashboard/submissions/:submissionId';

type ReadPage = PageContext<'read'>;

/** A submission: shown, answered, marked, deleted; its files, notes and mails. */
export const submissionRoutes = withAssets(SUBMISSION_ASSETS, [
  page(PATH, { access: 'read' }, async (page) => showOpened(page, await findStored(page), null)),
  page(`${PATH}/values/:index`, { access: 'read' }, showValue),
  page(`${PATH}/files/:fileId`, { access: 'read' }, sendFile),
  page(`${PATH}/images/:imageId`, { access: 'read' }, sendImage),
  page(`${PATH}/delete`, { access: 'edit' }, askToDelete),
  action(`${PATH}/delete`, { access: 'edit', audit: 'submission.deleted' }, remove),
  action(`${PATH}/trash`, { access: 'edit', audit: 'submission.trashed' }, async (page, form) =>
    move(page, await find(page, form), true),
  ),
  action(`${PATH}/restore`, { access: 'edit', audit: 'submission.restored' }, async (page, form) =>
    move(page, await findStored(page, form), false),
  ),
  action(`${PATH}/reply`, { access: 'edit', audit: 'reply.sent' }, (page, form) => write(page, form, 'reply')),
  action(`${PATH}/notes`, { access: 'edit', audit: 'note.added' }, (page, form) => write(page, form, 'note')),
  action(`${PATH}/notes/:messageId/delete`, { access: 'edit', audit: 'note.deleted' }, deleteNote),
  action(`${PATH}/star`, { access: 'edit', audit: null }, star),
  action(`${PATH}/assign`, { access: 'edit', audit: 'submission.assigned' }, assign),
  action(`${PATH}/read`, { access: 'edit', audit: null }, markRead),
  action(`${PATH}/unread`, { access: 'edit', audit: null }, markUnread),
  page(`${PATH}/spam`, { access: 'edit' }, (page) => askToMark(page, true)),
  page(`${PATH}/genuine`, { access: 'edit' }, (page) => askToMark(page, false)),
  action(`${PATH}/spam`, { access: 'edit', audit: 'submission.marked' }, (page, form) => mark(page, form, true)),
  action(`${PATH}/genuine`, { access: 'edit', audit: 'submission.marked' }, (page, form) => mark(page, form, false)),
  action(`${PATH}/mails/:mailId/send`, { access: 'edit', audit: 'mail.retried' }, sendAgain),
]);

async function showValue(page: ReadPage): Promise<Page> {
  const { context, viewer, param } = page;
  const t = SUBMISSION_TEXTS[viewer.language];
  const { submission, form, list } = await findStored(page);
  const entry = readPayload(context.vault, context.log, submission)?.[Number(param('index'))];
  if (!entry) throw new AppError('not_found', 'There is no such field in this submission.');
  const [name, value] = entry;
  const label = form.fields.find((field) => field.name === name)?.label || name || t.nameless;
  return {
    title: `${t.title} · ${form.name}`,
    section: getSection(list),
    body: (
      <>
        <p class="small">
          <a href={submissionAddress(submission.id, list)}>{t.back}</a>
        </p>
        <h1>
          <bdi>{label}</bdi>
        </h1>
        <div class="card value">
          <Value viewer={viewer} value={value} depth={0} />
        </div>
      </>
    ),
  };
}

async function findFile(page: ReadPage, fileId: string) {
  const { submission } = await findStored(page);
  const file = readFiles(page.context.vault, page.context.log, submission).find(({ id }) => id === fileId);
  if (!file) throw new AppError('not_found', 'There is no such file in this submission.');
  return { submission, file };
}

async function sendFile(page: ReadPage): Promise<Response> {
  const { context, session, requireAccess } = page;
  const { submission, file } = await findFile(page, page.param('fileId'));
  const stored = await openStoredFile(context, submission.id, file);
  const bytes = await context.downloads.streamPrefetched(session.id, stored, requireAccess);
  return attachment(bytes, file.name, file.contentType, file.id);
}

async function sendImage(page: ReadPage): Promise<Response> {
  const { submission, file } = await findFile(page, page.param('imageId'));
  return imageAnswer(page, submission.id, file);
}

async function askToDelete(page: ReadPage): Promise<Page> {
  const { submission, list } = await findStored(page);
  const t = INBOX_TEXTS[page.viewer.language];
  return confirmPage(page.viewer, getSection(list), {
    title: t.deleteTitle(1),
    text: t.deleteText(1),
    action: `/dashboard/submissions/${submission.id}/delete`,
    button: t.actions.delete,
    fields: <ListField list={list} />,
    cancel: submissionAddress(submission.id, list),
  });
}

/** The page that mails link to. It asks first, because mail clients and virus scanners open links on their own. */
async function askToMark(page: PageContext<'edit'>, isSpam: boolean): Promise<Page | Response> {
  const { viewer } = page;
  const { submission, form, list } = await find(page);
  const cancel = submissionAddress(submission.id, list);
  if (submission.isSpam === isSpam && !submission.isMaybeSpam) return redirectTo(cancel);
  const inbox = INBOX_TEXTS[viewer.language];
  const t = SUBMISSION_TEXTS[viewer.language];
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

type EditPage = PageContext<'edit'>;

function back({ submission, list }: Opened, done: string, anchor = ''): Response {
  return redirectTo(`${submissionAddress(submission.id, list)}&done=${done}${anchor}`);
}

async function remove(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { submission, list } = await findStored(page, form);
  await deleteSubmission(page.context, submission.id, page.team.id);
  return redirectTo(listAddress(list, { done: 'deleted' }));
}

async function markRead(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { store, clock } = page.context;
  const opened = await find(page, form);
  await store.inbox.markRead([opened.submission.id], page.team.id, clock());
  return back(opened, 'read');
}

/** Returns to the list: opening the submission would mark it as read again. */
async function markUnread(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { submission, list } = await find(page, form);
  await page.context.store.inbox.markRead([submission.id], page.team.id, null);
  return redirectTo(listAddress(list, { done: 'unread' }));
}

/** Moves the submission to the trash, or out of it. */
async function move({ context, team }: EditPage, opened: Opened, isTrashed: boolean): Promise<Response> {
  const trashedAt = isTrashed ? context.clock() : null;
  const moved = await context.store.trash.moveSubmissions([opened.submission.id], team.id, trashedAt);
  if (moved.length === 0) throw new AppError('not_found', 'This submission was moved or deleted meanwhile.');
  return back(opened, isTrashed ? 'trashed' : 'restored');
}

async function mark(page: EditPage, form: URLSearchParams, isSpam: boolean): Promise<Response> {
  const { vault, log, mail } = page.context;
  const opened = await find(page, form);
  await markSubmission(page.context, opened.submission.id, isSpam, page.team.id);
  page.note({ is_spam: isSpam });
  mail.outbox.wake();
  const { isHeld } = readSpamNote(vault, log, opened.submission);
  return back(opened, isSpam ? 'spam' : isHeld ? 'genuine' : 'accepted');
}

async function sendAgain(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { store, mail } = page.context;
  const opened = await find(page, form);
  const mails = await store.inbox.listMailsOf(opened.submission.id);
  const unsent = mails.find(({ id, state }) => id === page.param('mailId') && state !== 'sent');
  if (!unsent) throw new AppError('not_found', 'There is no such unsent mail of this submission.');
  await store.mails.retry({ id: unsent.id });
  mail.outbox.wake();
  return back(opened, 'sending');
}

/** Stores a reply or a note. An error is shown above its text, which stays in the form. */
async function write(page: EditPage, form: URLSearchParams, kind: Draft['kind']): Promise<Page | Response> {
  const { context, user, team } = page;
  const opened = await find(page, form);
  const text = (name: string) => form.get(name) ?? '';
  const input = { id: text('message'), subject: text('subject'), text: text('text') };
  const author = { user, teamId: team.id };
  try {
    if (kind === 'note') await addNote(context, opened.submission, author, input);
    else await addReply({ ...context, sender: getSender(context, opened) }, opened.submission, author, input);
    if (kind === 'reply') context.mail.outbox.wake();
    return back(opened, kind === 'note' ? 'noted' : 'replied', '#thread');
  } catch (error) {
    if (!(error instanceof AppError) || error.reason === null) throw error;
    const draft = { ...input, kind, error: errorText(page.viewer.texts, error) };
    return { ...(await showOpened(page, opened, draft)), status: error.status };
  }
}

/** Returns the sender of replies. Throws if there is none, or no address to reply to. */
function getSender({ vault, log, mail }: EditPage['context'], { submission }: Opened): string {
  if (mail.sender !== null && replyTarget(readPayload(vault, log, submission)) !== null) return mail.sender;
  throw new AppError('conflict', 'Could not send the reply: there is no mail server, or no address to reply to.');
}

async function deleteNote(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { context, param, team, user } = page;
  const opened = await find(page, form);
  if (!(await context.store.messages.deleteNote(param('messageId'), opened.submission.id, team.id, user.id))) {
    throw new AppError('not_found', 'There is no such note of yours.');
  }
  return back(opened, 'unnoted', '#thread');
}

async function assign(page: EditPage, form: URLSearchParams): Promise<Response> {
  const opened = await find(page, form);
  const userId = form.get('user') || null;
  const assigned = await page.context.store.messages.assignSubmission([opened.submission.id], page.team.id, userId);
  if (assigned.length === 0) throw new AppError('not_found', 'There is no such member in this team.');
  if (userId !== null) page.note({ user_id: userId });
  return back(opened, 'assigned');
}

async function star(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { submission, list } = await find(page, form);
  await page.context.store.inbox.setStarred([submission.id], page.team.id, form.get('starred') === 'yes');
  return redirectTo(submissionAddress(submission.id, list));
}
