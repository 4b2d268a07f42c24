import { Elysia, t } from 'elysia';
import type { Context } from '../../context.ts';
import type { Form, FormChanges } from '../../domain/form.ts';
import { parseSetting } from '../../domain/form-settings.ts';
import { parseName } from '../../domain/team.ts';
import type { BodyMemory } from '../../http/body-memory.ts';
import { strictObject, success, withMessage } from '../../http/envelope.ts';
import { FormParams } from '../../http/params.ts';
import { formatTime } from '../../lib/clock.ts';
import { createForm, formNotFound } from '../../services/forms.ts';
import { requireForm, requireTrashedForm } from './find-form.ts';
import { jsonInput } from './json-input.ts';
import type { KeyGuard } from './key-guard.ts';
import {
  changeFormOperation,
  createFormOperation,
  deleteFormOperation,
  listFormsOperation,
  readFormOperation,
  restoreFormOperation,
} from './openapi/management-operations.ts';
import { requireWorkspace } from './workspaces.ts';

const NAME_MESSAGE = 'name must be a string of 1 to 200 characters.';

const FormPatch = strictObject(
  {
    name: t.Optional(
      withMessage(
        t.String({ description: 'New name, 1 to 200 characters. Leading and trailing spaces are removed.' }),
        NAME_MESSAGE,
      ),
    ),
    isActive: t.Optional(
      withMessage(
        t.Boolean({ description: '`false` pauses the form, `true` resumes it.' }),
        'isActive must be true or false.',
      ),
    ),
  },
  { name: 'Contact', isActive: false },
);

const NewForm = strictObject(
  {
    name: withMessage(
      t.String({ description: 'Name, 1 to 200 characters. Leading and trailing spaces are removed.' }),
      NAME_MESSAGE,
    ),
    workspace_id: withMessage(
      t.String({ description: 'The ID of the workspace of the new form.' }),
      'workspace_id must be the ID of a workspace.',
    ),
    redirect_url: t.Optional(
      withMessage(
        t.String({ description: 'An http or https URL that visitors are redirected to after a submission.' }),
        'redirect_url must be a URL.',
      ),
    ),
  },
  { name: 'Contact', workspace_id: 'wsp_01a1fd5b4a6e71d29c3a5b7c9d1e3f50', redirect_url: 'https://example.com/thanks' },
);

/** Registers the routes to list, read, create, change, delete and restore forms. */
export function formRoutes(context: Context, guard: KeyGuard, bodies: BodyMemory) {
  const { store, clock, config } = context;
  return new Elysia()
    .use(guard)
    .get(
      '/v1/forms',
      async ({ teamId, allowsForm }) => {
        const forms = await store.forms.list(teamId);
        return success(forms.filter(({ id }) => allowsForm(id)).map(summary));
      },
      { detail: listFormsOperation },
    )
    .post(
      '/v1/forms',
      async ({ teamId, body, note, set }) => {
        const name = parseName(body.name);
        const settings = body.redirect_url === undefined ? {} : parseSetting('redirectUrl', body.redirect_url);
        const workspace = await requireWorkspace(store, body.workspace_id, teamId);
        const data = { ...settings, name, workspaceId: workspace.id };
        const form = await createForm({ ...context, plans: config.plans }, data);
        note({ form_id: form.id, workspace_id: workspace.id });
        set.status = 201;
        return success(detail(form));
      },
      { detail: createFormOperation, body: NewForm, ...jsonInput(bodies) },
    )
    .get(
      '/v1/forms/:formId',
      async ({ teamId, params }) => success(detail(await requireForm(store, params.formId, teamId))),
      { detail: readFormOperation, params: FormParams },
    )
    .patch(
      '/v1/forms/:formId',
      async ({ teamId, params, body, note }) => {
        const changes = changesOf(body);
        const { id } = await requireForm(store, params.formId, teamId);
        const form = (await store.forms.update(id, changes, teamId)) ?? formNotFound();
        note({ form_id: id, settings: Object.keys(changes).join(', ') });
        return success({ id, name: form.name, is_active: form.isActive });
      },
      { detail: changeFormOperation, params: FormParams, body: FormPatch, ...jsonInput(bodies) },
    )
    .delete(
      '/v1/forms/:formId',
      async ({ teamId, params, note }) => {
        const { id } = await requireForm(store, params.formId, teamId);
        if (!(await store.trash.moveForm(id, teamId, clock()))) formNotFound();
        note({ form_id: id });
        return success({ id, deleted: true });
      },
      { detail: deleteFormOperation, params: FormParams },
    )
    .post(
      '/v1/forms/:formId/restore',
      async ({ teamId, params, note }) => {
        const form = await requireTrashedForm(store, params.formId, teamId);
        if (!(await store.trash.moveForm(form.id, teamId, null))) formNotFound();
        note({ form_id: form.id });
        return success(detail(form));
      },
      { detail: restoreFormOperation, params: FormParams },
    );
}

function summary({ id, name, shortId, createdAt }: Form) {
  return { id, name, short_id: shortId, created_at: formatTime(createdAt) };
}

function detail(form: Form) {
  return { ...summary(form), is_active: form.isActive, fields: form.fields };
}

function changesOf({ name, isActive }: { name?: string; isActive?: boolean }): FormChanges {
  return { ...(name !== undefined && { name: parseName(name) }), ...(isActive !== undefined && { isActive }) };
}
