/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { REST_AFTER, type Webhook } from '../../domain/webhooks/webhook.ts';
import type { Micros } from '../../lib/clock.ts';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { WEBHOOKS_TEXTS } from './texts.ts';

type Props = Readonly<{ viewer: Viewer; webhook: Webhook; now: Micros }>;

/** The state of a webhook in words. */
export function WebhookState({ viewer, webhook, now }: Props) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { isActive, disabledReason, failures, failingSince, restUntil } = webhook;
  if (disabledReason !== null) return <span class="badge bad">{t[disabledReason]}</span>;
  if (!isActive) return <span class="badge">{t.paused}</span>;
  const isResting = failures >= REST_AFTER && failingSince !== null;
  if (!isResting && restUntil !== null && restUntil > now) {
    return (
      <span class="badge">
        {t.waitingUntil} <Time viewer={viewer} at={restUntil} />
      </span>
    );
  }
  if (failingSince === null) return <span class="badge good">{t.delivering}</span>;
  return (
    <span>
      <span class="badge bad">
        {isResting ? t.restingSince : t.failingSince} <Time viewer={viewer} at={failingSince} />
      </span>{' '}
      {isResting ? t.afterFailures(viewer.number(failures)) : t.failures(failures)}
      {isResting && restUntil !== null && `, ${t.nextTry} `}
      {isResting && restUntil !== null && <Time viewer={viewer} at={restUntil} />}
    </span>
  );
}
