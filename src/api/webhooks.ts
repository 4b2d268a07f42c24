import { type Static, Type } from '@sinclair/typebox';
import type { Context } from '../context/context.ts';
import { WEBHOOK_KINDS } from '../delivery/targets/index.ts';
import { noSuch } from '../domain/errors.ts';
import { BODY_STYLES, WEBHOOK_EVENTS, type Webhook } from '../domain/webhooks/webhook.ts';
import { formatTime } from '../lib/clock.ts';
import { choice, noun, nullable, Time } from '../lib/schema.ts';
import { readSettings } from '../services/webhooks/read-webhook.ts';
import { createWebhook, updateWebhook } from '../services/webhooks/webhooks.ts';
import { requireForm, requireIntactWebhook, requireWebhook } from './find.ts';
import { operation } from './operation.ts';
import { Deleted, FORM_ID, NamedCondition, SECRET, serializeDeleted, WEBHOOK_ID } from './shared-schemas.ts';
import { NewWebhook, parseWebhookInput, WebhookPatch } from './webhook-input.ts';

/** A webhook without secrets: of the URL only the host, of headers only the names. */
const WebhookOutput = noun('Webhook', {
  id: Type.String({ examples: ['whk_01a1fd5b4a6f76be834e4aeb4b78f669'], example: WEBHOOK_ID }),
  form_id: Type.String({ example: FORM_ID }),
  kind: choice(WEBHOOK_KINDS),
  name: Type.String({ description: 'Empty without one.', example: 'Orders channel' }),
  host: nullable(
    Type.String(),
    'The host of the URL, which may contain a secret. Null for `sheets`, or if the record is damaged.',
    { example: 'hooks.example.com' },
  ),
  header_names: Type.Array(Type.String(), {
    description: 'Names of the headers of its own, without their values.',
    example: ['X-Token'],
  }),
  events: Type.Array(choice(WEBHOOK_EVENTS)),
  body: choice(BODY_STYLES),
  include_spam: Type.Boolean(),
  when: Type.Array(NamedCondition, { example: [] }),
  is_active: Type.Boolean({ description: '`false` while paused or disabled. Deliveries stay queued.', example: true }),
  disabled_reason: Type.Union([Type.Literal('gone'), Type.Literal('failing'), Type.Null()], {
    description: 'Why it was disabled: the endpoint answered 410, or failed for five days.',
  }),
  failing_since: nullable(Time, 'The first failure since the last success. Null if the last attempt succeeded.'),
  created_at: Time,
});

const CreatedWebhook = noun('NewWebhook', {
  ...WebhookOutput.properties,
  secret: Type.Optional(
    Type.String({ description: 'The signing secret of a `standard` webhook. It is not shown again.', example: SECRET }),
  ),
});

function serializeWebhook({ vault, log }: Context, webhook: Webhook): Static<typeof WebhookOutput> {
  const settings = readSettings(vault, log, webhook);
  return {
    id: webhook.id,
    form_id: webhook.formId,
    kind: webhook.kind,
    name: settings?.name ?? '',
    host: settings?.host || null,
    header_names: [...(settings?.headerNames ?? [])],
    events: [...webhook.events],
    body: webhook.body,
    include_spam: webhook.includeSpam,
    when: [...webhook.when],
    is_active: webhook.isActive,
    disabled_reason: webhook.disabledReason,
    failing_since: webhook.failingSince === null ? null : formatTime(webhook.failingSince),
    created_at: formatTime(webhook.createdAt),
  };
}

export const webhookOperations = [
  operation('GET', '/v1/forms/:formId/webhooks', {
    id: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Returns the webhooks of a form, oldest first. URLs and header values are never returned.',
    output: Type.Array(WebhookOutput),
    run: async ({ context, teamId, params }) => {
      const { id } = await requireForm(context.store, params.formId, teamId);
      return (await context.store.webhooks.list(id)).map((webhook) => serializeWebhook(context, webhook));
    },
  }),
  operation('POST', '/v1/forms/:formId/webhooks', {
    id: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Adds a webhook, chat or sheet to a form. Each new submission is then delivered to it. The answer has the signing ' +
      'secret, once.',
    audit: 'webhook.created',
    creates: true,
    body: NewWebhook,
    output: CreatedWebhook,
    errors: ['conflict'],
    run: async ({ context, teamId, key, params, body, note }) => {
      const input = parseWebhookInput(body);
      const { id } = await requireForm(context.store, params.formId, teamId);
      const { webhook, secret } = await createWebhook(context, id, body.kind ?? 'standard', input, key.id);
      note({ form_id: id, webhook_id: webhook.id });
      return { ...serializeWebhook(context, webhook), ...(secret !== null && { secret }) };
    },
  }),
  operation('GET', '/v1/webhooks/:webhookId', {
    id: 'readWebhook',
    summary: 'Retrieve a webhook',
    description: 'Returns a webhook with its state. URL and header values are never returned.',
    output: WebhookOutput,
    run: async ({ context, teamId, params }) =>
      serializeWebhook(context, await requireWebhook(context.store, params.webhookId, teamId)),
  }),
  operation('PATCH', '/v1/webhooks/:webhookId', {
    id: 'changeWebhook',
    summary: 'Update a webhook',
    description:
      'Changes the settings that the body names; others stay as they are. `headers` replaces all headers, and is required if ' +
      'a webhook with headers gets a URL on another host. `is_active` resumes a webhook that was disabled.',
    audit: 'webhook.changed',
    body: WebhookPatch,
    output: WebhookOutput,
    example: { is_active: false },
    run: async ({ context, teamId, key, params, body, note }) => {
      const input = parseWebhookInput(body);
      const { id } = await requireIntactWebhook(context, params.webhookId, teamId);
      const webhook = (await updateWebhook(context, id, input, teamId, key.id)) ?? noSuch('webhook');
      if (input.isActive) context.webhooks.wake();
      note({ settings: Object.keys(input).join(', ') });
      return serializeWebhook(context, webhook);
    },
  }),
  operation('DELETE', '/v1/webhooks/:webhookId', {
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook and cancels its queued deliveries.',
    audit: 'webhook.deleted',
    output: Deleted,
    example: { id: WEBHOOK_ID },
    run: async ({ context: { store }, teamId, params }) => {
      const { id } = await requireWebhook(store, params.webhookId, teamId);
      if (!(await store.webhooks.delete(id, teamId))) noSuch('webhook');
      return serializeDeleted(id);
    },
  }),
];
