import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Webhook } from '../../domain/webhook.ts';
import type { BodyMemory } from '../../http/body-memory.ts';
import { success } from '../../http/envelope.ts';
import { FormParams, WebhookParams } from '../../http/params.ts';
import { formatTime } from '../../lib/clock.ts';
import { readSettings } from '../../services/read-webhook.ts';
import { createWebhook, updateWebhook } from '../../services/webhooks.ts';
import { requireForm } from './find-form.ts';
import { jsonInput } from './json-input.ts';
import type { KeyGuard } from './key-guard.ts';
import {
  changeWebhookOperation,
  createWebhookOperation,
  deleteWebhookOperation,
  listWebhooksOperation,
  readWebhookOperation,
} from './openapi/webhook-operations.ts';
import { NewWebhook, WebhookPatch, webhookInputOf } from './webhook-input.ts';

/** Registers the routes to list, create, read, change and delete webhooks. */
export function webhookRoutes(context: Context, guard: KeyGuard, bodies: BodyMemory) {
  const { store } = context;
  const find = webhookFinder(context);
  return new Elysia()
    .use(guard)
    .get(
      '/v1/forms/:formId/webhooks',
      async ({ teamId, params }) => {
        const { id } = await requireForm(store, params.formId, teamId);
        return success((await store.webhooks.list(id)).map((webhook) => serializeWebhook(context, webhook)));
      },
      { detail: listWebhooksOperation, params: FormParams },
    )
    .post(
      '/v1/forms/:formId/webhooks',
      async ({ teamId, key, params, body, note, set }) => {
        const input = webhookInputOf(body);
        const { id } = await requireForm(store, params.formId, teamId);
        const { webhook, secret } = await createWebhook(context, id, body.kind ?? 'standard', input, key.id);
        note({ form_id: id, webhook_id: webhook.id });
        set.status = 201;
        return success({ ...serializeWebhook(context, webhook), ...(secret !== null && { secret }) });
      },
      { detail: createWebhookOperation, params: FormParams, body: NewWebhook, ...jsonInput(bodies) },
    )
    .get(
      '/v1/webhooks/:webhookId',
      async ({ teamId, params }) => success(serializeWebhook(context, await find.webhook(params.webhookId, teamId))),
      { detail: readWebhookOperation, params: WebhookParams },
    )
    .patch(
      '/v1/webhooks/:webhookId',
      async ({ teamId, key, params, body, note }) => {
        const input = webhookInputOf(body);
        const { id } = await find.intact(params.webhookId, teamId);
        const webhook = (await updateWebhook(context, id, input, teamId, key.id)) ?? webhookNotFound();
        if (input.isActive) context.webhooks.wake();
        note({ settings: Object.keys(input).join(', ') });
        return success(serializeWebhook(context, webhook));
      },
      { detail: changeWebhookOperation, params: WebhookParams, body: WebhookPatch, ...jsonInput(bodies) },
    )
    .delete(
      '/v1/webhooks/:webhookId',
      async ({ teamId, params }) => {
        const { id } = await find.webhook(params.webhookId, teamId);
        if (!(await store.webhooks.delete(id, teamId))) webhookNotFound();
        return success({ id, deleted: true });
      },
      { detail: deleteWebhookOperation, params: WebhookParams },
    );
}

/** Returns functions that find the webhook of a path. They throw `not_found` if the team has no such webhook. */
export function webhookFinder({ store, vault, log }: Pick<Context, 'store' | 'vault' | 'log'>) {
  const webhook = async (id: string, teamId: string): Promise<Webhook> => {
    const found = await store.webhooks.find(id, teamId);
    // The webhooks of a form in the trash are not found either.
    return found && (await store.forms.find(found.formId, teamId)) ? found : webhookNotFound();
  };
  /** Finds a webhook with readable settings. */
  const intact = async (id: string, teamId: string): Promise<Webhook> => {
    const found = await webhook(id, teamId);
    if (readSettings(vault, log, found)) return found;
    throw new AppError('not_found', 'The settings of this webhook are damaged. Delete it and create a new one.');
  };
  return { webhook, intact };
}

/** Returns a webhook without secrets: of the URL only the host, of headers only the names. */
function serializeWebhook({ vault, log }: Pick<Context, 'vault' | 'log'>, webhook: Webhook) {
  const { id, formId, kind, events, body, includeSpam, when, isActive, disabledReason, failingSince } = webhook;
  const settings = readSettings(vault, log, webhook);
  return {
    id,
    form_id: formId,
    kind,
    host: settings?.host || null,
    header_names: settings?.headerNames ?? [],
    events,
    body,
    include_spam: includeSpam,
    when,
    is_active: isActive,
    disabled_reason: disabledReason,
    failing_since: failingSince === null ? null : formatTime(failingSince),
    created_at: formatTime(webhook.createdAt),
  };
}

/** Throws the error for an unknown webhook. */
export function webhookNotFound(): never {
  throw new AppError('not_found', 'There is no such webhook in this team.');
}
