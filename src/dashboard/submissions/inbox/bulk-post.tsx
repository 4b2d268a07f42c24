/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError, invalidInput, noSuch } from '../../../domain/errors.ts';
import type { FormField } from '../../../domain/fields/field-type.ts';
import type { InboxView } from '../../../domain/submissions/inbox.ts';
import { isUnconfirmed, type StoredSubmission } from '../../../domain/submissions/submission.ts';
import { formatLocalTime } from '../../../domain/users/time-zone.ts';
import { attachment } from '../../../http/attachment.ts';
import { formatTime, type Micros, parseTime } from '../../../lib/clock.ts';
import { getTime } from '../../../lib/ids.ts';
import type { Semaphore } from '../../../lib/semaphore.ts';
import { yieldToEventLoop } from '../../../lib/yield-to-event-loop.ts';
import { runExport } from '../../../services/exports/export.ts';
import { XLSX_TYPE } from '../../../services/exports/spreadsheet.ts';
import { requireForm } from '../../../services/forms/forms.ts';
import { EXPORT_FORM_TEXTS } from '../../exports/texts.ts';
import { type Page, type PageContext, redirectTo } from '../../page.ts';
import { confirmPage } from '../../ui/confirm-page.tsx';
import {
  getSection,
  getSelection,
  type InboxList,
  isSearched,
  listAddress,
  listQuery,
  readPostedList,
} from '../../ui/inbox-list.ts';
import { type ActionName, type BulkAction, bulkActions, getTrashed, runAction } from './bulk-actions.ts';
import { type Matches, searchAll, toTerms } from './search.ts';
import { INBOX_TEXTS } from './texts.ts';
import type { UndoLog } from './undo-log.ts';

/** Times read at once. */
const TIMES = 500;

type EditPage = PageContext<'edit'>;

/** The fields that every form of a list posts. */
type Origin = Readonly<{ list: InboxList; before: string }>;

/** Changes the selected submissions of a list. */
export async function changeSelected(
  page: EditPage,
  form: URLSearchParams,
  undoLog: UndoLog,
  searches: Semaphore,
): Promise<Page | Response> {
  const origin = getOrigin(form);
  const name = readCommand(form, origin);
  page.note({}, { action: null });
  if (!form.has('all') && !form.has('submission')) return redirectTo(backTo(origin, { done: 'none' }));
  if (name === 'delete') return askToDelete(page, form, origin, searches);
  if (name === 'export') {
    const { ids } = await select(page, form, origin.list, MAX_EXPORTED, searches);
    return exportSubmissions(page, ids, searches);
  }
  const assignee = form.get('user') || null;
  const action = new Map(Object.entries(bulkActions(page.context, assignee))).get(name);
  if (!action) throw invalidInput('There is no such action for submissions.');
  const { ids, isComplete } = await select(page, form, origin.list, action.limit, searches);
  if (ids.length === 0) return redirectTo(backTo(origin, { done: 'same' }));
  const isMark = name === 'spam' || name === 'genuine';
  // The inverse of a mark would not restore possible spam.
  const maybeSpam = await filterSubmissions(page, isMark ? ids : [], ({ isMaybeSpam }) => isMaybeSpam);
  const changed = await act(page, name as ActionName, ids, { assignee });
  if (changed.length === 0) return redirectTo(backTo(origin, { done: 'same' }));
  const { inverse } = action;
  // A mark is final once it has queued held mails.
  const released = await filterSubmissions(page, maybeSpam, ({ spamReasons }) => spamReasons === null);
  const undoable = changed.filter((id) => !released.has(id));
  const isUndoable = inverse !== null && undoable.length > 0;
  const undo = isUndoable && undoLog.keep(page.session.id, { action: inverse, ids: undoable, maybeSpam });
  const more = isComplete ? {} : { more: 'yes' };
  return redirectTo(backTo(origin, { done: name, count: String(changed.length), ...(undo && { undo }), ...more }));
}

export async function undoChange(page: EditPage, form: URLSearchParams, undoLog: UndoLog): Promise<Response> {
  const origin = getOrigin(form);
  page.note({}, { action: null });
  const undoable = undoLog.take(page.session.id, form.get('undo') ?? '');
  if (!undoable) return redirectTo(backTo(origin, { done: 'tooLate' }));
  const { action, ids, maybeSpam } = undoable;
  const changed = await act(page, action, ids, { maybeSpam });
  return redirectTo(backTo(origin, { done: 'undone', count: String(changed.length) }));
}

/** Returns the name of the action. Selects the submission of the row or the whole view if its button was pressed. */
function readCommand(form: URLSearchParams, { list }: Origin): string {
  // The value of a row's button ends with the submission ID, such as `star sub_…`.
  const [command = '', ownId] = (form.get('do') ?? '').split(' ');
  if (ownId) form.set('submission', ownId);
  if (ownId) form.delete('all');
  if (command !== 'empty') return form.has('user') ? 'assign' : command;
  form.set('all', 'yes');
  return EMPTYING[list.part] ?? '';
}

async function select(page: EditPage, form: URLSearchParams, list: InboxList, limit: number, searches: Semaphore) {
  const upTo = parseTime(form.get('upto') ?? '');
  if (form.get('all') === 'yes' && upTo !== null) return findAll(page, list, upTo, limit, searches);
  const ids = [...new Set(form.getAll('submission'))];
  return { ids: ids.slice(0, limit), isComplete: ids.length <= limit };
}

/** Returns up to `limit` submissions that match the list, newest first, without any that arrived after `upTo`. */
async function findAll(
  { context, team, user, viewer, request }: EditPage,
  list: InboxList,
  upTo: Micros,
  limit: number,
  searches: Semaphore,
): Promise<Matches> {
  const { store } = context;
  const forms = (await store.forms.list(team.id)).filter(({ id }) => list.in === 'inbox' || list.in === id);
  const selection = getSelection(list, forms, viewer.timeZone, user.id);
  if (isSearched(list)) {
    const range = { before: upTo + 1, limit, signal: request.signal };
    return searchAll(context, selection, toTerms(list, forms, viewer), range, searches);
  }
  const ids: string[] = [];
  for (let before = upTo + 1; ids.length < limit; ) {
    const times = await store.inbox.listTimes(selection, { before, limit: TIMES });
    ids.push(...(await store.inbox.findIdsAt(times)));
    if (times.length < TIMES) return { ids: ids.slice(0, limit), isComplete: ids.length <= limit };
    before = times.at(-1) ?? before;
  }
  return { ids: ids.slice(0, limit), isComplete: false };
}

async function requireOwn({ context, team }: EditPage, ids: readonly string[]): Promise<void> {
  for (const id of ids) if (await context.store.submissions.findStored(id, team.id)) return;
  noSuch('submission');
}

/** Runs an action, but turns the submissions in `maybeSpam` back into possible spam. `assignee` is for `assign`. */
async function act(
  page: EditPage,
  name: ActionName,
  ids: readonly string[],
  { maybeSpam = new Set(), assignee = null }: Readonly<{ maybeSpam?: ReadonlySet<string>; assignee?: string | null }>,
): Promise<readonly string[]> {
  const { context, team, note } = page;
  const action = bulkActions(context, assignee)[name];
  const restore: BulkAction['act'] = async (all, teamId) => {
    const [maybe, sure] = [all.filter((id) => maybeSpam.has(id)), all.filter((id) => !maybeSpam.has(id))];
    return [...(await context.store.inbox.restoreMaybeSpam(maybe, teamId)), ...(await action.act(sure, teamId))];
  };
  const chosen = maybeSpam.size === 0 ? action : { ...action, act: restore };
  const changed = await runAction(chosen, ids, { teamId: team.id, note });
  if (changed.length === 0 && ids.length > 0) await requireOwn(page, ids);
  if (name === 'genuine') context.mail.outbox.wake();
  return changed;
}

/** Returns the submissions outside the trash that `isMatch` accepts. */
async function filterSubmissions(
  { context, team }: EditPage,
  ids: Iterable<string>,
  isMatch: (submission: StoredSubmission) => boolean,
): Promise<ReadonlySet<string>> {
  const matches = new Set<string>();
  for (const id of ids) {
    const submission = await context.store.submissions.find(id, team.id);
    if (submission && isMatch(submission)) matches.add(id);
    await yieldToEventLoop();
  }
  return matches;
}

async function askToDelete(page: EditPage, form: URLSearchParams, origin: Origin, searches: Semaphore) {
  const { context, team, viewer } = page;
  const { ids } = await select(page, form, origin.list, bulkActions(context).deleted.limit, searches);
  if (ids.length === 0) return redirectTo(backTo(origin, { done: 'same' }));
  const isAll = form.get('all') === 'yes';
  const trashed = isAll && origin.list.part === 'trash' ? ids : await getTrashed(context, ids, team.id);
  if (trashed.length === 0) throw new AppError('not_found', 'There is no such submission in the trash of this team.');
  const { list, before } = origin;
  const t = INBOX_TEXTS[viewer.language];
  return confirmPage(viewer, getSection(list), {
    title: t.deleteTitle(trashed.length, viewer.number(trashed.length)),
    text: t.deleteText(trashed.length),
    action: '/dashboard/submissions',
    button: t.actions.delete,
    fields: (
      <>
        <input type="hidden" name="list" value={listQuery(list)} />
        <input type="hidden" name="do" value="deleted" />
        {before !== '' && <input type="hidden" name="before" value={before} />}
        {isAll && <input type="hidden" name="all" value="yes" />}
        {isAll && <input type="hidden" name="upto" value={form.get('upto') ?? ''} />}
        {!isAll && trashed.map((id) => <input type="hidden" name="submission" value={id} />)}
      </>
    ),
    cancel: backTo({ list, before }, {}),
  });
}

/** Actions that empty a view. */
const EMPTYING: Partial<Record<InboxView, string>> = { spam: 'trash', trash: 'delete' };

function getOrigin(form: URLSearchParams): Origin {
  const before = parseTime(form.get('before') ?? '');
  return { list: readPostedList(form, 'inbox'), before: before === null ? '' : formatTime(before) };
}

function backTo({ list, before }: Origin, done: Readonly<Record<string, string>>): string {
  return listAddress(list, before === '' ? done : { before, ...done });
}

/** Submissions that one file has at most. */
const MAX_EXPORTED = 10_000;
/** Submissions read at once. */
const ROWS = 10;

/**
 * Answers with the selected submissions of the team as XLSX, oldest first. Fields of the same name share a column, also
 * those of different forms. Leaves out unconfirmed ones. Throws `not_found` if the team has none of them.
 */
async function exportSubmissions(
  { context, viewer, user, team, note, requireAccess }: PageContext<'edit'>,
  ids: readonly string[],
  semaphore: Semaphore,
): Promise<Response> {
  const { language, timeZone, texts } = viewer;
  const { store, clock, downloads } = context;
  const forms = new Map((await store.forms.list(team.id)).map((form) => [form.id, form]));
  const selected = new Set(ids);
  const times = [...selected].map(getTime).sort((a, b) => a - b);
  const listPage = async (_: unknown, after: Micros): Promise<StoredSubmission[]> => {
    for (let first = times.findIndex((time) => time > after); first >= 0 && first < times.length; first += ROWS) {
      const found = await store.inbox.findSubmissionsAt(times.slice(first, first + ROWS));
      const own = found.filter((one) => selected.has(one.id) && forms.has(one.formId) && !isUnconfirmed(one));
      if (own.length > 0) return own;
    }
    return [];
  };
  const fields = new Map<string, FormField>();
  const used = new Set<string>();
  let count = 0;
  for (let page = await listPage(null, -1); page.length > 0; ) {
    for (const { formId } of page) used.add(formId);
    for (const field of page.flatMap(({ formId }) => forms.get(formId)?.fields ?? [])) fields.set(field.name, field);
    count += page.length;
    await yieldToEventLoop();
    page = await listPage(null, page.at(-1)?.createdAt ?? 0);
  }
  if (count === 0) noSuch('submission');
  note({ count }, { action: 'export.xlsx' });
  const { xlsxExport } = await import('../../../services/exports/export-xlsx.ts');
  const exported = xlsxExport({
    form: { fields: [...fields.values()] },
    choice: null,
    extras: [],
    timeZone,
    words: { ...texts.values, ...EXPORT_FORM_TEXTS[language].table },
  });
  const estimate = async ({ until }: Readonly<{ until: Micros }>) => ({ until, atMost: count });
  const deps = { ...context, semaphore, store: { ...store, exports: { estimate, listPage } } };
  const span = { formId: '', state: 'all', from: 0, until: Number.MAX_SAFE_INTEGER } as const;
  const chunks = runExport(deps, exported, span, { step: 'looking', submissions: 0, atMost: 0 });
  const name = `${texts.form.submissions} ${formatLocalTime(clock(), timeZone).slice(0, 10)}.xlsx`;
  const requireForms = async () => {
    await requireAccess();
    for (const id of used) await requireForm(store, id, team.id);
  };
  const body = downloads.stream(user.id, team.id, chunks, requireForms);
  return attachment(body, name, XLSX_TYPE, 'submissions.xlsx');
}
