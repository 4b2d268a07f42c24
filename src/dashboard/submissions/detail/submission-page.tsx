/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { readFiles, readPayload, readSource, readSpamNote } from '../../../services/submissions/read-submission.ts';
import { flash, type Page, type PageContext } from '../../page.ts';
import { getSection, getSelection } from '../../ui/inbox-list.ts';
import type { Draft, Opened } from './opened.ts';
import { getMailTo, getReplyRoute, getReplySubject } from './reply-route.ts';
import { SubmissionView } from './submission-view.tsx';
import { readThread } from './thread.ts';

/** Returns the page of a submission, with what was entered in a reply or note that could not be stored. */
export async function showOpened(page: PageContext<'read'>, opened: Opened, draft: Draft | null): Promise<Page> {
  const { context, viewer, team, query, user } = page;
  const { store, vault, log, mail } = context;
  const { submission, form, list } = opened;
  const payload = readPayload(vault, log, submission);
  const isTrashed = submission.trashedAt !== null;
  const props = {
    ...opened,
    ...(await readThread(context, submission.id)),
    viewer,
    payload,
    files: readFiles(vault, log, submission),
    spamNote: readSpamNote(vault, log, submission),
    source: readSource(vault, log, submission),
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
}

/** None in a searched list, because a search can take long. */
async function getNeighbours({ context, viewer, team, user }: PageContext<'read'>, { submission, form, list }: Opened) {
  if (list.q !== '') return null;
  const { store } = context;
  const forms = list.in === 'inbox' ? await store.forms.list(team.id) : [form];
  return store.inbox.findNeighbours(getSelection(list, forms, viewer.timeZone, user.id), submission.createdAt);
}
