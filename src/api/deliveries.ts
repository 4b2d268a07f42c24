import { Type } from '@sinclair/typebox';
import { getKind } from '../delivery/targets/index.ts';
import { invalidInput, noSuch, notFound } from '../domain/errors.ts';
import { noun, nullable } from '../lib/schema.ts';
import { DeliveryOutput, serializeDelivery } from '../services/webhooks/serialize-delivery.ts';
import { testWebhook } from '../services/webhooks/test-webhook.ts';
import { queuePastSubmissions, rotateSecret } from '../services/webhooks/webhooks.ts';
import { requireIntactWebhook, requireWebhook } from './find.ts';
import { DEFAULT_LIMIT, limit, optional, queryObject, strictObject, text } from './input.ts';
import { operation } from './operation.ts';
import { CREATED_AT, FORM_ID, pageSchema, SECRET, SUBMISSION_ID, WEBHOOK_ID } from './shared-schemas.ts';

const MAX_PAST = 1_000;
/** Characters of an endpoint's answer to a test. */
const MAX_ANSWER = 1_024;

const ID = 'dlv_01a1fd5f10b57c22a1b2c3d4e5f60718';

const WebhookSecret = noun('WebhookSecret', {
  id: Type.String({ example: WEBHOOK_ID }),
  secret: Type.String({ description: 'The new signing secret. It is not shown again.', example: SECRET }),
});

const EXAMPLE_EVENT = {
  type: 'webhook.test',
  timestamp: CREATED_AT,
  version: 1,
  data: {
    form: { id: FORM_ID, short_id: '7437krmt', name: 'Contact' },
    submission: {
      id: SUBMISSION_ID,
      created_at: CREATED_AT,
      is_spam: false,
      data: { email: 'ada@example.com' },
      file_metadata: null,
    },
  },
};

const WebhookTest = noun('WebhookTest', {
  delivered: Type.Boolean({ description: 'True if the endpoint answered with a 2xx status.', example: true }),
  status: nullable(Type.Integer(), 'The status of the answer. Null without one.', { example: 200 }),
  error: nullable(Type.String(), 'Why it failed. Null after a success.'),
  answer: Type.String({ description: "The beginning of the answer's body.", example: 'ok' }),
  duration_ms: Type.Integer({ minimum: 0, example: 87 }),
  event: nullable(
    Type.Record(Type.String(), Type.Unknown()),
    'The event that was sent, as in a delivery. Null for other kinds than `standard`.',
    { example: EXAMPLE_EVENT },
  ),
});

export const deliveryOperations = [
  operation('GET', '/v1/webhooks/:webhookId/deliveries', {
    id: 'listDeliveries',
    summary: 'List deliveries',
    description:
      'Returns the deliveries of a webhook in pages, newest first. To get the next page, pass `next_cursor` as `before`.',
    query: queryObject({
      limit: limit('Maximum number of deliveries per page.'),
      before: optional(
        Type.String({
          pattern: '^dlv_[0-9a-f]{1,64}$',
          description: 'A cursor for pagination: the `next_cursor` of the previous page.',
        }),
        'before must be the next_cursor of the previous page.',
      ),
    }),
    output: pageSchema(DeliveryOutput, 'Deliveries', Type.String({ example: ID })),
    run: async ({ context, teamId, params, query: { before = null, ...query } }) => {
      const { id } = await requireWebhook(context.store, params.webhookId, teamId);
      const size = Number(query.limit ?? DEFAULT_LIMIT);
      const stored = await context.store.deliveries.list(id, { before, limit: size + 1 });
      const items = stored.slice(0, size).map((delivery) => serializeDelivery(context.vault, delivery));
      return { items, next_cursor: stored.length > size ? (items.at(-1)?.id ?? null) : null };
    },
  }),
  operation('POST', '/v1/webhooks/:webhookId/test', {
    id: 'testWebhook',
    summary: 'Test a webhook',
    description:
      'Sends `webhook.test` at once, signed like any delivery, with the newest submission of the form, or a sample if there ' +
      'is none. Waits up to 15 seconds for the answer of the endpoint. A test that fails is a success of this operation, ' +
      'with `delivered` set to `false`.',
    audit: 'webhook.tested',
    output: WebhookTest,
    run: async ({ context, teamId, params }) => {
      const webhook = await requireIntactWebhook(context, params.webhookId, teamId);
      const { request, attempt } = await testWebhook(context, webhook, teamId);
      return {
        delivered: attempt.reason === null,
        status: attempt.status,
        error: attempt.reason,
        answer: attempt.answer.slice(0, MAX_ANSWER),
        duration_ms: attempt.durationMs,
        // Requests to targets may contain settings.
        event: getKind(webhook.kind).isSigned && request ? JSON.parse(request.body) : null,
      };
    },
  }),
  operation('POST', '/v1/webhooks/:webhookId/rotate-secret', {
    id: 'rotateWebhookSecret',
    summary: 'Rotate a signing secret',
    description: 'Replaces the signing secret of a `standard` webhook. For 24 hours the old secret signs too.',
    audit: 'webhook.secret_rotated',
    output: WebhookSecret,
    errors: ['invalid_input'],
    run: async ({ context, teamId, params }) => {
      const { id } = await requireIntactWebhook(context, params.webhookId, teamId);
      return { id, secret: (await rotateSecret(context, id, teamId)) ?? noSuch('webhook') };
    },
  }),
  operation('POST', '/v1/webhooks/:webhookId/redeliver', {
    id: 'redeliver',
    summary: 'Repeat deliveries',
    description:
      'Queues one delivery, all failed ones, or the latest submissions of the form. Send exactly one of `delivery_id`, ' +
      '`failed` and `past`.',
    audit: 'webhook.redelivered',
    body: strictObject(
      {
        delivery_id: Type.Optional(text('delivery_id', 'One delivery of the webhook.')),
        failed: optional(
          Type.Literal(true, { description: 'All failed deliveries of the webhook.' }),
          'failed must be true.',
        ),
        past: optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_PAST,
            description: 'The latest submissions of the form, as new ones.',
          }),
          `past must be an integer from 1 to ${MAX_PAST}.`,
        ),
      },
      { failed: true },
    ),
    output: noun('QueuedDeliveries', { queued: Type.Integer({ minimum: 0, example: 3 }) }),
    run: async ({ context, teamId, params, body, note }) => {
      const { store, webhooks } = context;
      const { delivery_id: deliveryId, past } = body;
      if (Object.keys(body).length > 1) {
        throw invalidInput('The body must have one of delivery_id, failed and past, not several.');
      }
      const webhook = await requireWebhook(store, params.webhookId, teamId);
      if (deliveryId !== undefined && (await store.deliveries.find(deliveryId))?.webhookId !== webhook.id) {
        throw notFound('This webhook has no such delivery.');
      }
      const which = deliveryId === undefined ? { webhookId: webhook.id } : { id: deliveryId };
      const queued =
        past === undefined
          ? await store.deliveries.redeliver(which)
          : await queuePastSubmissions(context, webhook, past);
      webhooks.wake();
      note({ queued });
      return { queued };
    },
  }),
];
