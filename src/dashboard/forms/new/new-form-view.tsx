/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { TEMPLATE_NAMES, templateFields } from '../../../domain/form-templates.ts';
import type { Workspace } from '../../../domain/team.ts';
import { LinkLine } from '../../ui/elements.tsx';
import { LineInput, SelectInput } from '../../ui/form-inputs.tsx';
import type { Viewer } from '../../viewer.ts';

type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** Values of the inputs; `workspace` is an id. */
export type Input = Readonly<{ name: string; workspace: string; template: TemplateName }>;
export type Errors = Readonly<{ name?: string; workspace?: string }>;

type Props = Readonly<{ viewer: Viewer; workspaces: readonly Workspace[]; input: Input; errors: Errors }>;

/** The form that creates a form. */
export function NewFormView(props: Props) {
  const { viewer, input, errors } = props;
  const { newForm: t, forms, form } = viewer.texts;
  return (
    <>
      <LinkLine href="/dashboard/forms" text={form.all} isSmall />
      <h1>{forms.new}</h1>
      <form class="card narrow" method="post" action="/dashboard/forms/new">
        <LineInput
          name="name"
          label={t.name}
          value={input.name}
          hint={t.nameHint}
          error={errors.name}
          required
          maxlength={200}
          autofocus
        />
        <WorkspaceField {...props} />
        <Templates {...props} />
        <button>{t.create}</button>
      </form>
    </>
  );
}

/** A choice of workspace, hidden if there is only one. */
function WorkspaceField({ viewer, workspaces, input, errors }: Props) {
  const { newForm: t } = viewer.texts;
  if (workspaces.length === 1 && !errors.workspace) {
    return <input type="hidden" name="workspace" value={workspaces[0]?.id} />;
  }
  const options = workspaces.map(({ id, name }) => [id, name] as const);
  const { workspace: value } = input;
  return <SelectInput name="workspace" label={t.workspace} value={value} options={options} error={errors.workspace} />;
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
