/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { TEMPLATE_NAMES, templateFields } from '../../../domain/forms/form-templates.ts';
import type { Workspace } from '../../../domain/teams/team.ts';
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
  const { viewer, workspaces, input, errors } = props;
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
        {workspaces.length === 1 && !errors.workspace ? (
          <input type="hidden" name="workspace" value={workspaces[0]?.id} />
        ) : (
          <SelectInput
            name="workspace"
            label={t.workspace}
            value={input.workspace}
            options={workspaces.map(({ id, name }) => [id, name])}
            error={errors.workspace}
          />
        )}
        <Templates {...props} />
        <button>{forms.new}</button>
      </form>
    </>
  );
}

function Templates({ viewer, input }: Props) {
  const { newForm: t, templates } = viewer.texts;
  const getHint = (template: TemplateName) => {
    const labels = templateFields(template, templates.labels).map(({ label }) => label);
    return labels.length > 0 ? labels.join(' · ') : templates.blank;
  };
  return (
    <fieldset>
      <legend>{t.template}</legend>
      <p class="hint">{t.templateHint}</p>
      <ul class="templates">
        {TEMPLATE_NAMES.map((template) => (
          <li>
            <label class="choice">
              <input type="radio" name="template" value={template} checked={template === input.template} />{' '}
              <span>
                <strong>{templates.titles[template]}</strong>
                <span class="hint">{getHint(template)}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
