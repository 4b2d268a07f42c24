/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { SharedContext } from '../../../context/server-context.ts';
import { parseFields } from '../../../domain/fields/parse-fields.ts';
import { HTML_LIMITS, readHtmlFields } from '../../../domain/fields/read-html.ts';
import { TEMPLATE_NAMES, templateFields } from '../../../domain/forms/form-templates.ts';
import { parseName, type Workspace } from '../../../domain/teams/team.ts';
import { createForm } from '../../../services/forms/forms.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo, withAssets } from '../../page.ts';
import { featureAssets } from '../../ui/assets.ts';
import { LinkLine } from '../../ui/elements.tsx';
import { CheckInput, LineInput, SelectInput, TextInput } from '../../ui/form-inputs.tsx';
import { parseInput } from '../../ui/parse-input.ts';
import type { Viewer } from '../../viewer.ts';
import { FORMS_TEXTS } from '../list/texts.ts';
import style from './style.css' with { type: 'text' };
import { NEW_FORM_TEXTS } from './texts.ts';

const ASSETS = featureAssets('new-form', style);
const PATH = '/dashboard/forms/new';

/** Creates forms from templates. */
export function newFormRoutes({ config }: SharedContext): readonly DashboardRoute[] {
  const newFormPage = async (
    { context: { store }, viewer, team }: PageContext<'edit'>,
    input: Input,
    errors: Errors = {},
  ): Promise<Page | Response> => {
    const workspaces = await store.workspaces.list(team.id);
    if (workspaces.length === 0) return redirectTo('/dashboard/forms');
    return {
      title: FORMS_TEXTS[viewer.language].new,
      section: 'forms',
      status: Object.keys(errors).length > 0 ? 400 : 200,
      body: <NewFormView viewer={viewer} workspaces={workspaces} input={input} errors={errors} />,
    };
  };

  const create = async (page: PageContext<'edit'>, form: URLSearchParams): Promise<Page | Response> => {
    const { context, viewer, team } = page;
    const { texts, timeZone } = viewer;
    const input = getInput(form);
    const workspace = await context.store.workspaces.find(input.workspace);
    const isOwn = workspace?.teamId === team.id;
    const name = parseInput(texts, () => parseName(input.name));
    const isTooLong = Buffer.byteLength(input.html) > HTML_LIMITS.kib * 1024;
    const html = isTooLong ? [] : readHtmlFields(input.html);
    const read = parseInput(texts, () => parseFields(JSON.stringify(html)));
    const errors = {
      ...('error' in name && { name: name.error }),
      ...(!isOwn && { workspace: NEW_FORM_TEXTS[viewer.language].workspaceError }),
      ...(input.html.trim() !== '' &&
        (html.length === 0 || 'error' in read) && { html: NEW_FORM_TEXTS[viewer.language].htmlError }),
    };
    if (!isOwn || Object.keys(errors).length > 0) {
      page.note({}, { action: null });
      return newFormPage(page, input, errors);
    }
    const fields = html.length > 0 ? html : templateFields(input.template, texts.templates.labels);
    const maybeSpamAction = input.isInBrowser ? 'challenge' : 'deliver';
    const created = await createForm(
      { ...context, plans: config.plans },
      { workspaceId: workspace.id, name: input.name, fields, timeZone, maybeSpamAction },
    );
    page.note({ form_id: created.id, workspace_id: workspace.id });
    return redirectTo(`/dashboard/forms/${created.id}/connect?done=created`);
  };

  return withAssets(ASSETS, [
    page(PATH, { access: 'edit' }, (page) => {
      const workspace = page.query.get('workspace') ?? '';
      return newFormPage(page, { name: '', workspace, template: 'contact', isInBrowser: true, html: '' });
    }),
    action(PATH, { access: 'edit', audit: 'form.created' }, create),
  ]);
}

function getInput(form: URLSearchParams) {
  return {
    name: form.get('name') ?? '',
    workspace: form.get('workspace') ?? '',
    template: TEMPLATE_NAMES.find((template) => template === form.get('template')) ?? 'blank',
    isInBrowser: form.has('isInBrowser'),
    html: form.get('html') ?? '',
  };
}

type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** Values of the inputs; `workspace` is an id. */
type Input = Readonly<ReturnType<typeof getInput>>;

type Errors = Readonly<Partial<Record<'name' | 'workspace' | 'html', string>>>;

type Props = Readonly<{ viewer: Viewer; workspaces: readonly Workspace[]; input: Input; errors: Errors }>;

/** The form that creates a form. */
function NewFormView(props: Props) {
  const { viewer, workspaces, input, errors } = props;
  const forms = FORMS_TEXTS[viewer.language];
  const t = NEW_FORM_TEXTS[viewer.language];
  const field = (name: 'name' | 'isInBrowser' | 'html', label: string) => ({ name, label, hint: t[`${name}Hint`] });
  return (
    <>
      <LinkLine href="/dashboard/forms" text={viewer.texts.form.all} isSmall />
      <h1>{forms.new}</h1>
      <form class="new-form" method="post" action="/dashboard/forms/new">
        <div class="card">
          <LineInput
            {...field('name', t.name)}
            value={input.name}
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
          <CheckInput {...field('isInBrowser', t.isInBrowser)} value={input.isInBrowser ? 'yes' : ''} />
          <details open={input.html !== ''}>
            <summary>{t.html}</summary>
            <TextInput {...field('html', t.htmlLabel)} value={input.html} error={errors.html} rows={8} />
          </details>
          <button>{forms.new}</button>
        </div>
        <div class="sketches" aria-hidden="true">
          {TEMPLATE_NAMES.map((template) => (
            <Sketch viewer={viewer} template={template} />
          ))}
        </div>
      </form>
    </>
  );
}

function Templates({ viewer, input }: Props) {
  const t = NEW_FORM_TEXTS[viewer.language];
  const { templates } = viewer.texts;
  const getHint = (template: TemplateName) => {
    const labels = templateFields(template, templates.labels).map(({ label }) => label);
    return labels.length > 0 ? labels.join('\u00a0· ') : templates.blank;
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

/** A drawing of a template's fields. The style shows that of the chosen template. */
function Sketch({ viewer, template }: Readonly<{ viewer: Viewer; template: TemplateName }>) {
  const { templates } = viewer.texts;
  return (
    <div class={`card sketch ${template}`}>
      <p class="title">{templates.titles[template]}</p>
      {templateFields(template, templates.labels).map(({ label, type, options = [] }) => (
        <p class={`as-${type}`}>
          {label}
          {options.length > 0 ? (
            options.map((option) => <span class="option">{option}</span>)
          ) : (
            <span>{type === 'rating' && '★★★★★'}</span>
          )}
        </p>
      ))}
      {template === 'blank' ? (
        <p class="soft">{templates.blank}</p>
      ) : (
        <p class="send">{NEW_FORM_TEXTS[viewer.language].send}</p>
      )}
    </div>
  );
}
