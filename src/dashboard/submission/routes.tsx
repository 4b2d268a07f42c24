/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { attachment } from '../../http/attachment.ts';
import type { Downloads } from '../../http/downloads.ts';
import { openStoredFile, readFiles, readPayload, readSource, readSpamNote } from '../../services/read-submission.ts';
import { action, type DashboardRoute, type PageContext, page } from '../page.ts';
import { confirmPage } from '../ui/confirm-page.tsx';
import { flash } from '../ui/flash.ts';
import { getSelection, type InboxList, readList, submissionAddress } from '../ui/inbox-list.ts';
import type { Page } from '../ui/layout.tsx';
import { submissionActions } from './actions.ts';
import { askToMark } from './ask-to-mark.tsx';
import { imageAnswer } from './image.ts';
import { ListField } from './list-field.tsx';
import type { Draft, Opened } from './opened.ts';
import { getMailTo, getReplyRoute, getReplySubject } from './reply-route.ts';
import { SubmissionView } from './submission-view.tsx';
import { readThread } from './thread.ts';
import { Value } from './values-view.tsx';
import { writeActions } from './write-actions.ts';

const PATH = '/dashboard/submissions/:submissionId';

/** A submission: shown, answered, marked, deleted; its files, notes and mails. */
export function submissionRoutes(context: Context, downloads: Downloads): readonly DashboardRoute[] {
  const { store, vault, log, mail } = context;

  /** Finds the submission of the path, in the trash too, and its list: by default the one of its form. */
  const findStored = async ({ team, param }: PageContext<'read'>, query: URLSearchParams): Promise<Opened> => {
    const submission = await store.submissions.findStored(param('submissionId'), team.id);
    const form = submission && (await store.forms.find(submission.formId, team.id));
    if (!form) throw noSubmission();
    const list = readList(query, form.id);
    const isAcrossForms = list.in === 'inbox';
    return { submission, form, list: isAcrossForms ? list : { ...list, in: form.id, workspace: '', form: '' } };
  };

  /** Finds it outside the trash. */
  const find = async (page: PageContext<'read'>, query: URLSearchParams): Promise<Opened> => {
    const opened = await findStored(page, query);
    if (opened.submission.trashedAt !== null) throw noSubmission();
    return opened;
  };

  const showOpened = async (page: PageContext<'read'>, opened: Opened, draft: Draft | null): Promise<Page> => {
    const { viewer, team, query, user } = page;
    const { submission, form, list } = opened;
    const payload = readPayload(vault, log, submission);
    const { mails, entries } = await readThread(context, submission.id);
    const isTrashed = submission.trashedAt !== null;
    const props = {
      ...opened,
      viewer,
      payload,
      files: readFiles(vault, log, submission),
      spamNote: readSpamNote(vault, log, submission),
      source: readSource(vault, log, submission),
      mails,
      entries,
      sendsMail: mail !== null,
      neighbours: await getNeighbours(page, opened),
      members: viewer.can('edit') ? await store.members.list(team.id) : [],
      userId: user.id,
      replyRoute: getReplyRoute(mail, form, payload, user.email),
      replySubject: getReplySubject(viewer, form, payload),
      mailTo: mail || isTrashed ? null : getMailTo(viewer, form, payload, submission),
      draft,
      wasTrashed: query.get('done') === 'trashed',
      showsAll: query.get('thread') === 'all',
      firstField: Math.max(0, Math.trunc(Number(query.get('fields'))) || 0),
    };
    const { submission: t } = viewer.texts;
    const title = `${t.title} · ${form.name}`;
    return { title, section: getSection(list), done: flash(t.done, query), body: <SubmissionView {...props} /> };
  };

  /** None in a searched list, because a search can take long. */
  const getNeighbours = async ({ viewer, team, user }: PageContext<'read'>, { submission, form, list }: Opened) => {
    if (list.q !== '') return null;
    const forms = list.in === 'inbox' ? await store.forms.list(team.id) : [form];
    return store.inbox.findNeighbours(getSelection(list, forms, viewer.timeZone, user.id), submission.createdAt);
  };

  const show = async (page: PageContext<'read'>): Promise<Page> =>
    showOpened(page, await findStored(page, page.query), null);

  const showValue = async (page: PageContext<'read'>): Promise<Page> => {
    const { viewer, param, query } = page;
    const { submission: t } = viewer.texts;
    const { submission, form, list } = await findStored(page, query);
    const entry = readPayload(vault, log, submission)?.[Number(param('index'))];
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
  };

  const findFile = async (page: PageContext<'read'>, id: string) => {
    const { submission } = await findStored(page, page.query);
    const file = readFiles(vault, log, submission).find((one) => one.id === id);
    if (!file) throw new AppError('not_found', 'There is no such file in this submission.');
    return { submission, file };
  };

  const sendFile = async (page: PageContext<'read'>): Promise<Response> => {
    const { submission, file } = await findFile(page, page.param('fileId'));
    const stored = await openStoredFile(context, submission.id, file);
    const bytes = await downloads.streamPrefetched(page.session.id, stored, page.requireAccess);
    return attachment(bytes, file.name, file.contentType, file.id);
  };

  const sendImage = async (page: PageContext<'read'>): Promise<Response> => {
    const { submission, file } = await findFile(page, page.param('imageId'));
    const reader = { sessionId: page.session.id, requireAccess: page.requireAccess };
    return imageAnswer(context, downloads, reader, submission.id, file);
  };

  const askToDelete = async (page: PageContext<'read'>): Promise<Page> => {
    const { submission, list } = await findStored(page, page.query);
    const { inbox: t } = page.viewer.texts;
    return confirmPage(page.viewer, getSection(list), {
      title: t.deleteTitle(1),
      text: t.deleteText(1),
      action: `/dashboard/submissions/${submission.id}/delete`,
      button: t.deleteForGood,
      fields: <ListField list={list} />,
      cancel: submissionAddress(submission.id, list),
    });
  };

  const { mark, markRead, markUnread, remove, trash, restore, sendAgain } = submissionActions(
    context,
    find,
    findStored,
  );
  const showAgain = async (page: PageContext<'edit'>, opened: Opened, draft: Draft, status: number) => {
    return { ...(await showOpened(page, opened, draft)), status };
  };
  const { reply, note, deleteNote, assign, star } = writeActions(context, find, showAgain);
  return [
    page(PATH, { access: 'read' }, show),
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
    page(`${PATH}/spam`, { access: 'edit' }, askToMark(find, true)),
    page(`${PATH}/genuine`, { access: 'edit' }, askToMark(find, false)),
    action(`${PATH}/spam`, { access: 'edit', audit: 'submission.marked' }, mark(true)),
    action(`${PATH}/genuine`, { access: 'edit', audit: 'submission.marked' }, mark(false)),
    action(`${PATH}/mails/:mailId/send`, { access: 'edit', audit: 'mail.retried' }, sendAgain),
  ];
}

function getSection(list: InboxList): 'inbox' | 'forms' {
  return list.in === 'inbox' ? 'inbox' : 'forms';
}

function noSubmission(): AppError {
  return new AppError('not_found', 'There is no such submission in this team.');
}
