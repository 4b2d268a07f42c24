/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import type { Form } from '../../../domain/forms/form.ts';
import type { Markup } from '../../../lib/markup.ts';
import { type DashboardRoute, flash, type Page, type PageContext, page } from '../../page.ts';
import { PostButton } from '../../ui/elements.tsx';
import type { Viewer } from '../../viewer.ts';
import { formActionRoutes } from './form-actions.ts';
import { FormsView, SORTS, sortForms } from './forms-view.tsx';
import { trashRoutes } from './trash.tsx';
import { type RejectedName, workspaceRoutes } from './workspaces.tsx';

/** The team's workspaces with their forms, the trash, and actions on whole forms and workspaces. */
export function formsRoutes(context: Context): readonly DashboardRoute[] {
  const { store, clock } = context;

  const formsPage = async (
    { viewer, team, query }: PageContext<'read'>,
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
      done: flash(viewer.texts.forms.done, query),
      body: (
        <>
          <FormsView {...{ viewer, workspaces, forms, sort, stats, trashed, at, rejected }} />
          {viewer.can('edit') && undoToast(viewer, all, query)}
        </>
      ),
    };
  };

  return [
    page('/dashboard/forms', { access: 'read' }, (page) => formsPage(page)),
    ...trashRoutes(context),
    ...formActionRoutes(context),
    ...workspaceRoutes(context, formsPage),
  ];
}

/** Returns the message after a form was archived or moved to the trash, unless that was undone since. */
function undoToast(viewer: Viewer, forms: readonly Form[], query: URLSearchParams): Markup | null {
  const { forms: t } = viewer.texts;
  const form = forms.find(({ id }) => id === query.get('form'));
  if (!form) return null;
  const path = `/dashboard/forms/${form.id}`;
  const done = query.get('done');
  if (done === 'trashed' && form.trashedAt !== null) {
    return <Toast viewer={viewer} text={t.trashed(form.name)} undo={`${path}/restore`} />;
  }
  if (done !== 'archived' || form.archivedAt === null) return null;
  const fields = query.get('paused') === 'yes' ? { paused: 'yes' } : {};
  return <Toast viewer={viewer} text={t.archivedToast(form.name)} undo={`${path}/unarchive`} fields={fields} />;
}

type Props = Readonly<{
  viewer: Viewer;
  text: string;
  /** The action that undoes the reported one. */
  undo: string;
  /** Hidden inputs of the undo. */
  fields?: Readonly<Record<string, string>>;
}>;

/** A message after an action, with a button that undoes it. */
export function Toast({ viewer, text, undo, fields = {} }: Props) {
  return (
    <div class="toast" role="status">
      <span>{text}</span>
      <PostButton action={undo} text={viewer.texts.common.undo} style="main" fields={fields} />
    </div>
  );
}
