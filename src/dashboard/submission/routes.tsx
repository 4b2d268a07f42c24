/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { attachment } from '../../http/attachment.ts';
import type { Downloads } from '../../http/downloads.ts';
import {
  openStoredFile,
  readFiles,
  readMailReason,
  readPayload,
  readSpamReasons,
} from '../../services/read-submission.ts';
import { action, type DashboardRoute, type PageContext, page } from '../page.ts';
import { confirmPage } from '../ui/confirm-page.tsx';
import { flash } from '../ui/flash.ts';
import { type InboxList, readList, selectionOf, submissionAddress } from '../ui/inbox-list.ts';
import type { Page } from '../ui/layout.tsx';
import { submissionActions } from './actions.ts';
import { askToMark } from './ask-to-mark.tsx';
import { ListField } from './list-field.tsx';
import type { Opened } from './opened.ts';
import { SubmissionView } from './submission-view.tsx';
import { Value } from './values-view.tsx';

const PATH = '/dashboard/submissions/:submissionId';

/** A submission: shown, marked, deleted; its files and mails. */
export function submissionRoutes(context: Context, downloads: Downloads): readonly DashboardRoute[] {
  const { store, vault, log, mail } = context;

  /** Finds the submission of the path, and the list it was opened from: by default the one of its form. */
  const find = async ({ team, param }: PageContext<'read'>, query: URLSearchParams): Promise<Opened> => {
    const submission = await store.findSubmission(param('submissionId'), team.id);
    const form = submission && (await store.findForm(submission.formId, team.id));
    if (!form) throw new AppError('not_found', 'There is no such submission in this team.');
    const list = readList(query, form.id);
    const isAcrossForms = list.in === 'inbox';
    return { submission, form, list: isAcrossForms ? list : { ...list, in: form.id, workspace: '', form: '' } };
  };

  const show = async (page: PageContext<'read'>): Promise<Page> => {
    const { viewer, team, query } = page;
    const opened = await find(page, query);
    const { submission, form, list } = opened;
    const forms = list.in === 'inbox' ? await store.listForms(team.id) : [form];
    // None in a searched list: a search can take long.
    const neighbours =
      list.q === ''
        ? await store.findInboxNeighbours(selectionOf(list, forms, viewer.timeZone), submission.createdAt)
        : null;
    const mails = await store.listMailsOf(submission.id);
    const props = {
      ...opened,
      viewer,
      payload: readPayload(vault, log, submission),
      files: readFiles(vault, log, submission),
      reasons: readSpamReasons(vault, log, submission),
      mails: mails.map((one) => ({ mail: one, reason: readMailReason(vault, log, one) })),
      sendsMail: mail !== null,
      neighbours,
      firstField: Math.max(0, Math.trunc(Number(query.get('fields'))) || 0),
    };
    const { submission: t } = viewer.texts;
    const title = `${t.title} · ${form.name}`;
    return { title, section: sectionOf(list), done: flash(t.done, query), body: <SubmissionView {...props} /> };
  };

  const showValue = async (page: PageContext<'read'>): Promise<Page> => {
    const { viewer, param, query } = page;
    const { submission: t } = viewer.texts;
    const { submission, form, list } = await find(page, query);
    const entry = readPayload(vault, log, submission)?.[Number(param('index'))];
    if (!entry) throw new AppError('not_found', 'There is no such field in this submission.');
    const [name, value] = entry;
    const label = form.fields.find((field) => field.name === name)?.label || name || t.nameless;
    return {
      title: `${t.title} · ${form.name}`,
      section: sectionOf(list),
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

  const sendFile = async (page: PageContext<'read'>): Promise<Response> => {
    const { submission } = await find(page, page.query);
    const file = readFiles(vault, log, submission).find(({ id }) => id === page.param('fileId'));
    if (!file) throw new AppError('not_found', 'There is no such file in this submission.');
    const stored = await openStoredFile(context, submission.id, file);
    const bytes = await downloads.streamPrefetched(page.session.id, stored, page.requireAccess);
    return attachment(bytes, file.name, file.contentType, file.id);
  };

  const askToDelete = async (page: PageContext<'read'>): Promise<Page> => {
    const { submission, list } = await find(page, page.query);
    const { inbox: t } = page.viewer.texts;
    return confirmPage(page.viewer, sectionOf(list), {
      title: t.deleteTitle(1),
      text: t.deleteText(1),
      action: `/dashboard/submissions/${submission.id}/delete`,
      button: t.deleteForGood,
      fields: <ListField list={list} />,
      cancel: submissionAddress(submission.id, list),
    });
  };

  const { mark, markRead, markUnread, remove, sendAgain } = submissionActions(context, find);
  return [
    page(PATH, { access: 'read' }, show),
    page(`${PATH}/values/:index`, { access: 'read' }, showValue),
    page(`${PATH}/files/:fileId`, { access: 'read' }, sendFile),
    page(`${PATH}/delete`, { access: 'edit' }, askToDelete),
    action(`${PATH}/delete`, { access: 'edit', audit: 'submission.deleted' }, remove),
    action(`${PATH}/read`, { access: 'edit', audit: null }, markRead),
    action(`${PATH}/unread`, { access: 'edit', audit: null }, markUnread),
    page(`${PATH}/spam`, { access: 'edit' }, askToMark(find, true)),
    page(`${PATH}/genuine`, { access: 'edit' }, askToMark(find, false)),
    action(`${PATH}/spam`, { access: 'edit', audit: 'submission.marked' }, mark(true)),
    action(`${PATH}/genuine`, { access: 'edit', audit: 'submission.marked' }, mark(false)),
    action(`${PATH}/mails/:mailId/send`, { access: 'edit', audit: 'mail.retried' }, sendAgain),
  ];
}

function sectionOf(list: InboxList): 'inbox' | 'forms' {
  return list.in === 'inbox' ? 'inbox' : 'forms';
}
