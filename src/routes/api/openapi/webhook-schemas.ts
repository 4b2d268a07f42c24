import { Type } from '@sinclair/typebox';
import { Condition } from '../../../domain/condition.ts';
import { BODY_STYLES, WEBHOOK_EVENTS, WEBHOOK_KINDS } from '../../../domain/webhook.ts';

const closed = { additionalProperties: false };

const Time = Type.String({ format: 'date-time' });

const optionalTime = (description: string) => Type.Union([Time, Type.Null()], { description });

const Webhook = Type.Object(
  {
    id: Type.String({ examples: ['whk_01a1fd5b4a6f76be834e4aeb4b78f669'] }),
    form_id: Type.String(),
    kind: Type.Unsafe<string>({ type: 'string', enum: WEBHOOK_KINDS }),
    host: Type.Union([Type.String(), Type.Null()], {
      description: 'The host of the URL, which may contain a secret. Null for `sheets`, or if the record is damaged.',
    }),
    header_names: Type.Array(Type.String(), { description: 'Names of the headers of its own, without their values.' }),
    events: Type.Array(Type.Unsafe<string>({ type: 'string', enum: WEBHOOK_EVENTS })),
    body: Type.Unsafe<string>({ type: 'string', enum: BODY_STYLES }),
    include_spam: Type.Boolean(),
    when: Type.Array(Condition),
    is_active: Type.Boolean({ description: '`false` while paused or disabled. Deliveries stay queued.' }),
    disabled_reason: Type.Union([Type.Literal('gone'), Type.Literal('failing'), Type.Null()], {
      description: 'Why it was disabled: the endpoint answered 410, or failed for five days.',
    }),
    failing_since: optionalTime('The first failure since the last success. Null if the last attempt succeeded.'),
    created_at: Time,
  },
  closed,
);

const NewWebhook = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.Optional(
      Type.String({ description: 'The signing secret of a `standard` webhook. It is not shown again.' }),
    ),
  },
  closed,
);

const WebhookSecret = Type.Object(
  { id: Type.String(), secret: Type.String({ description: 'The new signing secret. It is not shown again.' }) },
  closed,
);

const WebhookTest = Type.Object(
  {
    delivered: Type.Boolean({ description: 'True if the endpoint answered with a 2xx status.' }),
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'The status of the answer. Null without one.' }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed. Null after a success.' }),
    answer: Type.String({ description: "The beginning of the answer's body." }),
    duration_ms: Type.Integer({ minimum: 0 }),
    event: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'The event that was sent, as in a delivery. Null for other kinds than `standard`.',
    }),
  },
  closed,
);

const Delivery = Type.Object(
  {
    id: Type.String({ description: 'The `webhook-id` of each attempt.' }),
    event: Type.Unsafe<string>({ type: 'string', enum: WEBHOOK_EVENTS }),
    submission_id: Type.Union([Type.String(), Type.Null()]),
    state: Type.Unsafe<string>({
      type: 'string',
      enum: ['queued', 'retrying', 'delivered', 'failed', 'canceled'],
    }),
    attempts: Type.Integer({ minimum: 0 }),
    last_status: Type.Union([Type.Integer(), Type.Null()]),
    last_error: Type.Union([Type.String(), Type.Null()]),
    last_answer: Type.Union([Type.String(), Type.Null()], { description: "The beginning of the last answer's body." }),
    duration_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
    next_attempt_at: optionalTime('The next attempt. Null if there is none.'),
    created_at: Time,
  },
  closed,
);

const DeliveryPage = Type.Object(
  {
    items: Type.Array(Type.Ref('#/components/schemas/Delivery'), {
      maxItems: 100,
      description: 'Deliveries, newest first.',
    }),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'The value of `before` for the next page. Null on the last page.',
    }),
  },
  closed,
);

const QueuedDeliveries = Type.Object({ queued: Type.Integer({ minimum: 0 }) }, closed);

export const WEBHOOK_SCHEMAS = {
  Webhook,
  NewWebhook,
  WebhookSecret,
  WebhookTest,
  Delivery,
  DeliveryPage,
  QueuedDeliveries,
};
