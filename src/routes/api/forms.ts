import { Elysia, t } from 'elysia';
import type { Context } from '../../context.ts';
import type { Form, FormChanges } from '../../domain/form.ts';
import { parseName } from '../../domain/team.ts';
import type { BodyMemory } from '../../http/body-memory.ts';
import { strictObject, success, withMessage } from '../../http/envelope.ts';
import { readJson } from '../../http/json-body.ts';
import { FormParams } from '../../http/params.ts';
import { formatTime } from '../../lib/clock.ts';
import { formNotFound, requireForm } from '../../services/forms.ts';
import type { KeyGuard } from './key-guard.ts';
import { changeFormOperation, listFormsOperation, readFormOperation } from './openapi/management-operations.ts';

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

/** Registers the routes to list, read, rename, pause and resume forms. */
export function formRoutes(context: Context, guard: KeyGuard, bodies: BodyMemory) {
  const { store } = context;
  return new Elysia()
    .use(guard)
    .get('/v1/forms', async ({ teamId }) => success((await store.listForms(teamId)).map(summary)), {
      detail: listFormsOperation,
    })
    .get(
      '/v1/forms/:formId',
      async ({ teamId, params }) => {
        const form = await requireForm(store, params.formId, teamId);
        return success({ ...summary(form), is_active: form.isActive, fields: form.fields });
      },
      { detail: readFormOperation, params: FormParams },
    )
    .patch(
      '/v1/forms/:formId',
      async ({ teamId, params, body, note }) => {
        const changes = changesOf(body);
        const form = (await store.updateForm(params.formId, changes, teamId)) ?? formNotFound();
        note({ settings: Object.keys(changes).join(', ') });
        return success({ id: form.id, name: form.name, is_active: form.isActive });
      },
      {
        detail: changeFormOperation,
        params: FormParams,
        body: FormPatch,
        // The framework parses before the key is checked, so the body is read in `transform`, after the guard.
        parse: () => null,
        transform: async (request) => {
          const body = await bodies.lend(request.key.id, (reserve) => readJson(request.request, reserve));
          request.body = body as typeof request.body;
          await request.requireValidKey();
        },
      },
    );
}

function summary({ id, name, shortId, createdAt }: Form) {
  return { id, name, short_id: shortId, created_at: formatTime(createdAt) };
}

function changesOf({ name, isActive }: { name?: string; isActive?: boolean }): FormChanges {
  return { ...(name !== undefined && { name: parseName(name) }), ...(isActive !== undefined && { isActive }) };
}
