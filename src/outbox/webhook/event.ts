import type { Form } from '../../domain/forms/form.ts';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import type { BodyStyle, DeletedSubmission, DeliveryEvent } from '../../domain/webhooks/webhook.ts';
import { formatTime, type Micros } from '../../lib/clock.ts';

/** Version of the event format. Within a version properties are only added. */
const VERSION = 1;
/** Longer events carry no fields: many receivers refuse large bodies. */
const MAX_FULL_BYTES = 256 * 1024;

/** Returns a submission as the management API shows it, masked. */
export type SerializeSubmission = (submission: StoredSubmission) => Readonly<{ id: string; created_at: string }>;

/** An event of a form. `submission` is set for `submission.created` and tests, `deleted` for `submission.deleted`. */
export type FormEvent = Readonly<{
  type: DeliveryEvent;
  form: Pick<Form, 'id' | 'shortId' | 'name' | 'fields'>;
  submission: StoredSubmission | null;
  deleted: DeletedSubmission | null;
  createdAt: Micros;
}>;

/**
 * Returns the JSON body of an event: `{type, timestamp, version, data: {form, submission?}}`. Thin bodies, and those above
 * 256 KiB, have only the id and time of the submission.
 */
export function eventBody(event: FormEvent, style: BodyStyle, serialize: SerializeSubmission): string {
  const full = style === 'full' ? getBody(event, event.submission && serialize(event.submission)) : null;
  return full !== null && Buffer.byteLength(full) <= MAX_FULL_BYTES ? full : getBody(event, null);
}

function getBody({ type, form, submission, deleted, createdAt }: FormEvent, full: object | null): string {
  const subject = deleted ?? submission;
  const thin = subject && { id: subject.id, created_at: formatTime(subject.createdAt) };
  return JSON.stringify({
    type,
    timestamp: formatTime(createdAt),
    version: VERSION,
    data: {
      form: { id: form.id, short_id: form.shortId, name: form.name },
      ...(subject && { submission: full ?? thin }),
    },
  });
}
