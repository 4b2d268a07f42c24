/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context.ts';
import { AppError } from '../../../domain/errors.ts';
import { parseName } from '../../../domain/team.ts';
import { createWorkspace } from '../../../services/teams.ts';
import { action, type DashboardRoute, type PageContext, page, redirectTo } from '../../page.ts';
import { flash } from '../../ui/flash.ts';
import type { Page } from '../../ui/layout.tsx';
import { parseInput } from '../../ui/parse-input.ts';
import { FormsView } from './forms-view.tsx';
import type { RejectedName } from './workspace-forms.tsx';

/** The team's workspaces with their forms. */
export function formsRoutes(context: Context): readonly DashboardRoute[] {
  const { store, clock, config } = context;

  const formsPage = async (
    { viewer, team, query }: PageContext<'read'>,
    rejected: RejectedName | null = null,
  ): Promise<Page> => {
    const { texts } = viewer;
    const [workspaces, forms, stats] = await Promise.all([
      store.listWorkspaces(team.id),
      store.listForms(team.id),
      store.formStats(team.id, clock()),
    ]);
    const done = { workspace: texts.forms.workspaceCreated, renamed: texts.forms.workspaceRenamed };
    return {
      title: texts.sections.forms,
      section: 'forms',
      status: rejected ? 400 : 200,
      done: flash(done, query),
      body: <FormsView viewer={viewer} workspaces={workspaces} forms={forms} stats={stats} rejected={rejected} />,
    };
  };

  const create = async (page: PageContext<'edit'>, form: URLSearchParams): Promise<Page | Response> => {
    const text = form.get('name') ?? '';
    const name = parseInput(page.viewer.texts, () => parseName(text));
    if ('error' in name) return formsPage(page, { workspaceId: null, name: text, error: name.error });
    const created = await createWorkspace({ ...context, plans: config.plans }, page.team.id, name.value);
    page.note({ workspace_id: created.id });
    return redirectTo('/dashboard/forms?done=workspace');
  };

  const rename = async (page: PageContext<'edit'>, form: URLSearchParams): Promise<Page | Response> => {
    const id = page.param('workspaceId');
    const workspace = await store.findWorkspace(id);
    if (workspace?.teamId !== page.team.id) throw new AppError('not_found', 'There is no such workspace.');
    const text = form.get('name') ?? '';
    const name = parseInput(page.viewer.texts, () => parseName(text));
    if ('error' in name) return formsPage(page, { workspaceId: id, name: text, error: name.error });
    await store.renameWorkspace(id, name.value, page.team.id);
    page.note({ settings: 'name' });
    return redirectTo('/dashboard/forms?done=renamed');
  };

  return [
    page('/dashboard/forms', { access: 'read' }, (page) => formsPage(page)),
    action('/dashboard/workspaces', { access: 'edit', audit: 'workspace.created' }, create),
    action('/dashboard/workspaces/:workspaceId', { access: 'edit', audit: 'workspace.changed' }, rename),
  ];
}
