import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { INBOX_LAYOUTS } from '../../domain/inbox.ts';
import { requireForm } from '../../services/forms.ts';
import { saveView } from '../../services/inbox-views.ts';
import { type PageContext, redirectTo } from '../page.ts';
import { listAddress, listQuery, readList } from '../ui/inbox-list.ts';
import { fieldNames } from './columns.ts';

/** Returns the handlers that store how a user sees lists: saved views, and the layout of a form's submissions. */
export function preferencePosts(context: Context) {
  const { store } = context;

  const setLayout = async ({ user, team, param }: PageContext<'read'>, form: URLSearchParams): Promise<Response> => {
    const own = await requireForm(store, param('formId'), team.id);
    const { id } = own;
    const layout = INBOX_LAYOUTS.find((known) => known === form.get('layout')) ?? 'list';
    const known = await fieldNames(context, own);
    const picked = known.filter((name) => form.getAll('column').includes(name));
    // The buttons for the layout are beside the column picker of a table only.
    const kept = form.has('picks') ? picked : ((await store.inboxPreferences.findLayout(user.id, id))?.columns ?? []);
    await store.inboxPreferences.setLayout(user.id, id, { layout, columns: kept });
    const list = readList(new URLSearchParams(form.get('list') ?? ''), id);
    return redirectTo(listAddress({ ...list, in: id, ...(layout === 'list' && { sort: '' }) }));
  };

  const createView = async ({ user, team }: PageContext<'read'>, form: URLSearchParams): Promise<Response> => {
    const list = readList(new URLSearchParams(form.get('list') ?? ''), 'inbox');
    const name = (form.get('name') ?? '').trim();
    if (name === '') return redirectTo(listAddress(list, { done: 'noName' }));
    const isSaved = await saveView(context, { userId: user.id, teamId: team.id }, name, listQuery(list));
    return redirectTo(listAddress(list, { done: isSaved ? 'viewSaved' : 'tooManyViews' }));
  };

  const deleteView = async ({ user, team, param }: PageContext<'read'>, form: URLSearchParams): Promise<Response> => {
    const list = readList(new URLSearchParams(form.get('list') ?? ''), 'inbox');
    const isDeleted = await store.inboxPreferences.deleteView(param('viewId'), user.id, team.id);
    if (!isDeleted) throw new AppError('not_found', 'There is no such saved view.');
    return redirectTo(listAddress(list, { done: 'viewDeleted' }));
  };

  return { setLayout, createView, deleteView };
}
