/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Webhook } from '../../../domain/webhook.ts';
import type { ShownSettings } from '../../../services/read-webhook.ts';
import type { Viewer } from '../../viewer.ts';

/** A webhook with its settings, which are null if they are damaged. */
export type ShownWebhook = Readonly<{ webhook: Webhook; settings: ShownSettings | null }>;

/** Returns the address of a webhook's page. */
export function getAddress({ id, formId }: Webhook, below = ''): string {
  return `/dashboard/forms/${formId}/webhooks/${id}${below}`;
}

/** Returns the kind of a webhook and its host. */
export function getTitle({ texts }: Viewer, { webhook, settings }: ShownWebhook): string {
  const kind = texts.webhooks.kinds[webhook.kind];
  return settings?.host ? `${kind} · ${settings.host}` : kind;
}

/** The buttons of a webhook. */
export function Buttons({ viewer, shown }: Readonly<{ viewer: Viewer; shown: ShownWebhook }>) {
  const { webhooks: t } = viewer.texts;
  const { webhook, settings } = shown;
  const label = (action: keyof typeof t.actions) => t.of(t.actions[action], getTitle(viewer, shown));
  const toggle = webhook.isActive ? 'pause' : 'resume';
  return (
    <div class="row">
      {settings !== null && (
        <form method="post" action={getAddress(webhook, '/test')}>
          <button class="quiet small" aria-label={label('test')}>
            {t.actions.test}
          </button>
        </form>
      )}
      <form method="post" action={getAddress(webhook, '/active')}>
        <button class="quiet small" name="active" value={webhook.isActive ? 'no' : 'yes'} aria-label={label(toggle)}>
          {t.actions[toggle]}
        </button>
      </form>
      {viewer.can('manage') && settings !== null && (
        <a class="button quiet small" href={getAddress(webhook, '/settings')} aria-label={label('edit')}>
          {t.actions.edit}
        </a>
      )}
      {viewer.can('manage') && (
        <a class="button quiet small" href={getAddress(webhook, '/delete')} aria-label={label('delete')}>
          {t.actions.delete}
        </a>
      )}
    </div>
  );
}
