import type { Context } from '../../../context.ts';
import { TEMPLATE_NAMES, templateFields } from '../../../domain/form-templates.ts';
import { parseName, type Workspace } from '../../../domain/team.ts';
import { type Html, html } from '../../../lib/html.ts';
import { createForm } from '../../../services/forms.ts';
import { action, type PageContext, page, redirectTo } from '../../page.ts';
import { isTaken } from '../../ui/form-inputs.ts';
import type { Page } from '../../ui/layout.tsx';
import type { Viewer } from '../../viewer.ts';

/** Making a form from a template. */
export function newFormRoutes(context: Context) {
  const { store, config } = context;

  const newFormPage = async (
    page: PageContext<'read'>,
    typed: Typed,
    faults: Faults = {},
  ): Promise<Page | Response> => {
    const { viewer, team } = page;
    const workspaces = await store.listWorkspaces(team.id);
    if (workspaces.length === 0) return redirectTo('/dashboard/forms');
    return {
      title: viewer.texts.forms.new,
      section: 'forms',
      status: Object.keys(faults).length > 0 ? 400 : 200,
      body: newFormView(viewer, workspaces, typed, faults),
    };
  };

  return [
    page('/dashboard/forms/new', { access: 'edit' }, (page) => {
      return newFormPage(page, { name: '', workspace: page.query.get('workspace') ?? '', template: 'contact' });
    }),
    action('/dashboard/forms/new', { access: 'edit', audit: 'form.created' }, async (page, sent) => {
      const { viewer, team } = page;
      const typed = {
        name: sent.get('name') ?? '',
        workspace: sent.get('workspace') ?? '',
        template: TEMPLATE_NAMES.find((known) => known === sent.get('template')) ?? 'blank',
      };
      const workspace = await store.findWorkspace(typed.workspace);
      const isOwn = workspace?.teamId === team.id;
      const faults = {
        ...(!isTaken(() => parseName(typed.name)) && { name: viewer.texts.forms.nameFault }),
        ...(!isOwn && { workspace: viewer.texts.newForm.workspaceFault }),
      };
      if (!isOwn || Object.keys(faults).length > 0) {
        page.note({}, { action: null });
        return newFormPage(page, typed, faults);
      }
      const form = await createForm(
        { ...context, plans: config.plans },
        {
          workspaceId: workspace.id,
          name: typed.name,
          fields: templateFields(typed.template, viewer.texts.templates.labels),
          timeZone: viewer.timeZone,
        },
      );
      page.note({ form_id: form.id, workspace_id: workspace.id });
      return redirectTo(`/dashboard/forms/${form.id}/connect?done=created`);
    }),
  ];
}

type Typed = Readonly<{ name: string; workspace: string; template: (typeof TEMPLATE_NAMES)[number] }>;
type Faults = Readonly<{ name?: string; workspace?: string }>;

function newFormView(viewer: Viewer, workspaces: readonly Workspace[], typed: Typed, faults: Faults): Html {
  const { newForm: words, templates, forms, form } = viewer.texts;
  const options = workspaces.map(
    ({ id, name }) => html`<option value="${id}"${id === typed.workspace ? html` selected` : ''}>${name}</option>`,
  );
  const choices = TEMPLATE_NAMES.map((template) => {
    const fields = templateFields(template, templates.labels).map(({ label }) => label);
    return html`<li><label class="choice"><input type="radio" name="template" value="${template}"${template === typed.template ? html` checked` : ''}>
<span><strong>${templates.titles[template]}</strong><span class="hint">${fields.length > 0 ? fields.join(' · ') : templates.blank}</span></span></label></li>`;
  });
  return html`<p class="small"><a href="/dashboard/forms">${form.all}</a></p>
<h1>${forms.new}</h1>
<form class="card narrow" method="post" action="/dashboard/forms/new">
<div class="field"><label for="name">${words.name}</label>
<input id="name" name="name" value="${typed.name}" required maxlength="200" autocomplete="off" autofocus aria-describedby="name-hint${faults.name ? ' name-fault' : ''}"${faults.name ? html` aria-invalid="true"` : ''}>
<span class="hint" id="name-hint">${words.nameHint}</span>
${faults.name && html`<p class="error" role="alert" id="name-fault">${faults.name}</p>`}</div>
${
  workspaces.length === 1 && !faults.workspace
    ? html`<input type="hidden" name="workspace" value="${workspaces[0]?.id}">`
    : html`<div class="field"><label for="workspace">${words.workspace}</label>
<select id="workspace" name="workspace"${faults.workspace ? html` aria-invalid="true" aria-describedby="workspace-fault"` : ''}>${options}</select>
${faults.workspace && html`<p class="error" role="alert" id="workspace-fault">${faults.workspace}</p>`}</div>`
}
<fieldset><legend>${words.template}</legend><p class="hint">${words.templateHint}</p>
<ul class="templates">${choices}</ul></fieldset>
<button>${words.create}</button></form>`;
}
