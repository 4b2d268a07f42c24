/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import { TEMPLATE_NAMES, templateFields } from '../../../domain/forms/form-templates.ts';
import { parseName } from '../../../domain/teams/team.ts';
import { createForm } from '../../../services/forms/forms.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import { parseInput } from '../../ui/parse-input.ts';
import { type Errors, type Input, NewFormView } from './new-form-view.tsx';

const PATH = '/dashboard/forms/new';

/** Creates forms from templates. */
export function newFormRoutes(context: Context): readonly DashboardRoute[] {
  const { store, config } = context;

  const newFormPage = async (
    { viewer, team }: PageContext<'edit'>,
    input: Input,
    errors: Errors = {},
  ): Promise<Page | Response> => {
    const workspaces = await store.workspaces.list(team.id);
    if (workspaces.length === 0) return redirectTo('/dashboard/forms');
    return {
      title: viewer.texts.forms.new,
      section: 'forms',
      status: Object.keys(errors).length > 0 ? 400 : 200,
      body: <NewFormView viewer={viewer} workspaces={workspaces} input={input} errors={errors} />,
    };
  };

  const create = async (page: PageContext<'edit'>, form: URLSearchParams): Promise<Page | Response> => {
    const { viewer, team } = page;
    const { texts, timeZone } = viewer;
    const input = getInput(form);
    const workspace = await store.workspaces.find(input.workspace);
    const isOwn = workspace?.teamId === team.id;
    const name = parseInput(texts, () => parseName(input.name));
    const errors = {
      ...('error' in name && { name: name.error }),
      ...(!isOwn && { workspace: texts.newForm.workspaceError }),
    };
    if (!isOwn || Object.keys(errors).length > 0) {
      page.note({}, { action: null });
      return newFormPage(page, input, errors);
    }
    const fields = templateFields(input.template, texts.templates.labels);
    const created = await createForm(
      { ...context, plans: config.plans },
      { workspaceId: workspace.id, name: input.name, fields, timeZone },
    );
    page.note({ form_id: created.id, workspace_id: workspace.id });
    return redirectTo(`/dashboard/forms/${created.id}/connect?done=created`);
  };

  return [
    page(PATH, { access: 'edit' }, (page) => {
      return newFormPage(page, { name: '', workspace: page.query.get('workspace') ?? '', template: 'contact' });
    }),
    action(PATH, { access: 'edit', audit: 'form.created' }, create),
  ];
}

function getInput(form: URLSearchParams): Input {
  return {
    name: form.get('name') ?? '',
    workspace: form.get('workspace') ?? '',
    template: TEMPLATE_NAMES.find((template) => template === form.get('template')) ?? 'blank',
  };
}
