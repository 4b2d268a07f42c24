import { managed } from './operation.ts';
import { refTo } from './schemas.ts';

const WEBHOOK_ID = 'whk_01a1fd5e7c3a7d1f9b2c4d6e8f0a1b3c';
const FORM_ID = 'frm_01a1fd5b4a6f76be834e4aeb4b78f669';
const SUBMISSION_ID = 'sub_01a1fd5c9641704595cdd5dffe05afc5';
const DELIVERY_ID = 'dlv_01a1fd5f10b57c22a1b2c3d4e5f60718';
const CREATED_AT = '2026-11-21T08:00:00.000123Z';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

const WEBHOOK = {
  id: WEBHOOK_ID,
  form_id: FORM_ID,
  kind: 'standard',
  host: 'hooks.example.com',
  header_names: ['X-Token'],
  events: ['submission.created'],
  body: 'full',
  include_spam: false,
  when: [],
  is_active: true,
  disabled_reason: null,
  failing_since: null,
  created_at: CREATED_AT,
};

export const listWebhooksOperation = managed({
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: 'Returns the webhooks of a form, oldest first. URLs and header values are never returned.',
  tag: 'Webhooks',
  data: { schema: { type: 'array', items: refTo('Webhook') }, example: [WEBHOOK] },
  refusals: ['not_found'],
});

export const createWebhookOperation = managed({
  operationId: 'createWebhook',
  summary: 'Create a webhook',
  description:
    'Adds a webhook, chat or sheet to a form. Each new submission is then delivered to it. The answer has the signing ' +
    'secret, once.',
  tag: 'Webhooks',
  writes: true,
  creates: true,
  data: { schema: refTo('NewWebhook'), example: { ...WEBHOOK, secret: SECRET } },
  refusals: ['invalid_input', 'not_found', 'conflict', 'body_too_large', 'server_busy'],
});

export const readWebhookOperation = managed({
  operationId: 'readWebhook',
  summary: 'Retrieve a webhook',
  description: 'Returns a webhook with its state. URL and header values are never returned.',
  tag: 'Webhooks',
  data: { schema: refTo('Webhook'), example: WEBHOOK },
  refusals: ['not_found'],
});

export const changeWebhookOperation = managed({
  operationId: 'changeWebhook',
  summary: 'Update a webhook',
  description:
    'Changes the settings that the body names; others stay as they are. `headers` replaces all headers, and is required if ' +
    'a webhook with headers gets a URL on another host. `is_active` resumes a webhook that was disabled.',
  tag: 'Webhooks',
  writes: true,
  data: { schema: refTo('Webhook'), example: { ...WEBHOOK, is_active: false } },
  refusals: ['invalid_input', 'not_found', 'body_too_large', 'unsupported_content_type', 'server_busy'],
});

export const deleteWebhookOperation = managed({
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Deletes a webhook and cancels its queued deliveries.',
  tag: 'Webhooks',
  writes: true,
  data: { schema: refTo('Deleted'), example: { id: WEBHOOK_ID, deleted: true } },
  refusals: ['not_found'],
});

export const testWebhookOperation = managed({
  operationId: 'testWebhook',
  summary: 'Test a webhook',
  description:
    'Sends `webhook.test` at once, signed like any delivery, with the newest submission of the form, or a sample if there ' +
    'is none. Waits up to 15 seconds for the answer of the endpoint. A test that fails is a success of this operation, ' +
    'with `delivered` set to `false`.',
  tag: 'Webhooks',
  writes: true,
  data: {
    schema: refTo('WebhookTest'),
    example: {
      delivered: true,
      status: 200,
      error: null,
      answer: 'ok',
      duration_ms: 87,
      event: {
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
      },
    },
  },
  refusals: ['not_found'],
});

export const rotateSecretOperation = managed({
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate a signing secret',
  description: 'Replaces the signing secret of a `standard` webhook. For 24 hours the old secret signs too.',
  tag: 'Webhooks',
  writes: true,
  data: { schema: refTo('WebhookSecret'), example: { id: WEBHOOK_ID, secret: SECRET } },
  refusals: ['invalid_input', 'not_found'],
});

export const redeliverOperation = managed({
  operationId: 'redeliver',
  summary: 'Repeat deliveries',
  description:
    'Queues one delivery, all failed ones, or the latest submissions of the form. Send exactly one of `delivery_id`, ' +
    '`failed` and `past`.',
  tag: 'Webhooks',
  writes: true,
  data: { schema: refTo('QueuedDeliveries'), example: { queued: 3 } },
  refusals: ['invalid_input', 'not_found', 'body_too_large', 'server_busy'],
});

export const listDeliveriesOperation = managed({
  operationId: 'listDeliveries',
  summary: 'List deliveries',
  description:
    'Returns the deliveries of a webhook in pages, newest first. To get the next page, pass `next_cursor` as `before`.',
  tag: 'Webhooks',
  data: {
    schema: refTo('DeliveryPage'),
    example: {
      items: [
        {
          id: DELIVERY_ID,
          event: 'submission.created',
          submission_id: SUBMISSION_ID,
          state: 'delivered',
          attempts: 1,
          last_status: 200,
          last_error: null,
          last_answer: 'ok',
          duration_ms: 87,
          next_attempt_at: null,
          created_at: CREATED_AT,
        },
      ],
      next_cursor: DELIVERY_ID,
    },
  },
  refusals: ['invalid_input', 'not_found'],
});
