import { type Static, Type } from '@sinclair/typebox';
import { type DeliveryEvent, WEBHOOK_EVENTS } from '../../domain/webhooks/webhook.ts';
import { formatTime } from '../../lib/clock.ts';
import { Count, choice, noun, nullable, Time } from '../../lib/schema.ts';
import type { StoredDelivery } from '../../storage/records.ts';
import type { Vault } from '../../vault/vault.ts';
import { readAttempt } from './read-webhook.ts';

/** A delivery in the log of a webhook. */
export const DeliveryOutput = noun('Delivery', {
  id: Type.String({
    description: 'The `webhook-id` of each attempt.',
    example: 'dlv_01a1fd5f10b57c22a1b2c3d4e5f60718',
  }),
  event: choice<DeliveryEvent>(WEBHOOK_EVENTS),
  submission_id: Type.Union([Type.String(), Type.Null()], { example: 'sub_01a1fd5c9641704595cdd5dffe05afc5' }),
  state: choice(['queued', 'retrying', 'delivered', 'failed', 'canceled'], { example: 'delivered' }),
  attempts: Type.Integer({ minimum: 0, example: 1 }),
  last_status: Type.Union([Type.Integer(), Type.Null()], { example: 200 }),
  last_error: Type.Union([Type.String(), Type.Null()]),
  last_answer: nullable(Type.String(), "The beginning of the last answer's body.", { example: 'ok' }),
  duration_ms: Type.Union([Count, Type.Null()], { example: 87 }),
  next_attempt_at: nullable(Time, 'The next attempt. Null if there is none.'),
  created_at: Time,
});

/** Returns a delivery with its last attempt, opened. */
export function serializeDelivery(vault: Vault, delivery: StoredDelivery): Static<typeof DeliveryOutput> {
  const { dueAt, deleted } = delivery;
  const attempt = readAttempt(vault, delivery);
  return {
    id: delivery.id,
    event: delivery.event,
    submission_id: delivery.submissionId ?? deleted?.id ?? null,
    state: delivery.state,
    attempts: delivery.attempts,
    last_status: delivery.lastStatus,
    last_error: attempt?.reason ?? null,
    last_answer: attempt?.answer ?? null,
    duration_ms: delivery.durationMs,
    next_attempt_at: dueAt === null ? null : formatTime(dueAt),
    created_at: formatTime(delivery.createdAt),
  };
}
