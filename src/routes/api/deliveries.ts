import { Elysia, t } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { BodyMemory } from '../../http/body-memory.ts';
import { success, withMessage } from '../../http/envelope.ts';
import { WebhookParams } from '../../http/params.ts';
import { formatTime } from '../../lib/clock.ts';
import { readAttempt } from '../../services/read-webhook.ts';
import { testWebhook } from '../../services/test-webhook.ts';
import { queuePastSubmissions, rotateSecret } from '../../services/webhooks.ts';
import type { StoredDelivery } from '../../storage/records.ts';
import { jsonInput } from './json-input.ts';
import type { KeyGuard } from './key-guard.ts';
import {
  listDeliveriesOperation,
  redeliverOperation,
  rotateSecretOperation,
  testWebhookOperation,
} from './openapi/webhook-operations.ts';
import { Redelivery } from './webhook-input.ts';
import { webhookFinder, webhookNotFound } from './webhooks.ts';

const DEFAULT_LIMIT = 50;
/** Characters of an endpoint's answer to a test. */
const MAX_ANSWER = 1_024;

const Page = t.Object(
  {
    limit: t.Optional(
      withMessage(
        t.String({
          pattern: '^(?:[1-9][0-9]?|100)$',
          publishedAs: {
            description: 'Maximum number of deliveries per page.',
            type: 'integer',
            minimum: 1,
            maximum: 100,
            default: DEFAULT_LIMIT,
          },
        }),
        'limit must be an integer from 1 to 100.',
      ),
    ),
    before: t.Optional(
      withMessage(
        t.String({
          pattern: '^dlv_[0-9a-f]{1,64}$',
          description: 'A cursor for pagination: the `next_cursor` of the previous page.',
        }),
        'before must be the next_cursor of the previous page.',
      ),
    ),
  },
  { additionalProperties: true },
);

/** Registers the routes that test a webhook, replace its secret, and list and repeat its deliveries. */
export function deliveryRoutes(context: Context, guard: KeyGuard, bodies: BodyMemory) {
  const { store, webhooks } = context;
  const find = webhookFinder(context);
  return new Elysia()
    .use(guard)
    .get(
      '/v1/webhooks/:webhookId/deliveries',
      async ({ teamId, params, query: { before = null, ...query } }) => {
        const { id } = await find.webhook(params.webhookId, teamId);
        const limit = Number(query.limit ?? DEFAULT_LIMIT);
        const stored = await store.deliveries.list(id, { before, limit: limit + 1 });
        const items = stored.slice(0, limit);
        const next_cursor = stored.length > limit ? (items.at(-1)?.id ?? null) : null;
        return success({ items: items.map((delivery) => serializeDelivery(context, delivery)), next_cursor });
      },
      { detail: listDeliveriesOperation, params: WebhookParams, query: Page },
    )
    .post(
      '/v1/webhooks/:webhookId/test',
      async ({ teamId, params }) => {
        const webhook = await find.intact(params.webhookId, teamId);
        const { request, attempt } = await testWebhook(context, webhook, teamId);
        return success({
          delivered: attempt.reason === null,
          status: attempt.status,
          error: attempt.reason,
          answer: attempt.answer.slice(0, MAX_ANSWER),
          duration_ms: attempt.durationMs,
          // Requests to targets may contain settings.
          event: webhook.kind === 'standard' && request ? JSON.parse(request.body) : null,
        });
      },
      { detail: testWebhookOperation, params: WebhookParams },
    )
    .post(
      '/v1/webhooks/:webhookId/rotate-secret',
      async ({ teamId, params }) => {
        const { id } = await find.intact(params.webhookId, teamId);
        return success({ id, secret: (await rotateSecret(context, id, teamId)) ?? webhookNotFound() });
      },
      { detail: rotateSecretOperation, params: WebhookParams },
    )
    .post(
      '/v1/webhooks/:webhookId/redeliver',
      async ({ teamId, params, body, note }) => {
        const { delivery_id: deliveryId, past } = body;
        if (Object.keys(body).length > 1) {
          throw new AppError('invalid_input', 'The body must have one of delivery_id, failed and past, not several.');
        }
        const webhook = await find.webhook(params.webhookId, teamId);
        if (deliveryId !== undefined && (await store.deliveries.find(deliveryId))?.webhookId !== webhook.id) {
          throw new AppError('not_found', 'This webhook has no such delivery.');
        }
        const which = deliveryId === undefined ? { webhookId: webhook.id } : { id: deliveryId };
        const queued =
          past === undefined
            ? await store.deliveries.redeliver(which)
            : await queuePastSubmissions(context, webhook, past);
        webhooks.wake();
        note({ queued });
        return success({ queued });
      },
      { detail: redeliverOperation, params: WebhookParams, body: Redelivery, ...jsonInput(bodies) },
    );
}

function serializeDelivery({ vault }: Pick<Context, 'vault'>, delivery: StoredDelivery) {
  const { id, event, submissionId, deleted, state, attempts, lastStatus, durationMs, dueAt, createdAt } = delivery;
  const attempt = readAttempt(vault, delivery);
  return {
    id,
    event,
    submission_id: submissionId ?? deleted?.id ?? null,
    state,
    attempts,
    last_status: lastStatus,
    last_error: attempt?.reason ?? null,
    last_answer: attempt?.answer ?? null,
    duration_ms: durationMs,
    next_attempt_at: dueAt === null ? null : formatTime(dueAt),
    created_at: formatTime(createdAt),
  };
}
