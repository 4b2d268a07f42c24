/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { isFailing, type Webhook } from '../../domain/webhooks/webhook.ts';
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
  if (isFailing(webhook) && failingSince !== null) {
    return (
      <span>
        <span class="badge bad">
          {t.failingSince} <Time viewer={viewer} at={failingSince} />
        </span>{' '}
        {t.afterFailures(viewer.number(failures))}
        {restUntil !== null && `, ${t.nextTry} `}
        {restUntil !== null && <Time viewer={viewer} at={restUntil} />}
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
  return (
    <span>
      <span class="badge good">{t.delivering}</span> {failures > 0 && t.failures(failures)}
    </span>
  );
}
