import { type Static, Type } from '@sinclair/typebox';
import { noSuch } from '../domain/errors.ts';
import { FieldSchema } from '../domain/fields/field-types.ts';
import type { Form } from '../domain/forms/form.ts';
import { parseSetting } from '../domain/forms/form-settings.ts';
import { parseName } from '../domain/teams/team.ts';
import { formatTime } from '../lib/clock.ts';
import { noun, Time } from '../lib/schema.ts';
import { createForm } from '../services/forms/forms.ts';
import { requireForm, requireTrashedForm, requireWorkspace } from './find.ts';
import { flag, nameText, optional, strictObject, withMessage } from './input.ts';
import { operation } from './operation.ts';
import { Deleted, FORM_ID, serializeDeleted } from './shared-schemas.ts';

const FormOutput = noun('Form', {
  id: Type.String({ examples: [FORM_ID] }),
  name: Type.String({ minLength: 1, maxLength: 200, example: 'Contact' }),
  short_id: Type.String({
    pattern: '^[2-9a-hjkmnp-z]{8}$',
    description: 'A short ID that the public endpoints also accept.',
    example: '7437krmt',
  }),
  created_at: Time,
});

const FormDetail = noun('FormDetail', {
  ...FormOutput.properties,
  is_active: Type.Boolean({
    description: 'True if the form accepts submissions, false while it is paused.',
    example: true,
  }),
  fields: Type.Array(FieldSchema, { description: 'The configured fields in display order.', example: [] }),
});

const ChangedForm = noun('ChangedForm', {
  id: Type.String({ example: FORM_ID }),
  name: Type.String({ example: 'Contact' }),
  is_active: Type.Boolean(),
});

function serializeForm({ id, name, shortId, createdAt }: Form): Static<typeof FormOutput> {
  return { id, name, short_id: shortId, created_at: formatTime(createdAt) };
}

function serializeDetail(form: Form): Static<typeof FormDetail> {
  return { ...serializeForm(form), is_active: form.isActive, fields: [...form.fields] };
}

export const formOperations = [
  operation('GET', '/v1/forms', {
    id: 'listForms',
    summary: 'List forms',
    description: 'Returns all forms of the team, sorted by creation time, oldest first.',
    limitedKeys: 'open',
    output: Type.Array(FormOutput),
    run: async ({ context, teamId, allowsForm }) => {
      const forms = await context.store.forms.list(teamId);
      return forms.filter(({ id }) => allowsForm(id)).map(serializeForm);
    },
  }),
  operation('POST', '/v1/forms', {
    id: 'createForm',
    summary: 'Create a form',
    description:
      'Creates a form without configured fields, so it accepts any. Fields can be configured in the dashboard or with a command.',
    audit: 'form.created',
    creates: true,
    body: strictObject({
      name: nameText('Name', 'Contact'),
      workspace_id: withMessage(
        Type.String({
          description: 'The ID of the workspace of the new form.',
          example: 'wsp_01a1fd5b4a6e71d29c3a5b7c9d1e3f50',
        }),
        'workspace_id must be the ID of a workspace.',
      ),
      redirect_url: optional(
        Type.String({
          description: 'An http or https URL that visitors are redirected to after a submission.',
          example: 'https://example.com/thanks',
        }),
        'redirect_url must be a URL.',
      ),
    }),
    output: FormDetail,
    errors: ['not_found'],
    run: async ({ context, teamId, body, note }) => {
      const name = parseName(body.name);
      const settings = body.redirect_url === undefined ? {} : parseSetting('redirectUrl', body.redirect_url);
      const workspace = await requireWorkspace(context.store, body.workspace_id, teamId);
      const data = { ...settings, name, workspaceId: workspace.id };
      const form = await createForm({ ...context, plans: context.config.plans }, data);
      note({ form_id: form.id, workspace_id: workspace.id });
      return serializeDetail(form);
    },
  }),
  operation('GET', '/v1/forms/:formId', {
    id: 'readForm',
    summary: 'Retrieve a form',
    description: 'Returns a form with the configuration of its fields.',
    output: FormDetail,
    example: { fields: [{ name: 'email', label: 'Email', type: 'email', required: true }] },
    run: async ({ context, teamId, params }) =>
      serializeDetail(await requireForm(context.store, params.formId, teamId)),
  }),
  operation('PATCH', '/v1/forms/:formId', {
    id: 'changeForm',
    summary: 'Update a form',
    description:
      'Renames, pauses or resumes a form. Send at least one of `name` and `isActive`. A paused form does not accept submissions.',
    audit: 'form.changed',
    body: strictObject(
      {
        name: Type.Optional(nameText('New name', 'Contact')),
        isActive: flag('isActive', '`false` pauses the form, `true` resumes it.'),
      },
      { name: 'Contact', isActive: false },
    ),
    output: ChangedForm,
    run: async ({ context: { store }, teamId, params, body, note }) => {
      const changes = { ...body, ...(body.name !== undefined && { name: parseName(body.name) }) };
      const { id } = await requireForm(store, params.formId, teamId);
      const form = (await store.forms.update(id, changes, teamId)) ?? noSuch('form');
      note({ form_id: id, settings: Object.keys(changes).join(', ') });
      return { id, name: form.name, is_active: form.isActive };
    },
  }),
  operation('DELETE', '/v1/forms/:formId', {
    id: 'deleteForm',
    summary: 'Delete a form',
    description:
      'Moves a form with its submissions to the trash. Its endpoint then answers 404. It can be restored for 30 days.',
    audit: 'form.trashed',
    output: Deleted,
    example: { id: FORM_ID },
    run: async ({ context: { store, clock }, teamId, params, note }) => {
      const { id } = await requireForm(store, params.formId, teamId);
      if (!(await store.trash.moveForm(id, teamId, clock()))) noSuch('form');
      note({ form_id: id });
      return serializeDeleted(id);
    },
  }),
  operation('POST', '/v1/forms/:formId/restore', {
    id: 'restoreForm',
    summary: 'Restore a form',
    description: 'Takes a form with its submissions out of the trash. Returns 404 for a form that is not in the trash.',
    audit: 'form.restored',
    output: FormDetail,
    run: async ({ context: { store }, teamId, params, note }) => {
      const form = await requireTrashedForm(store, params.formId, teamId);
      if (!(await store.trash.moveForm(form.id, teamId, null))) noSuch('form');
      note({ form_id: form.id });
      return serializeDetail(form);
    },
  }),
];
