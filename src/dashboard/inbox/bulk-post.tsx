/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { InboxView } from '../../domain/inbox.ts';
import type { Micros } from '../../lib/clock.ts';
import { formatTime, parseTime } from '../../lib/clock.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { type PageContext, redirectTo } from '../page.ts';
import { confirmPage } from '../ui/confirm-page.tsx';
import { getSelection, type InboxList, listAddress, listQuery, readList } from '../ui/inbox-list.ts';
import type { Page } from '../ui/layout.tsx';
import { type ActionName, type BulkAction, bulkActions, runAction } from './bulk-actions.ts';
import type { SearchAll } from './search.ts';
import type { UndoLog } from './undo-log.ts';

/** Times read at once. */
const TIMES = 500;

/** The submissions of a request; `isComplete` is false if more match than an action may change. */
type Selected = Readonly<{ ids: readonly string[]; isComplete: boolean }>;

/** The fields that every form of a list posts. */
export type Origin = Readonly<{ list: InboxList; before: string }>;

/** Returns the handlers that change the selected submissions of a list, and undo such a change. */
export function bulkPosts(context: Context, undoLog: UndoLog, searchAll: SearchAll) {
  const { store, mail } = context;
  const actions = bulkActions(context);

  /** Returns up to `limit` submissions that match the list, newest first, without any that arrived after `upTo`. */
  const findAll = async (
    page: PageContext<'edit'>,
    list: InboxList,
    upTo: Micros,
    limit: number,
  ): Promise<Selected> => {
    const { team, user, viewer, request } = page;
    const forms = (await store.forms.list(team.id)).filter(({ id }) => list.in === 'inbox' || list.in === id);
    const selection = getSelection(list, forms, viewer.timeZone, user.id);
    if (list.q !== '') return searchAll(selection, list.q, { before: upTo + 1, limit, signal: request.signal });
    const ids: string[] = [];
    for (let before = upTo + 1; ids.length < limit; ) {
      const times = await store.inbox.listTimes(selection, { before, limit: TIMES });
      ids.push(...(await store.inbox.findIdsAt(times)));
      if (times.length < TIMES) return { ids: ids.slice(0, limit), isComplete: ids.length <= limit };
      before = times.at(-1) ?? before;
    }
    return { ids: ids.slice(0, limit), isComplete: false };
  };

  const select = async (page: PageContext<'edit'>, form: URLSearchParams, list: InboxList, limit: number) => {
    const upTo = parseTime(form.get('upto') ?? '');
    if (form.get('all') === 'yes' && upTo !== null) return findAll(page, list, upTo, limit);
    const ids = [...new Set(form.getAll('submission'))];
    return { ids: ids.slice(0, limit), isComplete: ids.length <= limit };
  };

  const requireOwn = async (ids: readonly string[], teamId: string) => {
    for (const id of ids) if (await store.submissions.findStored(id, teamId)) return;
    throw new AppError('not_found', 'There is no such submission in this team.');
  };

  /** Runs an action, but turns the submissions in `maybeSpam` back into possible spam. */
  const act = async (
    page: PageContext<'edit'>,
    name: ActionName,
    ids: readonly string[],
    maybeSpam: ReadonlySet<string> = new Set(),
  ) => {
    const { team, note } = page;
    const actOnAll: BulkAction['act'] = async (all, teamId) => [
      ...(await store.inbox.restoreMaybeSpam(
        all.filter((id) => maybeSpam.has(id)),
        teamId,
      )),
      ...(await actions[name].act(
        all.filter((id) => !maybeSpam.has(id)),
        teamId,
      )),
    ];
    const action = maybeSpam.size === 0 ? actions[name] : { ...actions[name], act: actOnAll };
    const changed = await runAction(action, ids, { teamId: team.id, note });
    if (changed.length === 0 && ids.length > 0) await requireOwn(ids, team.id);
    if (name === 'genuine') mail?.outbox.wake();
    return changed;
  };

  const post = async (page: PageContext<'edit'>, form: URLSearchParams): Promise<Page | Response> => {
    const origin = getOrigin(form);
    // The value of a row's button ends with the submission ID, such as `star sub_…`.
    const [command = '', ownId] = (form.get('do') ?? '').split(' ');
    if (ownId) form.set('submission', ownId);
    if (ownId) form.delete('all');
    if (command === 'empty') form.set('all', 'yes');
    const name = command === 'empty' ? (EMPTYING[origin.list.part] ?? '') : command;
    page.note({}, { action: null });
    if (!form.has('all') && !form.has('submission')) return redirectTo(backTo(origin, { done: 'none' }));
    if (name === 'delete') return askToDelete(page, form, origin);
    const action = getAction(actions, name);
    if (!action) throw new AppError('invalid_input', 'There is no such action for submissions.');
    const { ids, isComplete } = await select(page, form, origin.list, action.limit);
    if (ids.length === 0) return redirectTo(backTo(origin, { done: 'same' }));
    const isMark = name === 'spam' || name === 'genuine';
    const maybeSpam = isMark ? await maybeSpamAmong(ids, page.team.id) : new Set<string>();
    const changed = await act(page, name as ActionName, ids);
    if (changed.length === 0) return redirectTo(backTo(origin, { done: 'same' }));
    const { inverse } = action;
    const released = await releasedAmong(maybeSpam, page.team.id);
    const undoable = changed.filter((id) => !released.has(id));
    const isUndoable = inverse !== null && undoable.length > 0;
    const undo = isUndoable && undoLog.keep(page.session.id, { action: inverse, ids: undoable, maybeSpam });
    const more = isComplete ? {} : { more: 'yes' };
    return redirectTo(backTo(origin, { done: name, count: String(changed.length), ...(undo && { undo }), ...more }));
  };

  /** Returns the possible spam among submissions, which the inverse of a mark would not restore. */
  const maybeSpamAmong = async (ids: readonly string[], teamId: string): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    for (const id of ids) {
      if ((await store.submissions.find(id, teamId))?.isMaybeSpam) found.add(id);
      await yieldToEventLoop();
    }
    return found;
  };

  /** Returns the marked submissions whose held mails are queued. Such a mark is final. */
  const releasedAmong = async (ids: ReadonlySet<string>, teamId: string): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    for (const id of ids) {
      if ((await store.submissions.find(id, teamId))?.spamReasons === null) found.add(id);
      await yieldToEventLoop();
    }
    return found;
  };

  const askToDelete = async (page: PageContext<'edit'>, form: URLSearchParams, origin: Origin) => {
    const selected = await select(page, form, origin.list, actions.deleted.limit);
    if (selected.ids.length === 0) return redirectTo(backTo(origin, { done: 'same' }));
    const isTrash = form.get('all') === 'yes' && origin.list.part === 'trash';
    const trashed: string[] = isTrash ? [...selected.ids] : [];
    for (const id of isTrash ? [] : selected.ids) {
      if ((await store.submissions.findStored(id, page.team.id))?.trashedAt) trashed.push(id);
    }
    if (trashed.length === 0) throw new AppError('not_found', 'There is no such submission in the trash of this team.');
    return deleteQuestion(page, form, origin, trashed);
  };

  const undo = async (page: PageContext<'edit'>, form: URLSearchParams): Promise<Response> => {
    const origin = getOrigin(form);
    page.note({}, { action: null });
    const undoable = undoLog.take(page.session.id, form.get('undo') ?? '');
    if (!undoable) return redirectTo(backTo(origin, { done: 'tooLate' }));
    const { action, ids, maybeSpam } = undoable;
    const changed = await act(page, action, ids, maybeSpam);
    return redirectTo(backTo(origin, { done: 'undone', count: String(changed.length) }));
  };

  return { post, undo };
}

/** Actions that empty a view. */
const EMPTYING: Partial<Record<InboxView, string>> = { spam: 'trash', trash: 'delete' };

function getAction(actions: Readonly<Record<string, BulkAction>>, name: string): BulkAction | null {
  return Object.hasOwn(actions, name) ? (actions[name] ?? null) : null;
}

function getOrigin(form: URLSearchParams): Origin {
  const before = parseTime(form.get('before') ?? '');
  return {
    list: readList(new URLSearchParams(form.get('list') ?? ''), 'inbox'),
    before: before === null ? '' : formatTime(before),
  };
}

function backTo({ list, before }: Origin, done: Readonly<Record<string, string>>): string {
  return listAddress(list, before === '' ? done : { before, ...done });
}

function deleteQuestion(
  { viewer }: PageContext<'edit'>,
  form: URLSearchParams,
  { list, before }: Origin,
  ids: readonly string[],
): Page {
  const { inbox: t } = viewer.texts;
  const isAll = form.get('all') === 'yes';
  return confirmPage(viewer, list.in === 'inbox' ? 'inbox' : 'forms', {
    title: t.deleteTitle(ids.length, viewer.number(ids.length)),
    text: t.deleteText(ids.length),
    action: '/dashboard/submissions',
    button: t.deleteForGood,
    fields: (
      <>
        <input type="hidden" name="list" value={listQuery(list)} />
        <input type="hidden" name="do" value="deleted" />
        {before !== '' && <input type="hidden" name="before" value={before} />}
        {isAll && <input type="hidden" name="all" value="yes" />}
        {isAll && <input type="hidden" name="upto" value={form.get('upto') ?? ''} />}
        {!isAll && ids.map((id) => <input type="hidden" name="submission" value={id} />)}
      </>
    ),
    cancel: backTo({ list, before }, {}),
  });
}
