/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { REST_AFTER, type Webhook } from '../../../domain/webhook.ts';
import type { Micros } from '../../../lib/clock.ts';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';

type Props = Readonly<{ viewer: Viewer; webhook: Webhook; now: Micros }>;

/** The state of a webhook in words. */
export function WebhookState({ viewer, webhook, now }: Props) {
  const { webhooks: t } = viewer.texts;
  const { isActive, disabledReason, failures, failingSince, restUntil } = webhook;
  if (disabledReason !== null) return <span class="badge bad">{t[disabledReason]}</span>;
  if (!isActive) return <span class="badge">{t.paused}</span>;
  if (failures >= REST_AFTER && failingSince !== null) {
    return (
      <span>
        <span class="badge bad">
          {t.restingSince} <Time viewer={viewer} at={failingSince} />
        </span>{' '}
        {t.afterFailures(viewer.number(failures))}
        {restUntil !== null && (
          <>
            {`, ${t.nextTry} `}
            <Time viewer={viewer} at={restUntil} />
          </>
        )}
      </span>
    );
  }
  if (restUntil !== null && restUntil > now) {
    return (
      <span class="badge">
        {t.waitingUntil} <Time viewer={viewer} at={restUntil} />
      </span>
    );
  }
  if (failingSince !== null) {
    return (
      <span>
        <span class="badge bad">
          {t.failingSince} <Time viewer={viewer} at={failingSince} />
        </span>{' '}
        {t.failures(failures)}
      </span>
    );
  }
  return <span class="badge good">{t.delivering}</span>;
}
