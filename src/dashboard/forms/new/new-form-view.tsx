/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { TEMPLATE_NAMES, templateFields } from '../../../domain/form-templates.ts';
import type { Workspace } from '../../../domain/team.ts';
import type { Viewer } from '../../viewer.ts';

type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** Values of the inputs; `workspace` is an id. */
export type Input = Readonly<{ name: string; workspace: string; template: TemplateName }>;
export type Errors = Readonly<{ name?: string; workspace?: string }>;

type Props = Readonly<{ viewer: Viewer; workspaces: readonly Workspace[]; input: Input; errors: Errors }>;

/** The form that creates a form. */
export function NewFormView(props: Props) {
  const { newForm: t, forms, form } = props.viewer.texts;
  return (
    <>
      <p class="small">
        <a href="/dashboard/forms">{form.all}</a>
      </p>
      <h1>{forms.new}</h1>
      <form class="card narrow" method="post" action="/dashboard/forms/new">
        <NameField {...props} />
        <WorkspaceField {...props} />
        <Templates {...props} />
        <button>{t.create}</button>
      </form>
    </>
  );
}

function NameField({ viewer, input, errors }: Props) {
  const { newForm: t } = viewer.texts;
  return (
    <div class="field">
      <label for="name">{t.name}</label>{' '}
      <input
        id="name"
        name="name"
        value={input.name}
        required
        maxlength={200}
        autocomplete="off"
        autofocus
        aria-describedby={errors.name ? 'name-hint name-error' : 'name-hint'}
        aria-invalid={errors.name ? 'true' : undefined}
      />{' '}
      <span class="hint" id="name-hint">
        {t.nameHint}
      </span>
      <FieldError id="name-error" error={errors.name} />
    </div>
  );
}

/** A choice of workspace, hidden if there is only one. */
function WorkspaceField({ viewer, workspaces, input, errors }: Props) {
  const { newForm: t } = viewer.texts;
  if (workspaces.length === 1 && !errors.workspace) {
    return <input type="hidden" name="workspace" value={workspaces[0]?.id} />;
  }
  return (
    <div class="field">
      <label for="workspace">{t.workspace}</label>{' '}
      <select
        id="workspace"
        name="workspace"
        aria-invalid={errors.workspace ? 'true' : undefined}
        aria-describedby={errors.workspace ? 'workspace-error' : undefined}
      >
        {workspaces.map(({ id, name }) => (
          <option value={id} selected={id === input.workspace}>
            {name}
          </option>
        ))}
      </select>
      <FieldError id="workspace-error" error={errors.workspace} />
    </div>
  );
}

function FieldError({ id, error }: Readonly<{ id: string; error: string | undefined }>) {
  if (!error) return null;
  return (
    <p class="error" role="alert" id={id}>
      {error}
    </p>
  );
}

function Templates({ viewer, input }: Props) {
  const { newForm: t } = viewer.texts;
  return (
    <fieldset>
      <legend>{t.template}</legend>
      <p class="hint">{t.templateHint}</p>
      <ul class="templates">
        {TEMPLATE_NAMES.map((template) => (
          <TemplateItem viewer={viewer} template={template} isChecked={template === input.template} />
        ))}
      </ul>
    </fieldset>
  );
}

type TemplateProps = Readonly<{ viewer: Viewer; template: TemplateName; isChecked: boolean }>;

function TemplateItem({ viewer, template, isChecked }: TemplateProps) {
  const { templates: t } = viewer.texts;
  const fields = templateFields(template, t.labels).map(({ label }) => label);
  return (
    <li>
      <label class="choice">
        <input type="radio" name="template" value={template} checked={isChecked} />{' '}
        <span>
          <strong>{t.titles[template]}</strong>
          <span class="hint">{fields.length > 0 ? fields.join(' · ') : t.blank}</span>
        </span>
      </label>
    </li>
  );
}
