/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError } from '../../../domain/errors.ts';
import { attachment } from '../../../http/attachment.ts';
import { openStoredFile, readFiles, readPayload } from '../../../services/submissions/read-submission.ts';
import { action, type Page, type PageContext, page, redirectTo, withAssets } from '../../page.ts';
import { confirmPage } from '../../ui/confirm-page.tsx';
import { getSection, submissionAddress } from '../../ui/inbox-list.ts';
import { Time } from '../../ui/time.tsx';
import { SUBMISSION_ASSETS } from '../assets.ts';
import { INBOX_TEXTS } from '../inbox/texts.ts';
import {
  assign,
  deleteNote,
  mark,
  markRead,
  markUnread,
  note,
  remove,
  reply,
  restore,
  sendAgain,
  star,
  trash,
} from './actions.ts';
import { ListField } from './actions-view.tsx';
import { imageAnswer } from './files-view.tsx';
import { find, findStored } from './opened.ts';
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
  action(`${PATH}/trash`, { access: 'edit', audit: 'submission.trashed' }, trash),
  action(`${PATH}/restore`, { access: 'edit', audit: 'submission.restored' }, restore),
  action(`${PATH}/reply`, { access: 'edit', audit: 'reply.sent' }, reply),
  action(`${PATH}/notes`, { access: 'edit', audit: 'note.added' }, note),
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
    button: t.deleteForGood,
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
