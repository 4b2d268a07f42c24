/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { SharedContext } from '../../../context/server-context.ts';
import { invalidInput } from '../../../domain/errors.ts';
import type { Form } from '../../../domain/forms/form.ts';
import type { Markup } from '../../../lib/markup.ts';
import { deleteTrashedForm } from '../../../services/forms/form-trash.ts';
import { duplicateForm, formNotFound, moveForm } from '../../../services/forms/forms.ts';
import { action, findForm, flash, type Page, type PageContext, page, redirectTo, withAssets } from '../../page.ts';
import { featureAssets } from '../../ui/assets.ts';
import { confirmPage } from '../../ui/confirm-page.tsx';
import { submissionsText } from '../../ui/count.ts';
import { PostButton } from '../../ui/elements.tsx';
import type { Viewer } from '../../viewer.ts';
import { FormsView, SORTS, sortForms } from './forms-view.tsx';
import script from './script.js' with { type: 'text' };
import style from './style.css' with { type: 'text' };
import { FORMS_TEXTS } from './texts.ts';
import { trashRoutes } from './trash.tsx';
import { type RejectedName, workspaceRoutes } from './workspaces.tsx';

const ASSETS = featureAssets('forms', style, script);

/** The team's workspaces with their forms, the trash, and actions on whole forms and workspaces. */
export function formsRoutes(context: SharedContext) {
  const { clock } = context;

  const formsPage = async (
    { context: { store }, viewer, team, query }: PageContext<'read'>,
    rejected: RejectedName | null = null,
  ): Promise<Page> => {
    const at = clock();
    const [workspaces, all, stats] = await Promise.all([
      store.workspaces.list(team.id),
      store.forms.list(team.id, 'all'),
      store.forms.readStats(team.id, at),
    ]);
    const live = all.filter(({ trashedAt }) => trashedAt === null);
    const sort = SORTS.find((sort) => sort === query.get('sort')) ?? 'latest';
    const forms = sortForms(live, stats, sort, viewer.language);
    const trashed = all.filter(({ trashedAt }) => trashedAt !== null && trashedAt > 0).length;
    return {
      title: viewer.texts.sections.forms,
      section: 'forms',
      status: rejected ? 400 : 200,
      done: flash(FORMS_TEXTS[viewer.language].done, query),
      body: (
        <>
          <FormsView {...{ viewer, workspaces, forms, sort, stats, trashed, at, rejected }} />
          {viewer.can('edit') && undoToast(viewer, all, query)}
        </>
      ),
    };
  };

  return withAssets(ASSETS, [
    page('/dashboard/forms', { access: 'read' }, (page) => formsPage(page)),
    ...trashRoutes(),
    ...formActionRoutes(context),
    ...workspaceRoutes(context, formsPage),
  ]);
}

/** Returns the message after a form was archived or moved to the trash, unless that was undone since. */
function undoToast(viewer: Viewer, forms: readonly Form[], query: URLSearchParams): Markup | null {
  const t = FORMS_TEXTS[viewer.language];
  const form = forms.find(({ id }) => id === query.get('form'));
  if (!form) return null;
  const path = `/dashboard/forms/${form.id}`;
  const done = query.get('done');
  if (done === 'trashed' && form.trashedAt !== null) return toast(viewer, t.trashed(form.name), `${path}/restore`);
  if (done !== 'archived' || form.archivedAt === null) return null;
  const fields = query.get('paused') === 'yes' ? { paused: 'yes' } : {};
  return toast(viewer, t.archivedToast(form.name), `${path}/unarchive`, fields);
}

/** Returns a message after an action, with a button that undoes it by the action `undo` with hidden inputs. */
function toast(viewer: Viewer, text: string, undo: string, fields: Readonly<Record<string, string>> = {}) {
  return (
    <div class="toast" role="status">
      <span>{text}</span>
      <PostButton action={undo} text={viewer.texts.common.undo} style="main" fields={fields} />
    </div>
  );
}

/** The time that a request deletes submissions of a form. The retention job deletes the others. */
const DELETION_MS = 2_000;
const LONGEST_NAME = 200;

type EditPage = PageContext<'edit'>;

/** Actions on a whole form, from its menu and its settings. */
function formActionRoutes({ clock, config }: SharedContext) {
  const listed = (done: string, more: Readonly<Record<string, string>> = {}) =>
    redirectTo(`/dashboard/forms?${new URLSearchParams({ done, ...more })}`);

  /** Asks first if visitors used the form in the last 30 days: its address stops working at once. */
  const trash = async (page: EditPage, input: URLSearchParams) => {
    const { id, name } = await findForm(page);
    const { store } = page.context;
    const days = input.has('confirmed') ? [] : await store.forms.countDays(id, clock(), 30);
    const recent = days.reduce((sum, { genuine, spam }) => sum + genuine + spam, 0);
    if (recent > 0) {
      page.note({}, { action: null });
      const t = FORMS_TEXTS[page.viewer.language];
      return confirmPage(page.viewer, 'forms', {
        title: t.trashTitle(name),
        text: t.trashText(submissionsText(page.viewer, recent)),
        action: `/dashboard/forms/${id}/trash`,
        button: t.actions.trash,
        fields: <input type="hidden" name="confirmed" value="yes" />,
        cancel: `/dashboard/forms/${id}`,
      });
    }
    if (!(await store.trash.moveForm(id, page.team.id, clock()))) formNotFound();
    return listed('trashed', { form: id });
  };

  const restore = async ({ context, param, team }: EditPage) => {
    if (!(await context.store.trash.moveForm(param('formId'), team.id, null))) formNotFound();
    return listed('restored');
  };

  const remove = async ({ context, param, team }: EditPage) => {
    const id = param('formId');
    const trashed = await context.store.forms.list(team.id, 'trashed');
    if (!trashed.some((form) => form.id === id)) formNotFound();
    const isDeleted = await deleteTrashedForm(context, id, team.id, AbortSignal.timeout(DELETION_MS));
    return redirectTo(`/dashboard/forms/trash?done=${isDeleted ? 'deleted' : 'deleting'}`);
  };

  const duplicate = async (page: EditPage) => {
    const form = await findForm(page);
    const name = [...FORMS_TEXTS[page.viewer.language].copyOf(form.name)].slice(0, LONGEST_NAME).join('');
    const copy = await duplicateForm({ ...page.context, plans: config.plans }, form, name);
    page.note({ form_id: copy.id, workspace_id: copy.workspaceId });
    return redirectTo(`/dashboard/forms/${copy.id}?done=duplicated`);
  };

  const archive = async (page: EditPage) => {
    const form = await findForm(page);
    await page.context.store.forms.update(form.id, { archivedAt: form.archivedAt ?? clock() }, page.team.id);
    page.note({ settings: 'archivedAt' });
    return listed('archived', { form: form.id, ...(!form.isActive && { paused: 'yes' }) });
  };

  /** Activates the form, unless the undo restores one that was paused before. */
  const unarchive = async (page: EditPage, input: URLSearchParams) => {
    const form = await findForm(page);
    const isActive = form.archivedAt === null ? form.isActive : input.get('paused') !== 'yes';
    await page.context.store.forms.update(form.id, { isActive, archivedAt: null }, page.team.id);
    page.note({ settings: 'archivedAt' });
    return listed('unarchived');
  };

  const move = async (page: EditPage, input: URLSearchParams) => {
    const form = await findForm(page);
    const workspaceId = input.get('workspace') ?? '';
    if (workspaceId === '') throw invalidInput('The field "workspace" is missing.');
    await moveForm(page.context, form, workspaceId);
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
