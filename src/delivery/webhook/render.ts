import type { Form } from '../../domain/form.ts';
import type { StoredSubmission } from '../../domain/submission.ts';
import type { DeletedSubmission, DeliveryEvent, Webhook, WebhookSettings } from '../../domain/webhook.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import { eventBody, type SerializeSubmission } from './event.ts';
import type { HttpRequest } from './post.ts';
import { standardRequest } from './standard.ts';

export type RenderDeps = Readonly<{ clock: Clock; serialize: SerializeSubmission }>;

/** An event to render for a webhook. `id` is the `webhook-id`. */
export type Rendered = Readonly<{
  id: string;
  event: DeliveryEvent;
  createdAt: Micros;
  webhook: Webhook;
  form: Form;
  submission: StoredSubmission | null;
  deleted: DeletedSubmission | null;
}>;

/** Returns the request of a delivery from current data: it is rendered anew for every attempt. */
export function renderRequest(
  { clock, serialize }: RenderDeps,
  settings: WebhookSettings,
  { id, event, createdAt, webhook, form, submission, deleted }: Rendered,
): HttpRequest {
  const body = eventBody({ type: event, form, submission, deleted, createdAt }, webhook.body, serialize);
  return standardRequest(settings, id, body, clock());
}
