import type { Form } from '../../domain/forms/form.ts';
import type { Payload } from '../../domain/submissions/submission.ts';
import type { Micros } from '../../lib/clock.ts';

export type TargetFile = Readonly<{ id: string; name: string; size: number }>;

/** An event as targets present it. Values are masked. */
export type TargetEvent = Readonly<{
  type: 'submission.created' | 'submission.deleted' | 'form.cap_reached' | 'webhook.test';
  form: Pick<Form, 'id' | 'shortId' | 'name' | 'fields'>;
  /** Null for `form.cap_reached`. `data`, in the order of the form's fields, is null for deleted or damaged submissions and thin bodies. */
  submission: Readonly<{
    id: string;
    createdAt: Micros;
    isSpam: boolean;
    isMaybeSpam: boolean;
    data: Payload | null;
    files: readonly TargetFile[];
  }> | null;
  /** The submission's page in the dashboard; null without `BASE_URL`. */
  url: string | null;
}>;

/** Characters read beyond those shown, so that a cut is noticed and marked. */
export const MORE = 100;

/** Characters that targets read of a value, and of a payload. Call `truncatePayload` with them before masking. */
export const SHOWN_CHARACTERS = { value: 20_000 + MORE, payload: 100_000 } as const;

/** An HTTP request to a vendor. `method` defaults to POST; `body` is empty for GET. */
export type TargetRequest = Readonly<{
  method?: 'GET' | 'PUT';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

export type TargetAnswer = Readonly<{ status: number; headers: Headers; body: string }>;

export type Send = (request: TargetRequest) => Promise<TargetAnswer>;

/** Details of a refused delivery. `settings` replace stored ones. */
export type Reading<Settings = object> = Readonly<{
  reason?: string;
  retryAfterSeconds?: number;
  /** True if no retry can succeed: the webhook is disabled. */
  isFinal?: boolean;
  settings?: Partial<Settings>;
}>;

export function jsonRequest(url: string, value: unknown): TargetRequest {
  return { url, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}
