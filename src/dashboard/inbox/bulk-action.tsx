/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Micros } from '../../lib/clock.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { Note } from '../../services/audit.ts';
import { deleteSubmission } from '../../services/delete-submission.ts';
import { markSubmission } from '../../services/mark-submission.ts';
import { type PageContext, redirectTo } from '../page.ts';
import { confirmPage } from '../ui/confirm-page.tsx';
import { type InboxList, listAddress, listQuery, readList } from '../ui/inbox-list.ts';
import type { Page } from '../ui/layout.tsx';
import type { Viewer } from '../viewer.ts';

/** Submissions that the audit entry of a bulk action names; it counts all of them. */
const MAX_RECORDED = 100;

/** Applies an action to some submissions. Returns false if none of them is in the team. */
type BulkAction = (ids: readonly string[], page: PageContext<'edit'>) => Promise<boolean>;

/** Returns the handler that marks or deletes the selected submissions of a list. It skips deleted submissions. */
export function bulkAction(context: Context) {
  const { store, mail } = context;
  const actions = bulkActions(context);

  /** Returns the ids of existing submissions of the team. */
  const existing = async (ids: readonly string[], teamId: string): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const id of ids) {
      if (await store.findSubmission(id, teamId)) found.push(id);
      await yieldToEventLoop();
    }
    return found;
  };

  return async (page: PageContext<'edit'>, form: URLSearchParams): Promise<Page | Response> => {
    const { viewer, team, note } = page;
    const list = readList(new URLSearchParams(form.get('list') ?? ''), 'inbox');
    const ids = [...new Set(form.getAll('submission'))];
    const name = form.get('do') ?? '';
    if (ids.length === 0 || name === 'delete') note({}, { action: null });
    if (ids.length === 0) return redirectTo(listAddress(list, { done: 'none' }));
    if (name === 'delete') {
      const found = await existing(ids, team.id);
      if (found.length === 0) throw noneInTeam();
      return deleteQuestion(viewer, list, found);
    }
    const act = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!act) throw new AppError('invalid_input', 'There is no such action for submissions.');
    if (!(await act(ids, page))) throw noneInTeam();
    if (name === 'genuine') mail?.outbox.wake();
    return redirectTo(listAddress(list, { done: name }));
  };
}

function bulkActions(context: Context): Readonly<Record<string, BulkAction>> {
  const { store, blobs, clock } = context;

  const markEach = (ids: readonly string[], isSpam: boolean, { team, note }: PageContext<'edit'>) => {
    note({ is_spam: isSpam });
    return forEach(ids, note, async (id) => {
      if (!(await store.findSubmission(id, team.id))) return false;
      await markSubmission(context, id, isSpam, team.id);
      return true;
    });
  };

  const markRead = async (ids: readonly string[], at: Micros | null, { team, note }: PageContext<'edit'>) => {
    note({}, { action: null });
    return (await store.markRead(ids, team.id, at)) > 0;
  };

  const deleteEach: BulkAction = (ids, { team, note }) => {
    note({}, { action: 'submission.deleted' });
    return forEach(ids, note, (id) => deleteSubmission({ store, blobs }, id, team.id));
  };

  return {
    read: (ids, page) => markRead(ids, clock(), page),
    unread: (ids, page) => markRead(ids, null, page),
    spam: (ids, page) => markEach(ids, true, page),
    genuine: (ids, page) => markEach(ids, false, page),
    deleted: deleteEach,
  };
}

/**
 * Runs `act` on each submission, a commit each, and yields in between. Notes each one when it is done: it stays done if
 * a later one fails. Returns false if `act` found none of them.
 */
async function forEach(ids: readonly string[], note: Note, act: (id: string) => Promise<boolean>): Promise<boolean> {
  const done: string[] = [];
  for (const id of ids) {
    if (await act(id)) {
      done.push(id);
      note({ count: done.length, submission_ids: done.slice(0, MAX_RECORDED).join(' ') });
    }
    await yieldToEventLoop();
  }
  return done.length > 0;
}

function deleteQuestion(viewer: Viewer, list: InboxList, ids: readonly string[]): Page {
  const { inbox: t } = viewer.texts;
  return confirmPage(viewer, list.in === 'inbox' ? 'inbox' : 'forms', {
    title: t.deleteTitle(ids.length),
    text: t.deleteText(ids.length),
    action: '/dashboard/submissions',
    button: t.deleteForGood,
    fields: (
      <>
        <input type="hidden" name="list" value={listQuery(list)} />
        <input type="hidden" name="do" value="deleted" />
        {ids.map((id) => (
          <input type="hidden" name="submission" value={id} />
        ))}
      </>
    ),
    cancel: listAddress(list),
  });
}

function noneInTeam(): AppError {
  return new AppError('not_found', 'There is no such submission in this team.');
}
