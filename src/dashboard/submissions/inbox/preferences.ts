import { AppError } from '../../../domain/errors.ts';
import { INBOX_LAYOUTS } from '../../../domain/submissions/inbox.ts';
import { requireForm } from '../../../services/forms/forms.ts';
import { saveView } from '../../../services/submissions/inbox-views.ts';
import { type PageContext, redirectTo } from '../../page.ts';
import { listAddress, listQuery, readPostedList } from '../../ui/inbox-list.ts';
import { fieldNames } from './columns.ts';

type ReadPage = PageContext<'read'>;

/** Stores the layout of a form's submissions, and the columns of a table. */
export async function setLayout({ context, user, team, param }: ReadPage, input: URLSearchParams): Promise<Response> {
  const { inboxPreferences } = context.store;
  const form = await requireForm(context.store, param('formId'), team.id);
  const { id } = form;
  const layout = INBOX_LAYOUTS.find((layout) => layout === input.get('layout')) ?? 'list';
  const names = await fieldNames(context, form);
  const picked = names.filter((name) => input.getAll('column').includes(name));
  // Only a table has a column picker next to the layout buttons.
  const columns = input.has('picks') ? picked : ((await inboxPreferences.findLayout(user.id, id))?.columns ?? []);
  await inboxPreferences.setLayout(user.id, id, { layout, columns });
  const list = readPostedList(input, id);
  return redirectTo(listAddress({ ...list, in: id, ...(layout === 'list' && { sort: '' }) }));
}

export async function createView({ context, user, team }: ReadPage, form: URLSearchParams): Promise<Response> {
  const list = readPostedList(form, 'inbox');
  const name = (form.get('name') ?? '').trim();
  if (name === '') return redirectTo(listAddress(list, { done: 'noName' }));
  const view = { name, query: listQuery(list), isTab: form.has('tab') };
  const isSaved = await saveView(context, { userId: user.id, teamId: team.id }, view);
  return redirectTo(listAddress(list, { done: isSaved ? 'viewSaved' : 'tooManyViews' }));
}

export async function deleteView({ context, user, team, param }: ReadPage, form: URLSearchParams): Promise<Response> {
  const list = readPostedList(form, 'inbox');
  const isDeleted = await context.store.inboxPreferences.deleteView(param('viewId'), user.id, team.id);
  if (!isDeleted) throw new AppError('not_found', 'There is no such saved view.');
  return redirectTo(listAddress(list, { done: 'viewDeleted' }));
}
