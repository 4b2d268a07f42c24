/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { getTest, type When } from '../../domain/forms/condition.ts';
import { isFailing, type Webhook } from '../../domain/webhooks/webhook.ts';
import type { Micros } from '../../lib/clock.ts';
import { type ShownSettings, webhookTitle } from '../../services/webhooks/read-webhook.ts';
import { LinkButton, PostButton } from '../ui/elements.tsx';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { WEBHOOKS_TEXTS } from './texts.ts';

/** A webhook with its settings, which are null if they are damaged. */
export type ShownWebhook = Readonly<{ webhook: Webhook; settings: ShownSettings | null }>;

/** Returns the address of a webhook's page. */
export function getAddress({ id, formId }: Webhook, below = ''): string {
  return `/dashboard/forms/${formId}/webhooks/${id}${below}`;
}

/** Returns the name of a webhook, or its kind and address. */
export function getTitle({ language }: Viewer, { webhook, settings }: ShownWebhook): string {
  return webhookTitle(webhook.kind, settings, language);
}

/** A button that sends a test, and a menu of the other actions on a webhook. */
export function Buttons({ viewer, shown }: Readonly<{ viewer: Viewer; shown: ShownWebhook }>) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { webhook, settings } = shown;
  const label = (action: keyof typeof t.actions) => t.of(t.actions[action], getTitle(viewer, shown));
  const toggle = webhook.isActive ? 'pause' : 'resume';
  return (
    <div class="row above">
      {settings !== null && (
        <PostButton action={getAddress(webhook, '/test')} text={t.actions.test} style="small" label={label('test')} />
      )}
      {viewer.can('manage') && settings !== null && (
        <LinkButton href={getAddress(webhook, '/settings')} text={t.actions.edit} style="small" label={label('edit')} />
      )}
      <details class="menu more end" name="menu">
        <summary class="button quiet" aria-label={t.of(t.actions.more, getTitle(viewer, shown))}>
          <Icon name="more" />
        </summary>
        <div>
          <form method="post" action={getAddress(webhook, '/active')}>
            <button name="active" value={webhook.isActive ? 'no' : 'yes'}>
              <Icon name={webhook.isActive ? 'pause' : 'play'} /> {t.actions[toggle]}
            </button>
          </form>
          {viewer.can('manage') && (
            <a class="danger" href={getAddress(webhook, '/delete')}>
              <Icon name="trash" /> {t.actions.delete}
            </a>
          )}
        </div>
      </details>
    </div>
  );
}

/** The state of a webhook in words. */
export function WebhookState({ viewer, webhook, now }: Readonly<{ viewer: Viewer; webhook: Webhook; now: Micros }>) {
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

/** Conditions in words, such as “if topic is sales and country is one of SE, NO”. */
export function Conditions({ viewer, when }: Readonly<{ viewer: Viewer; when: When }>) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  if (when.length === 0) return <>{t.always}</>;
  return (
    <>
      {when.map((condition, index) => {
        const { test, values } = getTest(condition);
        return (
          <>
            {index === 0 ? `${t.if} ` : ` ${t.and} `}
            <strong>
              <bdi>{condition.field}</bdi>
            </strong>
            {` ${t.tests[test]} `}
            {values.map((value, at) => (
              <>
                {at > 0 && ', '}
                {value === '' ? t.empty : <bdi>{value}</bdi>}
              </>
            ))}
          </>
        );
      })}
    </>
  );
}
