import type { Context } from '../../../context/context.ts';
import { invalidInput } from '../../../domain/errors.ts';
import { deleteTrashedForm } from '../../../services/forms/form-trash.ts';
import { duplicateForm, formNotFound, moveForm, requireForm } from '../../../services/forms/forms.ts';
import { action, type DashboardRoute, type PageContext, redirectTo } from '../../page.ts';

/** The time that a request deletes submissions of a form. The retention job deletes the others. */
const DELETION_MS = 2_000;
const LONGEST_NAME = 200;

type Page = PageContext<'edit'>;

/** Actions on a whole form, from its menu and its settings. */
export function formActionRoutes(context: Context): readonly DashboardRoute[] {
  const { store, clock, config } = context;
  const deps = { ...context, plans: config.plans };

  const find = ({ param, team }: Page) => requireForm(store, param('formId'), team.id);
  const listed = (done: string, more: Readonly<Record<string, string>> = {}) =>
    redirectTo(`/dashboard/forms?${new URLSearchParams({ done, ...more })}`);

  const trash = async ({ param, team }: Page) => {
    const id = param('formId');
    if (!(await store.trash.moveForm(id, team.id, clock()))) formNotFound();
    return listed('trashed', { form: id });
  };

  const restore = async ({ param, team }: Page) => {
    if (!(await store.trash.moveForm(param('formId'), team.id, null))) formNotFound();
    return listed('restored');
  };

  const remove = async ({ param, team }: Page) => {
    const id = param('formId');
    const trashed = await store.forms.list(team.id, 'trashed');
    if (!trashed.some((form) => form.id === id)) formNotFound();
    const isDeleted = await deleteTrashedForm(context, id, team.id, AbortSignal.timeout(DELETION_MS));
    return redirectTo(`/dashboard/forms/trash?done=${isDeleted ? 'deleted' : 'deleting'}`);
  };

  const duplicate = async (page: Page) => {
    const form = await find(page);
    const name = [...page.viewer.texts.forms.copyOf(form.name)].slice(0, LONGEST_NAME).join('');
    const copy = await duplicateForm(deps, form, name);
    page.note({ form_id: copy.id, workspace_id: copy.workspaceId });
    return redirectTo(`/dashboard/forms/${copy.id}?done=duplicated`);
  };

  const archive = async (page: Page) => {
    const form = await find(page);
    await store.forms.update(form.id, { archivedAt: form.archivedAt ?? clock() }, page.team.id);
    page.note({ settings: 'archivedAt' });
    return listed('archived', { form: form.id, ...(!form.isActive && { paused: 'yes' }) });
  };

  /** Activates the form, unless the undo restores one that was paused before. */
  const unarchive = async (page: Page, input: URLSearchParams) => {
    const form = await find(page);
    const isActive = form.archivedAt === null ? form.isActive : input.get('paused') !== 'yes';
    await store.forms.update(form.id, { isActive, archivedAt: null }, page.team.id);
    page.note({ settings: 'archivedAt' });
    return listed('unarchived');
  };

  const move = async (page: Page, input: URLSearchParams) => {
    const form = await find(page);
    const workspaceId = input.get('workspace') ?? '';
    if (workspaceId === '') throw invalidInput('The field "workspace" is missing.');
    await moveForm({ store }, form, workspaceId);
    page.note({ workspace_id: workspaceId });
    return listed('moved');
  };

  const path = '/dashboard/forms/:formId';
  return [
    action(`${path}/trash`, { access: 'edit', audit: 'form.trashed' }, trash),
    action(`${path}/restore`, { access: 'edit', audit: 'form.restored' }, restore),
    action(`${path}/delete`, { access: 'manage', audit: 'form.deleted' }, remove),
    action(`${path}/duplicate`, { access: 'edit', audit: 'form.created' }, duplicate),
    action(`${path}/archive`, { access: 'edit', audit: 'form.changed' }, archive),
    action(`${path}/unarchive`, { access: 'edit', audit: 'form.changed' }, unarchive),
    action(`${path}/move`, { access: 'edit', audit: 'form.changed' }, move),
  ];
}
